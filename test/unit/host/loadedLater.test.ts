import assert from 'node:assert/strict';
import { loadedLater } from '../../../src/host/loadedLater.ts';
import type { MovingCronService } from '../../../src/runtime/cron/cronService.ts';
import type { CronService, PromptReceiver } from '../../../src/runtime/domain/services.ts';
import { strictPrompts } from '../../support/prompts.ts';

describe('a service of scheduled prompts that is loaded later', () => {
  const receiver: PromptReceiver = { send: () => assert.fail('nothing is due'), report: (message) => assert.fail(message) };
  let events: string[];
  let reports: string[];
  beforeEach(() => void ([events, reports] = [[], []]));

  const listen: CronService['listen'] = (given) => {
    assert.equal(given, receiver);
    events.push('listens');
    return { dispose: () => void events.push('disposed'), idle: async () => void events.push('idle') };
  };
  const service: MovingCronService = { ...strictPrompts, listen, list: async (sessionId) => (events.push(`lists ${sessionId}`), []) };
  const later = (load: () => Promise<MovingCronService>): MovingCronService => loadedLater(load, (message) => void reports.push(message));
  const loading = async (): Promise<MovingCronService> => (events.push('loads'), service);

  it('is loaded once, with its first use', async () => {
    const lazy = later(loading);
    assert.deepEqual(events, []);
    await Promise.all([lazy.list('a'), lazy.list('b')]);
    assert.deepEqual(events, ['loads', 'lists a', 'lists b']);
  });

  it('listens until that is over', async () => {
    const listening = later(loading).listen(receiver);
    await listening.idle();
    listening.dispose();
    assert.deepEqual(events, ['loads', 'listens', 'idle', 'disposed']);
  });

  it('never listens where that was over before it was loaded', async () => {
    const listening = later(loading).listen(receiver);
    listening.dispose();
    await listening.idle();
    assert.deepEqual(events, ['loads']);
  });

  it('that can not be loaded says so, and is tried again', async () => {
    let tries = 0;
    const lazy = later(async () => {
      tries++;
      if (tries === 1) throw new Error('the file is gone');
      return service;
    });
    await lazy.listen(receiver).idle();
    assert.equal(reports.length, 1);
    await lazy.list('a');
    assert.deepEqual(events, ['lists a']);
  });
});
