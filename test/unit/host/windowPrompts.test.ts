import assert from 'node:assert/strict';
import type { CronService, PromptReceiver } from '../../../src/runtime/domain/services.ts';
import { whereTrusted } from '../../../src/host/windowPrompts.ts';
import { strictPrompts } from '../../support/prompts.ts';

describe('scheduled prompts of a window', () => {
  let events: string[];
  let granting: Set<() => unknown>;
  let isTrusted: boolean;
  const receiver: PromptReceiver = { send: () => assert.fail('nothing is due'), report: (message) => assert.fail(message) };

  function service(): CronService {
    const listen: CronService['listen'] = (given) => {
      assert.equal(given, receiver);
      events.push('listens');
      return { dispose: () => void events.push('disposed'), idle: async () => void events.push('idle') };
    };
    const trust = {
      isTrusted: () => isTrusted,
      onDidGrant: (listener: () => unknown) => {
        granting.add(listener);
        return { dispose: () => granting.delete(listener) };
      },
    };
    return whereTrusted({ ...strictPrompts, listen }, trust);
  }
  const grant = (): void => granting.forEach((listener) => void listener());

  beforeEach(() => {
    [events, granting, isTrusted] = [[], new Set(), true];
  });

  it('are sent where the workspace is trusted', async () => {
    const listening = service().listen(receiver);
    listening.dispose();
    await listening.idle();
    assert.deepEqual([events, granting.size], [['listens', 'disposed', 'idle'], 0]);
  });

  it('wait in Restricted Mode until trust is granted', async () => {
    isTrusted = false;
    const listening = service().listen(receiver);
    await listening.idle();
    assert.deepEqual(events, []);
    grant();
    grant();
    assert.deepEqual(events, ['listens']);
    listening.dispose();
    assert.deepEqual(events, ['listens', 'disposed']);
  });

  it('are never sent where the agent ends before trust is granted', () => {
    isTrusted = false;
    service().listen(receiver).dispose();
    grant();
    assert.deepEqual(events, []);
  });
});
