import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { AgentRef } from '../../../src/runtime/domain/agents.ts';
import type { EventOf, RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { ChangeLog } from '../../../src/runtime/store/changeLog.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

const child = (agentId: string): AgentRef => ({ kind: 'child', sessionId: 's', groupId: 'g', agentId, displayName: 'A' });
const changed = (agent: AgentRef, at: number): EventOf<'files.changed'> => ({ at, type: 'files.changed', agent, callId: 'c', changes: [{ path: `/w/${at}`, kind: 'edited', before: { kind: 'kept', hash: 'h' }, after: { kind: 'absent' } }] });
const ofChild = (agentId: string) => ({ sessionId: 's', groupId: 'g', agentId });
const decided = (agentId: string, at: number, id = 'd'): EventOf<'review.decided'> => ({ at, type: 'review.decided', ...ofChild(agentId), decision: { id, path: '/w/a', verdict: 'accepted', content: { kind: 'kept', hash: 'h' }, lines: [{ start: 1, end: 2 }] } });
const requested = (agentId: string, at: number): EventOf<'review.requested'> => ({ at, type: 'review.requested', ...ofChild(agentId), asks: { id: 'r', round: 2, text: 'Again.', comments: [] } });

describe('the log of what children change', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let problems: string[];
  const inside = (): string => join(folder.path, 'deep', 'changes');
  const open = (): ChangeLog => new ChangeLog({ folder: inside(), report: (message) => void problems.push(message) });
  beforeEach(async () => {
    folder = await temporaryFolder();
    problems = [];
  });
  afterEach(() => folder.remove());

  it('holds changes, decisions and requests of each child, in their order, and nothing else', async () => {
    const log = open();
    const events: readonly RuntimeEvent[] = [changed(child('a'), 1), decided('a', 2), changed(child('b'), 3), requested('a', 4), changed(child('a'), 5)];
    const others: readonly RuntimeEvent[] = [changed({ kind: 'root', sessionId: 's' }, 6), { at: 7, type: 'child.started', ...ofChild('a') }];
    for (const event of [...events, ...others]) log.record(event);
    const ofA = events.filter(({ at }) => at !== 3);
    assert.deepEqual((await log.read('a')).events, ofA, 'what is being written, too');
    assert.deepEqual((await log.read('b')).events, [events[2]]);
    assert.deepEqual((await log.read('c')).events, []);
    await log.flush();
    assert.deepEqual((await open().read('a')).events, ofA);
    assert.deepEqual((await readdir(inside())).sort(), ['a.jsonl', 'b.jsonl']);
  });

  it('drops a line that a crash has torn, and goes on after it', async () => {
    const log = open();
    log.record(changed(child('a'), 1));
    await log.flush();
    await appendFile(join(inside(), 'a.jsonl'), '{"at":2,"type":"files.chan');
    const after = open();
    assert.deepEqual(await after.read('a'), { events: [changed(child('a'), 1)] });
    after.record(changed(child('a'), 3));
    assert.deepEqual(await after.read('a'), { events: [changed(child('a'), 1), changed(child('a'), 3)] });
    assert.deepEqual(problems, []);
  });

  it('leaves out what is no event of that child', async () => {
    const log = open();
    log.record(changed(child('a'), 1));
    await log.flush();
    const odd = [null, 5, { at: 'x' }, { ...changed(child('a'), 2), changes: 'all' }, changed(child('b'), 3), { at: 4, type: 'later.kind' }, { at: 5, type: 'child.started', ...ofChild('a') }];
    await appendFile(join(inside(), 'a.jsonl'), odd.map((line) => `${JSON.stringify(line)}\n`).join(''));
    assert.deepEqual((await log.read('a')).events.map(({ at }) => at), [1]);
  });

  it('takes no path for a child', async () => {
    await mkdir(inside(), { recursive: true });
    await writeFile(join(folder.path, 'other.jsonl'), `${JSON.stringify(changed(child('../../other'), 1))}\n`);
    assert.deepEqual((await open().read('../../other')).events, []);
  });

  it('reads what another process adds', async () => {
    const [one, other] = [open(), open()];
    one.record(changed(child('a'), 1));
    await one.flush();
    other.record(decided('a', 2));
    await other.stored('a', ['d']);
    one.record(changed(child('a'), 3));
    assert.deepEqual((await one.read('a')).events.map(({ at }) => at), [1, 2, 3]);
    assert.deepEqual((await other.read('a')).events.map(({ at }) => at), [1, 2, 3]);
  });

  it('tells what of it is damaged, once', async () => {
    const log = open();
    for (const at of [1, 2, 3]) log.record(changed(child('a'), at));
    await log.flush();
    const path = join(inside(), 'a.jsonl');
    const [first = '', second = '', third = ''] = (await readFile(path, 'utf8')).split('\n');
    for (const damaged of [second.slice(0, 40), `x${second}`, JSON.stringify({ ...changed(child('a'), 2), changes: 'all' })]) {
      await writeFile(path, `${[first, damaged, third].join('\n')}\n`);
      assert.deepEqual(await log.read('a'), { events: [changed(child('a'), 1), changed(child('a'), 3)], damagedAt: 1 });
    }
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /damaged/);
  });

  it('tells whoever made a decision that it could not be written, also where a later one was', async () => {
    await mkdir(join(folder.path, 'deep'));
    await writeFile(inside(), 'no folder');
    const log = open();
    log.record(changed(child('a'), 1));
    log.record(decided('a', 2, 'first'));
    await log.flush();
    assert.match(problems.join(), /Could not record a change of a/);
    await rm(inside());
    log.record(decided('a', 3, 'second'));
    await log.stored('a', ['second']);
    await assert.rejects(log.stored('a', ['second', 'first']), (error) => isAppError(error, 'unavailable'));
    await log.stored('a', ['first']);
    assert.deepEqual((await log.read('a')).events.map(({ at }) => at), [3]);
  });

  it('takes thousands of changes, and keeps none of them in mind', async () => {
    const log = open();
    for (let at = 0; at < 5000; at += 1) log.record(changed(child(`a${at % 50}`), at));
    await log.flush();
    assert.equal((await log.read('a7')).events.length, 100);
    assert.equal((await readFile(join(inside(), 'a7.jsonl'), 'utf8')).split('\n').length, 101);
  });
});
