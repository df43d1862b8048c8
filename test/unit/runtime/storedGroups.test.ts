import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { GroupView } from '../../../src/runtime/domain/agents.ts';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import type { DelegationDeps } from '../../../src/runtime/delegation/deps.ts';
import type { TaskList } from '../../../src/runtime/delegation/tracking.ts';
import { StoredGroups, type StoredGroupsOptions } from '../../../src/runtime/storedGroups.ts';
import { Claims } from '../../../src/runtime/store/claims.ts';
import { GroupFolder } from '../../../src/runtime/store/groupFolder.ts';
import { delegating, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { Fixture, quiet } from '../delegation/fixture.ts';

const PARTLY = ['completed', 'failed', 'interrupted'];

describe('stored groups', () => {
  let fixture: AgentFixture;
  let folder: string;
  /** The log of a group of which one has ended, one failed, one asks, and one waits. */
  let log: Buffer;
  let groupId: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stored-'));
    const work = { calls: [{ name: 'Write', input: { file_path: 'ä.txt', content: '→' } }] };
    fixture = await startAgent(delegating({ Ä: [{ text: 'From Ä.' }], B: [{ stop: 'error', error: { failure: 'error', message: 'no' } }], C: [work, { wait: deferred().promise }], D: [] }), { maxParallelSubagents: 1 });
    fixture.agent.approvals.attach();
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('approval.wanted');
    groupId = fixture.agent.groups()[0]?.groupId ?? '';
    await fixture.agent.suspend();
    const all = await readFile(join(fixture.storageDir, 'groups', `${groupId}.jsonl`), 'utf8');
    // As a crash would have left it: without what the suspend wrote.
    log = Buffer.from(all.split('\n').filter((line) => !/"type":"(child|group)\.interrupted"|approval\.withdrawn/.test(line)).join('\n'));
  });
  after(async () => {
    await fixture.end();
    await rm(folder, { recursive: true, force: true });
  });

  /** Restores what is in the folder, on a delegation whose children never end. `living`: further hosts that live; this one is added. */
  async function restore(claims?: StoredGroupsOptions['claims'], before: (groups: StoredGroups) => Promise<void> = async () => undefined, living = new Set<string>(), deps: Partial<DelegationDeps> = {}): Promise<{ readonly f: Fixture; readonly problems: readonly string[]; readonly groups: StoredGroups }> {
    const f = new Fixture(deps);
    const hostId = `host-${Math.random()}`;
    living.add(hostId);
    const isAlive = async (other: string): Promise<boolean> => living.has(other);
    const groups = new StoredGroups({
      folder: new GroupFolder(join(folder, 'groups'), (message) => f.events.push({ type: 'problem', message })),
      claims: claims ?? new Claims(join(folder, 'claims'), hostId, isAlive),
      projection: f.projection,
      publish: f.publish,
      isAlive,
      adopt: (record) => f.delegation.adopt(record),
      stored: async () => undefined,
    });
    await before(groups);
    await groups.restore();
    await quiet();
    return { f, groups, problems: f.all('problem').map(({ message }) => message) };
  }

  async function store(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    await rm(folder, { recursive: true, force: true });
    await mkdir(join(folder, 'groups'), { recursive: true });
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, 'groups', name), content);
  }

  it('come back from a log cut at any byte, every child as it last was or interrupted, none running', async function () {
    this.timeout(60_000);
    // Around each end of a line, and at many places in between.
    const cuts = Array.from({ length: log.length + 1 }, (_, cut) => cut).filter((cut) => cut % 17 === 0 || log.subarray(Math.max(0, cut - 2), cut + 2).includes('\n'));
    const accepted = log.indexOf('\n', log.indexOf('"group.accepted"'));
    for (const cut of cuts) {
      await store({ [`${groupId}.jsonl`]: log.subarray(0, cut) });
      const { f, problems } = await restore();
      const [group] = f.projection.groups();
      assert.equal(group !== undefined, cut >= accepted, `cut at ${cut}`);
      assert.deepEqual(problems, [], `cut at ${cut}`);
      if (!group) continue;
      assert.equal(group.status, 'interrupted');
      for (const child of group.children) {
        assert.ok(PARTLY.includes(child.status), `${child.displayName} is ${child.status}, cut at ${cut}`);
        assert.deepEqual(child.approvals, []);
      }
      await f.delegation.cancelAll();
      assert.equal(f.all('group.settled').length, 1);
      assert.equal(f.delivered.length, 1);
    }
  });

  it('lose no more than the damaged line, and say in which file it is', async () => {
    const lines = log.toString().trimEnd().split('\n');
    for (const damage of ['{"type":"child.st', 'null', '{}', '[1]', '\u0000\u0000']) {
      const settled = lines.findIndex((line) => line.includes('"child.settled"'));
      await store({ [`${groupId}.jsonl`]: `${lines.map((line, index) => (index === settled ? damage : line)).join('\n')}\n` });
      const { f, problems } = await restore();
      assert.deepEqual(f.projection.groups()[0]?.children.map(({ status }) => status), ['interrupted', 'failed', 'interrupted', 'interrupted']);
      assert.equal(problems.length, 1);
      assert.ok(problems[0]?.includes(`${groupId}.jsonl`));
    }
  });

  for (const bad of [{ type: 'tool.ended' }, { type: 'tool.ended', agent: null }, { type: 'child.settled', groupId: 'g', agentId: 'a' }, { type: 'task.changed' }, { type: 'approval.wanted' }, { type: 'files.changed', agent: { kind: 'root', sessionId: 's' } }]) {
    const line = JSON.stringify({ at: 9e12, ...bad });
    it(`lose no more than the line ${line}, when it is there at start and when it comes later`, async () => {
      await store({ [`${groupId}.jsonl`]: `${log.toString()}\n${line}\n` });
      const atStart = await restore();
      assert.deepEqual([atStart.f.projection.group(groupId)?.status, atStart.problems.length], ['interrupted', 1]);
      assert.ok(atStart.problems[0]?.includes(`${groupId}.jsonl`));

      await store({});
      const owner = /"hostId":"([^"]+)"/.exec(log.toString())?.[1] ?? '';
      const living = new Set([owner]);
      const later = await restore(undefined, undefined, living);
      const path = join(folder, 'groups', `${groupId}.jsonl`);
      await writeFile(path, `${log.toString()}\n`);
      await later.groups.refresh();
      assert.deepEqual([later.f.projection.group(groupId)?.isElsewhere, later.f.all('problem').length], [true, 0]);
      await appendFile(path, `${line}\n`);
      living.delete(owner);
      await later.groups.refresh();
      assert.deepEqual([later.f.projection.group(groupId)?.status, later.f.all('problem').length], ['interrupted', 1]);
    });
  }

  it('of a kind of event that only a later version knows are as they would be without it', async () => {
    await store({ [`${groupId}.jsonl`]: `${log.toString()}\n${JSON.stringify({ at: 9e12, type: 'group.painted' })}\n` });
    const { f, problems } = await restore();
    assert.deepEqual([f.projection.group(groupId)?.status, problems], ['interrupted', []]);
  });

  it('are left out one by one where their files make no sense', async () => {
    await store({ [`${groupId}.jsonl`]: log, 'bg_empty.jsonl': '', 'bg_noise.jsonl': 'noise\n', 'bg_other.jsonl': log, 'bg_bad.view.json': '{"version":1,"view":{"groupId":1}}', 'bg_null.jsonl': '{"type":"group.accepted","at":1,"group":null}\n', 'notes.txt': 'x' });
    await mkdir(join(folder, 'groups', 'bg_folder.jsonl'));
    const { f, problems, groups } = await restore();
    assert.deepEqual(f.projection.groups().map((group) => group.groupId), [groupId]);
    const named = ['bg_bad.view.json', 'bg_folder.jsonl', 'bg_noise.jsonl', 'bg_null.jsonl', 'bg_other.jsonl'];
    assert.deepEqual(named.filter((name) => !problems.some((problem) => problem.includes(name))), []);
    assert.equal(problems.length, named.length, problems.join('\n'));
    // And they are not told again and again.
    await groups.refresh();
    assert.equal(f.all('problem').length, named.length);
  });

  it('come from their view once all is done, and from the log where that is damaged', async () => {
    await store({ [`${groupId}.jsonl`]: log });
    const first = await restore();
    await first.f.delegation.cancelAll();
    await first.groups.close(groupId);
    const view = first.f.projection.group(groupId) as GroupView;
    await rm(join(folder, 'groups', `${groupId}.jsonl`));
    const second = await restore();
    assert.deepEqual(second.f.projection.groups(), [view]);
    assert.deepEqual(second.f.events, []);
    await store({ [`${groupId}.view.json`]: 'torn', [`${groupId}.jsonl`]: log });
    const third = await restore();
    assert.equal(third.f.projection.groups()[0]?.status, 'interrupted');
    assert.equal(third.problems.length, 1);
  });

  it('are left alone where another window did it all right before the claim', async () => {
    const path = join(folder, 'groups', `${groupId}.jsonl`);
    const line = (event: object): string => `\n${JSON.stringify({ at: 9e12, sessionId: 's', groupId, ...event })}`;
    const stories = { delivered: [{ type: 'group.settled', status: 'partial' }, { type: 'group.delivered' }], resumed: [{ type: 'group.resumed', hostId: 'host-late' }] };
    for (const [story, events] of Object.entries(stories)) {
      await store({ [`${groupId}.jsonl`]: log });
      const taken: string[] = [];
      const released: string[] = [];
      const { f } = await restore({
        take: async (_subject, from) => {
          taken.push(from);
          if (taken.length > 1) return false;
          await appendFile(path, events.map(line).join(''));
          return true;
        },
        release: async (_subject, from) => void released.push(from),
      });
      assert.deepEqual(f.delegation.running(), [], story);
      assert.deepEqual(f.events, [], story);
      assert.equal(f.projection.group(groupId)?.isElsewhere, story === 'resumed');
      assert.deepEqual(released, [taken[0]]);
    }
  });

  it('are taken over once, however early others are looked at', async () => {
    await store({ [`${groupId}.jsonl`]: log });
    const { f } = await restore(undefined, async (groups) => {
      await groups.refresh();
      void groups.refresh();
    });
    assert.equal(f.all('group.interrupted').length, 1);
    assert.deepEqual([f.projection.group(groupId)?.isElsewhere, f.delegation.running().length], [false, 1]);
    assert.deepEqual(f.all('group.refreshed'), []);
  });

  /** The log as it was right after its last child had settled. */
  function allSettled(): string {
    const lines = log.toString().trimEnd().split('\n');
    const ids = new Set(lines.flatMap((line) => /"type":"child\.queued".*"agentId":"([^"]+)"/.exec(line)?.[1] ?? []));
    return [...lines, ...[...ids].map((agentId) => JSON.stringify({ at: 9e12, type: 'child.settled', sessionId: 's', groupId, agentId, outcome: { status: 'completed', text: 'x' } })), ''].join('\n');
  }

  it('stay one window’s until they are delivered, where their log does not say whose they are', async () => {
    const stories = { 'all had settled, and the task list hangs': allSettled(), 'the log can not be written': log };
    for (const [story, content] of Object.entries(stories)) {
      await store({ [`${groupId}.jsonl`]: content });
      const living = new Set<string>();
      const tasks = { load: () => Promise.resolve(), get: () => ({ status: 'in_progress' }), transition: () => deferred<never>().promise } as unknown as TaskList;
      const windows = [await restore(undefined, undefined, living, { tasks }), await restore(undefined, undefined, living, { tasks })];
      for (const { groups } of windows) await groups.refresh();
      assert.deepEqual(windows.map(({ f }) => [f.delegation.running().length, f.projection.group(groupId)?.isElsewhere]), [[1, false], [0, true]], story);
    }
  });

  it('are looked at anew for a claim on a round, where a look had begun before it', async () => {
    await store({});
    const listed = deferred<void>();
    const goOn = deferred<void>();
    const f = new Fixture();
    const real = new GroupFolder(join(folder, 'groups'), (message) => assert.fail(message));
    let looks = 0;
    const list: GroupFolder['list'] = async () => {
      const ids = await real.list();
      looks += 1;
      if (looks === 2) {
        listed.resolve();
        await goOn.promise;
      }
      return ids;
    };
    const groups = new StoredGroups({
      folder: { list, tail: (id) => real.tail(id), readView: (id) => real.readView(id), writeView: (view) => real.writeView(view) },
      claims: { take: async () => true, release: async () => undefined },
      projection: f.projection,
      publish: f.publish,
      isAlive: async () => true,
      adopt: () => assert.fail('it is another window’s'),
      stored: async () => undefined,
    });
    await groups.restore();
    const beat = groups.refresh();
    await listed.promise;
    await writeFile(join(folder, 'groups', `${groupId}.jsonl`), log);
    const claiming = groups.claimRound('agent-1', 2);
    await quiet();
    assert.equal(f.projection.has(groupId), false);
    goOn.resolve();
    await Promise.all([beat, claiming]);
    assert.equal(f.projection.has(groupId), true);
  });

  it('are shown, but not touched, where the claim fails', async () => {
    await store({ [`${groupId}.jsonl`]: log });
    const { f, problems } = await restore({ take: () => Promise.reject(new Error('no space')), release: async () => undefined });
    assert.deepEqual([f.projection.group(groupId)?.isElsewhere, f.delegation.running().length, problems.length], [true, 0, 1]);
    assert.match(problems[0] ?? '', /no space/);
  });

  it('are listed quickly, in the order in which they were accepted', async function () {
    this.timeout(20_000);
    const count = 1000;
    const lines = log.toString().split('\n');
    const event = JSON.parse(lines.find((line) => line.includes('"group.accepted"')) ?? '') as Extract<RuntimeEvent, { type: 'group.accepted' }>;
    const files: Record<string, string> = {};
    for (let index = 0; index < count; index += 1) {
      const id = `bg_${String(index * 7919 % count).padStart(4, '0')}`;
      const view = { groupId: id, sessionId: 's', cwd: '/w', status: 'completed', createdAt: index, settledAt: index, isRound: false, isElsewhere: false, children: event.group.children.map((child) => ({ ...child, agentId: `${child.agentId}-${id}`, groupId: id, roundGroupId: id, sessionId: 's', status: 'completed', outcome: { status: 'completed', text: 'x'.repeat(2000) }, queuedAt: 0, lastActivityAt: 0, approvals: [], turns: 1, toolCalls: 1, denials: 0, usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 }, changedFiles: [] })) };
      files[`${id}.view.json`] = JSON.stringify({ version: 1, view });
    }
    await store(files);
    await restore();
    const began = performance.now();
    const { f } = await restore();
    const took = performance.now() - began;
    assert.deepEqual(f.projection.groups().map(({ createdAt }) => createdAt), Array.from({ length: count }, (_, index) => index));
    if (process.env['REPORT_TIMES']) process.stdout.write(`      ${count} groups in ${Math.round(took)} ms\n`);
  });
});
