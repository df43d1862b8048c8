import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deferred } from '../../../src/runtime/base/async.ts';
import { AppError, isAppError } from '../../../src/runtime/base/errors.ts';
import type { MovingCronService } from '../../../src/runtime/cron/cronService.ts';
import type { PromptListening } from '../../../src/runtime/domain/services.ts';
import { NotedReceiver, serviceIn, WallClock } from '../../support/prompts.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('scheduled prompts', () => {
  let dir: string;
  let remove: () => Promise<void>;
  let clock: WallClock;
  let service: MovingCronService;
  const listening: PromptListening[] = [];

  beforeEach(async () => {
    const folder = await temporaryFolder();
    [dir, remove] = [join(folder.path, 'cron'), () => folder.remove()];
    clock = new WallClock('2026-03-27T12:00:00Z');
    service = serviceIn(dir, clock);
  });
  afterEach(async () => {
    for (const each of listening) each.dispose();
    for (const each of listening.splice(0)) await each.idle();
    assert.equal(clock.pending, 0, 'no timer is left');
    await remove();
  });

  function listen(receiver: NotedReceiver, from = service): PromptListening {
    const one = from.listen(receiver);
    listening.push(one);
    return one;
  }

  /** Lets that much time pass, look by look, as far as anybody listens. */
  async function pass(ms: number): Promise<void> {
    const end = clock.elapsed() + ms;
    await settled();
    while (clock.elapsed() < end && clock.pending > 0) {
      clock.advance(Math.min(end - clock.elapsed(), MINUTE / 4));
      await settled();
    }
    clock.advance(end - clock.elapsed());
    await settled();
  }

  async function settled(): Promise<void> {
    for (const each of listening) await each.idle();
  }

  const stored = async (): Promise<readonly string[]> => (await service.list()).map(({ prompt }) => prompt);

  it('are sent at their times, to their sessions, until they are deleted', async () => {
    const receiver = new NotedReceiver(clock);
    listen(receiver);
    const daily = await service.create({ sessionId: 'a', schedule: '0 9 * * *', prompt: 'Look at the build' });
    assert.deepEqual([daily.nextAt, daily.createdAt, daily.once], [Date.parse('2026-03-28T08:00:00Z'), Date.parse('2026-03-27T12:00:00Z'), undefined]);
    for (const morning of ['2026-03-28T07:59:30Z', '2026-03-29T06:59:30Z', '2026-03-30T06:59:30Z']) {
      clock.set(morning);
      await pass(2 * MINUTE);
    }
    // The clock moves forward in the night to the second day.
    assert.deepEqual(receiver.times, ['2026-03-28T08:00:00Z', '2026-03-29T07:00:00Z', '2026-03-30T07:00:00Z']);
    assert.equal(await service.remove(daily.id, 'b'), false, "another session's is not removed");
    assert.equal(await service.remove(daily.id, 'a'), true);
    assert.equal(await service.remove(daily.id), false);
    clock.set('2026-03-31T06:59:30Z');
    await pass(2 * MINUTE);
    assert.equal(receiver.sent.length, 3);
  });

  it('of a moment, and those that are meant once, are sent once and are gone then', async () => {
    const receiver = new NotedReceiver(clock);
    listen(receiver);
    assert.equal((await service.create({ sessionId: 'a', schedule: '2026-03-27T15:30', prompt: 'moment' })).once, true);
    await service.create({ sessionId: 'a', schedule: '*/10 * * * *', prompt: 'ten', once: true });
    await pass(5 * HOUR);
    assert.deepEqual([receiver.prompts, receiver.times], [['ten', 'moment'], ['2026-03-27T12:10:00Z', '2026-03-27T14:30:00Z']]);
    assert.deepEqual(await stored(), []);
  });

  it('are listed soonest first, of one session or of all', async () => {
    await service.create({ sessionId: 'a', schedule: '0 9 * * *', prompt: 'later' });
    await service.create({ sessionId: 'b', schedule: '0 * * * *', prompt: 'soon' });
    assert.deepEqual(await stored(), ['soon', 'later']);
    assert.deepEqual((await service.list('a')).map(({ prompt }) => prompt), ['later']);
    assert.deepEqual(await service.list('c'), []);
  });

  it('that were missed are sent once at the next start, however often they were', async () => {
    await service.create({ sessionId: 'a', schedule: '*/5 * * * *', prompt: 'often' });
    await service.create({ sessionId: 'a', schedule: '2026-03-27T20:00', prompt: 'moment' });
    clock.advance(30 * 24 * HOUR);
    const receiver = new NotedReceiver(clock, undefined, () => false);
    listen(receiver);
    await settled();
    assert.deepEqual(receiver.prompts, ['often', 'moment']);
    await pass(11 * MINUTE);
    assert.equal(receiver.sent.length, 4, 'from then on at its times');
  });

  it('are sent once after the computer slept', async () => {
    const receiver = new NotedReceiver(clock);
    listen(receiver);
    await service.create({ sessionId: 'a', schedule: '0 * * * *', prompt: 'hourly' });
    await settled();
    clock.set('2026-03-28T00:30:00Z');
    await pass(MINUTE);
    assert.equal(receiver.sent.length, 1);
    await pass(HOUR / 2);
    assert.equal(receiver.sent.length, 2);
  });

  it('are due at the clock as it is set: once where it is set back a little, and on time again where by far', async () => {
    const receiver = new NotedReceiver(clock);
    listen(receiver);
    await service.create({ sessionId: 'a', schedule: '0 * * * *', prompt: 'hourly' });
    await pass(HOUR);
    assert.equal(receiver.sent.length, 1);
    clock.set('2026-03-27T12:50:00Z');
    await pass(20 * MINUTE);
    assert.equal(receiver.sent.length, 1, 'the same hour comes again, and is no other');
    clock.set('2025-03-27T12:50:00Z');
    await pass(20 * MINUTE);
    assert.deepEqual(receiver.times.slice(1), ['2025-03-27T13:00:00Z']);
  });

  it('more than a month ahead are sent then', async () => {
    const receiver = new NotedReceiver(clock);
    listen(receiver);
    await service.create({ sessionId: 'a', schedule: '0 0 1 6 *', prompt: 'june' });
    await settled();
    clock.set('2026-05-31T21:59:00Z');
    await pass(2 * MINUTE);
    assert.deepEqual(receiver.times, ['2026-05-31T22:00:00Z']);
  });

  it('are refused where they make no sense, and where a session has too many', async () => {
    const invalid = (error: unknown): boolean => isAppError(error, 'invalid_input');
    for (const [schedule, prompt] of [['0 9 * * *', ' \n'], ['0 9 * * *', '\u200b'], ['0 9 * * *', 'x'.repeat(10_001)], ['0 0 30 2 *', 'x'], ['2020-01-01T00:00', 'x'], ['* * * * * *', 'x'], ['soon', 'x']] as const) {
      await assert.rejects(service.create({ sessionId: 'a', schedule, prompt }), invalid, `${schedule} ${prompt.slice(0, 10)}`);
    }
    for (let index = 0; index < 20; index++) await service.create({ sessionId: 'a', schedule: '0 9 * * *', prompt: `${index}` });
    await assert.rejects(service.create({ sessionId: 'a', schedule: '0 9 * * *', prompt: '20' }), (error: unknown) => isAppError(error, 'conflict'));
    await service.create({ sessionId: 'b', schedule: '0 9 * * *', prompt: 'other' });
    assert.equal((await stored()).length, 21);
  });

  it('that wait behind a turn are not sent once more meanwhile, and not at all where they are deleted', async () => {
    const turn = deferred<void>();
    const wanted: boolean[] = [];
    const receiver = new NotedReceiver(clock, async (_, isWanted) => {
      await turn.promise;
      wanted.push(await isWanted());
    });
    const { id } = await service.create({ sessionId: 'a', schedule: '* * * * *', prompt: 'kept' });
    await service.create({ sessionId: 'b', schedule: '* * * * *', prompt: 'deleted' });
    clock.advance(MINUTE);
    listen(receiver);
    while (receiver.sent.length < 2) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(5 * MINUTE);
    const [, other] = await service.list();
    assert.equal(await service.remove(other?.id === id ? '' : other?.id ?? ''), true);
    turn.resolve();
    await settled();
    assert.deepEqual(wanted.toSorted(), [false, true, true]);
    // What was due while it waited counts as one.
    assert.deepEqual(receiver.prompts, ['kept', 'deleted', 'kept']);
  });

  it('that were not sent because the receiver closes are sent by the next one', async () => {
    const first = new NotedReceiver(clock, () => Promise.reject(new AppError('closed', 'This agent was closed.')));
    await service.create({ sessionId: 'a', schedule: '2026-03-27T14:00', prompt: 'moment' });
    await service.create({ sessionId: 'b', schedule: '0 14 * * *', prompt: 'daily' });
    clock.advance(2 * HOUR);
    const closing = listen(first);
    await closing.idle();
    assert.deepEqual([first.prompts, first.problems], [['moment', 'daily'], []]);
    const second = new NotedReceiver(clock);
    listen(second);
    await settled();
    assert.deepEqual([second.prompts, await stored()], [['moment', 'daily'], ['daily']]);
  });

  it('of a conversation that is gone are all dropped, and that is told', async () => {
    const receiver = new NotedReceiver(clock, () => Promise.reject(new AppError('not_found', 'There is no transcript of a.')));
    listen(receiver);
    for (const sessionId of ['a', 'a', 'b']) await service.create({ sessionId, schedule: sessionId === 'b' ? '0 9 * * *' : '0 * * * *', prompt: sessionId });
    await service.create({ sessionId: 'a', schedule: '0 9 * * *', prompt: 'later' });
    await pass(HOUR);
    assert.deepEqual(await stored(), ['b']);
    assert.match(receiver.problems[0] ?? '', /“a” was dropped.*There is no transcript/);
  });

  it('that could not be sent are told of, and are due again at their next time', async () => {
    const receiver = new NotedReceiver(clock, () => Promise.reject(new Error('no space left')));
    listen(receiver);
    await service.create({ sessionId: 'a', schedule: '0 * * * *', prompt: 'hourly' });
    await service.create({ sessionId: 'a', schedule: '2026-03-27T14:00', prompt: 'moment' });
    await pass(HOUR);
    assert.deepEqual([receiver.problems.length, await stored()], [2, ['hourly']]);
    assert.match(receiver.problems[0] ?? '', /“hourly” was not sent: no space left/);
    await pass(HOUR);
    assert.equal(receiver.sent.length, 3);
  });

  it('are sent where their conversation is open, and elsewhere only once that does not do it', async () => {
    const [holder, other] = [new NotedReceiver(clock), new NotedReceiver(clock, undefined, () => false)];
    listen(other, serviceIn(dir, clock));
    const held = listen(holder);
    await settled();
    await service.create({ sessionId: 'a', schedule: '0 * * * *', prompt: 'hourly' });
    await pass(2 * HOUR);
    assert.deepEqual([holder.sent.length, other.sent.length], [2, 0]);
    held.dispose();
    await pass(HOUR + MINUTE);
    assert.deepEqual([holder.sent.length, other.sent.length], [2, 1]);
  });

  it('in a damaged file cost no others; what was damaged is kept, and that is told', async () => {
    await service.create({ sessionId: 'a', schedule: '0 9 * * *', prompt: 'whole' });
    const path = join(dir, 'scheduled.json');
    const text = (await readFile(path, 'utf8')).replace('\n]}', ',\n{"id":"cron-x","sched\n]}');
    await writeFile(path, text);
    const problems: string[] = [];
    service = serviceIn(dir, clock, { report: (message) => void problems.push(message) });
    assert.deepEqual(await stored(), ['whole']);
    const [kept = ''] = (await readdir(dir)).filter((name) => name.startsWith('scheduled.corrupt-'));
    assert.equal(await readFile(join(dir, kept), 'utf8'), text);
    assert.match(problems.join(), /The list of scheduled prompts was damaged/);
  });

  it('whose schedule somebody spoilt in the file are listed without a time, never sent, and can be deleted', async () => {
    const { id } = await service.create({ sessionId: 'a', schedule: '0 9 * * *', prompt: 'x' });
    const path = join(dir, 'scheduled.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('0 9 * * *', 'at nine'));
    const receiver = new NotedReceiver(clock);
    listen(receiver);
    await pass(HOUR);
    assert.deepEqual((await service.list()).map(({ nextAt }) => nextAt), [undefined]);
    assert.equal(await service.remove(id), true);
    assert.deepEqual([receiver.sent, receiver.problems], [[], []]);
  });

  it('that can not be read are told of once, and are sent once they can be', async () => {
    await service.create({ sessionId: 'a', schedule: '2026-03-27T14:00', prompt: 'moment' });
    const path = join(dir, 'scheduled.json');
    const text = await readFile(path, 'utf8');
    await rm(path);
    await writeFile(path, '{"version":2,"prompts":[]}');
    const receiver = new NotedReceiver(clock);
    listen(receiver);
    await pass(3 * HOUR);
    assert.equal(receiver.problems.length, 1, receiver.problems.join('\n'));
    await writeFile(path, text);
    await pass(MINUTE);
    assert.deepEqual(receiver.prompts, ['moment']);
  });

  it('are moved to another conversation with their times, and told of there', async () => {
    const sessions: string[] = [];
    listen(new NotedReceiver(clock, async ({ sessionId }) => void sessions.push(sessionId)));
    const { id } = await service.create({ sessionId: 'a', schedule: '0 * * * *', prompt: 'hourly' });
    await service.create({ sessionId: 'b', schedule: '0 9 * * *', prompt: 'daily' });
    assert.deepEqual((await service.move('a', 'b')).map((prompt) => [prompt.id, prompt.sessionId, prompt.nextAt]), [[id, 'b', Date.parse('2026-03-27T13:00:00Z')]]);
    assert.deepEqual(await service.move('a', 'b'), []);
    await pass(HOUR);
    assert.deepEqual([sessions, (await service.list('b')).length], [['b'], 2]);
  });

  it('whose end could not be stored are told of, and are sent again once it is, also when another listens by then', async () => {
    const turn = deferred<void>();
    const reported: string[] = [];
    service = serviceIn(dir, clock, { report: (message) => void reported.push(message) });
    const first = new NotedReceiver(clock, () => turn.promise);
    await service.create({ sessionId: 'a', schedule: '0 * * * *', prompt: 'hourly' });
    clock.advance(HOUR);
    const closing = service.listen(first);
    while (first.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const path = join(dir, 'scheduled.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, '{"version":2,"prompts":[]}');
    closing.dispose();
    turn.resolve();
    await closing.idle();
    assert.match(reported.join('\n'), /^Scheduled prompts are not sent at present: .*“hourly” can't be stored[^\n]*$/);
    await writeFile(path, text);
    const second = new NotedReceiver(clock);
    listen(second);
    await pass(HOUR);
    assert.deepEqual([second.prompts, second.problems], [['hourly'], []]);
  });

  it('that are due in numbers are all sent without waiting for one another, with few changes of the file', async () => {
    await service.create({ sessionId: 'a', schedule: '* * * * *', prompt: 'x' });
    const path = join(dir, 'scheduled.json');
    const file = JSON.parse(await readFile(path, 'utf8')) as { prompts: object[] };
    const prompts = Array.from({ length: 400 }, (_, index) => ({ ...file.prompts[0], id: `cron-${index}`, sessionId: `s${index % 20}` }));
    await writeFile(path, JSON.stringify({ ...file, prompts }));
    clock.advance(MINUTE);
    const states = new Set<string>();
    const receiver = new NotedReceiver(clock, async () => void states.add(await readFile(path, 'utf8')));
    listen(receiver);
    await settled();
    assert.deepEqual([receiver.sent.length, states.size < 100], [400, true], `${states.size} states of the file`);
  });

  it('that are due in numbers are sent a few at a time, one of each conversation; those that wait behind a turn keep no others', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `p${index}`);
    for (const [index, name] of names.entries()) await service.create({ sessionId: `s${index % 30}`, schedule: '* * * * *', prompt: name, once: true });
    clock.advance(MINUTE);
    const turn = deferred<void>();
    const open = new Map<string, number>();
    let most = 0;
    const receiver = new NotedReceiver(clock, async ({ sessionId }) => {
      open.set(sessionId, (open.get(sessionId) ?? 0) + 1);
      most = Math.max(most, open.size, ...[...open.values()].map((count) => count * 1000 - 1000));
      // The first conversations are in the middle of a long turn.
      if (Number(sessionId.slice(1)) < 16) await turn.promise;
      else await new Promise((resolve) => setImmediate(resolve));
      open.delete(sessionId);
    }, () => false);
    listen(receiver);
    const sent = async (count: number): Promise<void> => {
      while (receiver.sent.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    await sent(16);
    assert.equal(most, 16);
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(MINUTE / 6);
    // Those in the way, and both of all the others.
    await sent(44);
    turn.resolve();
    await settled();
    assert.deepEqual([receiver.prompts.toSorted(), most <= 32, await stored()], [names.toSorted(), true, []]);
  });

  it('leave nothing behind in a folder that nobody schedules anything in', async () => {
    await mkdir(dir);
    listen(new NotedReceiver(clock));
    await pass(3 * MINUTE);
    assert.deepEqual(await readdir(dir), []);
  });
});
