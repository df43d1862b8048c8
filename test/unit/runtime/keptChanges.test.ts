import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { FileState } from '../../../src/runtime/domain/tools.ts';
import { ChangeLog } from '../../../src/runtime/store/changeLog.ts';
import { createCheckpoints } from '../../../src/runtime/store/checkpoints.ts';
import { delegating, isRoot, reopenAgent, startAgent, toolResults, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { crashed, type Folders } from '../../support/crash.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const ALLOWED: AgentFixtureOptions = { permissions: { user: { allow: ['Edit', 'Write'] } } };
const read = { name: 'Read', input: { file_path: 'a.txt' } };
const edit = (from: string, to: string) => ({ name: 'Edit', input: { file_path: 'a.txt', old_string: from, new_string: to } });
const write = (path: string, content: string) => ({ name: 'Write', input: { file_path: path, content } });

describe('what children change', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  async function run(children: Readonly<Record<string, readonly ScriptedTurn[]>>, options: AgentFixtureOptions = {}): Promise<void> {
    fixture = await startAgent(delegating(children), { workspace: { 'a.txt': 'one\n' }, ...ALLOWED, ...options });
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('group.settled');
  }
  const idOf = (name: string): string => fixture.agent.groups()[0]?.children.find(({ displayName }) => displayName === name)?.agentId ?? assert.fail(`no child ${name}`);
  const textIn = (name = 'a.txt'): Promise<string> => readFile(join(fixture.cwd, name), 'utf8');

  async function textOf(state: FileState | undefined): Promise<string> {
    if (state?.kind !== 'kept') return state?.kind ?? 'nothing';
    return Buffer.from(await createCheckpoints(join(fixture.storageDir, 'checkpoints')).read(state.hash)).toString();
  }

  /** As another process would read it. */
  async function stepsOf(name: string): Promise<readonly string[]> {
    const log = new ChangeLog({ folder: join(fixture.storageDir, 'changes'), report: assert.fail });
    const changes = (await log.read(idOf(name))).events.flatMap((event) => (event.type === 'files.changed' ? event.changes : []));
    return Promise.all(changes.map(async ({ path, before, after }) => `${path.slice(fixture.cwd.length + 1)}: ${await textOf(before)} → ${await textOf(after)}`));
  }

  it('is kept with what stood there, child by child, and is on the disk once the runtime has ended', async () => {
    await run({ A: [{ calls: [write('new.txt', 'n')] }, { text: 'Done.' }], B: [{ calls: [read, edit('one', 'two'), edit('two', 'three')] }, { text: 'Done.' }] });
    await fixture.agent.close();
    assert.deepEqual(await stepsOf('A'), ['new.txt: absent → n']);
    assert.deepEqual(await stepsOf('B'), ['a.txt: one\n → two\n', 'a.txt: two\n → three\n']);
  });

  it('is not kept of the root, which the user has answered for', async () => {
    fixture = await startAgent((request) => (request.messages.length > 1 ? { text: 'Done.' } : { calls: [write('new.txt', 'n')] }), ALLOWED);
    await (await fixture.agent.openSession()).send('go');
    await fixture.agent.close();
    assert.deepEqual(fixture.recorder.of('files.changed').map(({ changes }) => changes), [[{ path: join(fixture.cwd, 'new.txt'), kind: 'created' }]]);
    assert.deepEqual(['changes', 'checkpoints'].map((name) => existsSync(join(fixture.storageDir, name))), [false, false]);
  });

  for (const [what, options, isOn] of [
    ['without tasks', { tasks: false }, false],
    ['without tasks, but with checkpoints', { tasks: false, checkpoints: true }, true],
    ['with tasks, but without checkpoints', { checkpoints: false }, false],
  ] as const) {
    it(`is ${isOn ? '' : 'not '}kept ${what}`, async () => {
      await run({ A: [{ calls: [read, edit('one', 'two')] }, { text: 'Done.' }] }, options);
      await fixture.agent.close();
      assert.equal(await textIn(), 'two\n');
      assert.deepEqual(['changes', 'checkpoints'].map((name) => existsSync(join(fixture.storageDir, name))), [isOn, isOn]);
      const [change] = fixture.recorder.of('files.changed').flatMap(({ changes }) => changes);
      assert.deepEqual([change?.before !== undefined, change?.after !== undefined], [isOn, isOn]);
    });
  }

  it('survives a crash right after it, with what stood there before', async () => {
    const copied = deferred<Folders & { remove(): Promise<void> }>();
    fixture = await startAgent(delegating({ A: [{ calls: [read, edit('one', 'two')] }, { text: 'Done.' }] }), { workspace: { 'a.txt': 'one\n' }, ...ALLOWED });
    const { agent, recorder, storageDir } = fixture;
    agent.subscribe((event) => {
      if (event.type !== 'files.changed' || event.agent.kind !== 'child') return;
      const path = join(storageDir, 'changes', `${event.agent.agentId}.jsonl`);
      // As soon as anything of the change is told and stored.
      const look = (): unknown => (existsSync(path) ? void crashed(fixture).then((copy) => copied.resolve(copy), (error: unknown) => copied.reject(error)) : setImmediate(look));
      look();
    });
    await (await agent.openSession()).send('go');
    await recorder.until('group.settled');
    const copy = await copied.promise;
    const log = new ChangeLog({ folder: join(copy.storageDir, 'changes'), report: assert.fail });
    const [event] = (await log.read(idOf('A'))).events;
    assert.equal(event?.type, 'files.changed');
    assert.equal(Buffer.from(await createCheckpoints(join(copy.storageDir, 'checkpoints')).read(event.changes[0]?.before?.kind === 'kept' ? event.changes[0].before.hash : '')).toString(), 'one\n');
    await copy.remove();
  });

  it('is made and told also where it can not be kept', async () => {
    fixture = await startAgent(delegating({ A: [{ calls: [read, edit('one', 'two')] }, { text: 'Done.' }] }), { workspace: { 'a.txt': 'one\n' }, ...ALLOWED });
    const { agent, recorder, storageDir } = fixture;
    await Promise.all(['checkpoints', 'changes'].map((name) => writeFile(join(storageDir, name), 'no folder')));
    await (await agent.openSession()).send('go');
    await recorder.until('group.settled');
    await agent.close();
    assert.equal(await textIn(), 'two\n');
    const [change] = recorder.of('files.changed').flatMap(({ changes }) => changes);
    assert.deepEqual([change?.before?.kind, change?.after?.kind], ['unknown', 'unknown']);
    assert.match(recorder.of('problem').map(({ message }) => message).join(), /Could not record a change/);
  });

  for (const [how, change] of [['an edit', edit('three', 'THREE')], ['a write', write('a.txt', 'all of B\n')]] as const) {
    it(`is never overwritten by ${how} from an old read: it is refused with "changed since it was last read" (case 86)`, async () => {
      const [bHasRead, aHasWritten] = [deferred<void>(), deferred<void>()];
      const turns: Readonly<Record<string, ScriptedTurn[]>> = {
        A: [{ calls: [read], wait: bHasRead.promise }, { calls: [edit('one', 'ONE')] }, { text: 'Done.' }],
        B: [
          { calls: [read] },
          { calls: [change], wait: aHasWritten.promise, check: () => bHasRead.resolve() },
          { calls: [read], check: (request) => assert.match(toolResults(request)[0]?.text ?? '', /a\.txt has changed since it was last read here/) },
          { calls: [change], check: (request) => assert.match(toolResults(request)[0]?.text ?? '', /ONE/) },
          { text: 'Done.', check: (request) => assert.equal(toolResults(request)[0]?.isError, false) },
        ],
      };
      fixture = await startAgent(delegating(turns), { workspace: { 'a.txt': 'one\ntwo\nthree\n' }, ...ALLOWED });
      const { agent, recorder, model } = fixture;
      agent.subscribe((event) => {
        if (event.type === 'files.changed') aHasWritten.resolve();
      });
      const refused = recorder.until('tool.ended', ({ isError }) => isError).then(() => textIn());
      await (await agent.openSession()).send('go');
      assert.equal(await refused, 'ONE\ntwo\nthree\n');
      await recorder.until('group.settled');
      model.assertClean();
      // Only then, knowing it, has it changed the file.
      assert.equal(await textIn(), how === 'an edit' ? 'ONE\ntwo\nTHREE\n' : 'all of B\n');
      assert.deepEqual(await stepsOf('A'), ['a.txt: one\ntwo\nthree\n → ONE\ntwo\nthree\n']);
      assert.deepEqual(await stepsOf('B'), [`a.txt: ONE\ntwo\nthree\n → ${await textIn()}`]);
    });
  }

  it('leaves what the user saved while its edit waited for approval, also over a restart (case 85)', async () => {
    fixture = await startAgent(delegating({ A: [{ calls: [read] }, { calls: [edit('one', 'two')] }, { calls: [edit('one', 'three')] }] }), { workspace: { 'a.txt': 'one\n' } });
    const { agent, recorder, cwd, model } = fixture;
    agent.approvals.attach();
    await (await agent.openSession()).send('go');
    const { request } = await recorder.until('approval.wanted');
    await writeFile(join(cwd, 'a.txt'), 'one, as the user wants it\n');
    await agent.approvals.decide(request.id, { kind: 'allow_once' });
    await recorder.until('approval.wanted', (event) => event.request.id !== request.id);
    assert.match(toolResults(model.requests.findLast((each) => !isRoot(each)) ?? assert.fail())[0]?.text ?? '', /a\.txt has changed since it was last read here, perhaps by the user/);
    assert.deepEqual(recorder.of('files.changed'), []);

    const left = await crashed(fixture);
    const next = await reopenAgent(left, () => ({ text: 'Noted.' }));
    assert.deepEqual(next.agent.approvals.pending(), []);
    assert.equal(next.agent.groups()[0]?.children[0]?.status, 'interrupted');
    assert.equal(await textIn(), 'one, as the user wants it\n');
    await next.end();
    await left.remove();
  });

  it('may be very much: one file 100 times, and 200 files', async function () {
    this.timeout(30_000);
    const often = Array.from({ length: 100 }, (_, index) => edit(index === 0 ? 'one' : `v${index - 1}.`, `v${index}.`));
    const many = Array.from({ length: 200 }, (_, index) => write(`many/${index}.txt`, `${index}`));
    await run({ A: [{ calls: [read, ...often] }, { text: 'Done.' }], B: [{ calls: many }, { text: 'Done.' }] });
    assert.equal(await textIn(), 'v99.\n');
    assert.deepEqual([(await stepsOf('A')).length, (await stepsOf('B')).length], [100, 200]);
    const kept = (await readdir(join(fixture.storageDir, 'checkpoints'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    assert.equal(kept.length, 101 + 200, 'each content once');
  });
});
