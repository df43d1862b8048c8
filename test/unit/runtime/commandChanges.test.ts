import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { FileState, ToolDefinition } from '../../../src/runtime/domain/tools.ts';
import { createCheckpoints } from '../../../src/runtime/store/checkpoints.ts';
import { delegating, startAgent, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';

const bash = (command: string): { readonly calls: readonly { readonly name: string; readonly input: unknown }[] } => ({ calls: [{ name: 'Bash', input: { command } }] });

describe("what children's commands change", function () {
  this.timeout(20_000);
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  async function run(commands: readonly string[], options: AgentFixtureOptions = {}): Promise<void> {
    fixture = await startAgent(delegating({ A: [...commands.map(bash), { text: 'done' }] }), { permissions: { user: { allow: ['*'] } }, workspace: { 'a.txt': 'one\n', 'b.txt': 'b\n' }, ...options });
    execFileSync('git', ['init', '-q'], { cwd: fixture.cwd });
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
  }

  async function shown(state: FileState | undefined): Promise<string> {
    const checkpoints = createCheckpoints(join(fixture.storageDir, 'checkpoints'));
    return state?.kind === 'kept' ? Buffer.from(await checkpoints.read(state.hash)).toString() : String(state?.kind);
  }

  it('is told as files that changed, with both contents, and counts for the child', async () => {
    await run(['cat a.txt', 'echo two > a.txt; rm b.txt; echo new > c.txt', 'false; echo three >> a.txt; exit 3']);
    const events = fixture.recorder.of('files.changed');
    assert.equal(events.length, 2);
    const told = await Promise.all(events.flatMap(({ changes }) => changes).map(async ({ path, kind, before, after }) => `${kind} ${path.slice(fixture.cwd.length + 1)}: ${await shown(before)} > ${await shown(after)}`));
    assert.deepEqual(told.sort(), ['created c.txt: absent > new\n', 'deleted b.txt: b\n > absent', 'edited a.txt: one\n > two\n', 'edited a.txt: two\n > two\nthree\n']);
    const [child] = fixture.agent.groups()[0]?.children ?? [];
    assert.deepEqual([...(child?.changedFiles ?? [])].sort(), ['a.txt', 'b.txt', 'c.txt'].map((name) => join(fixture.cwd, name)));
    assert.equal(await readFile(join(fixture.cwd, 'a.txt'), 'utf8'), 'two\nthree\n');
    assert.deepEqual(fixture.recorder.of('problem'), []);
  });

  it('is told also where the command is ended by its time limit', async () => {
    fixture = await startAgent(delegating({ A: [{ calls: [{ name: 'Bash', input: { command: 'echo two > a.txt; sleep 60', timeout_ms: 500 } }] }, { text: 'done' }] }), { permissions: { user: { allow: ['*'] } }, workspace: { 'a.txt': 'one\n' } });
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.deepEqual(fixture.recorder.of('files.changed').flatMap(({ changes }) => changes.map(({ path }) => path)), [join(fixture.cwd, 'a.txt')]);
  });

  it('is not looked for where changes are not kept', async () => {
    await run(['echo two > a.txt'], { checkpoints: false });
    assert.deepEqual(fixture.recorder.of('files.changed'), []);
    assert.equal(existsSync(join(fixture.storageDir, 'watch')), false);
  });

  it('is told of a tool that writes through the files it is given and says nothing', async () => {
    const quiet: ToolDefinition = {
      name: 'Quiet',
      description: '',
      inputSchema: { type: 'object' },
      isReadOnly: false,
      describe: () => 'Writing',
      targets: () => [],
      execute: async (_input, { files, cwd }) => (await files.write(join(cwd, 'a.txt'), Buffer.from('two')), { content: [] }),
    };
    fixture = await startAgent(delegating({ A: [{ calls: [{ name: 'Quiet', input: {} }] }, { text: 'done' }] }), { permissions: { user: { allow: ['*'] } }, workspace: { 'a.txt': 'one\n' }, builtinTools: [quiet] });
    await (await fixture.agent.openSession()).send('go');
    await fixture.recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion');
    assert.deepEqual(fixture.recorder.of('files.changed').flatMap(({ changes }) => changes.map(({ path, kind }) => [path, kind])), [[join(fixture.cwd, 'a.txt'), 'edited']]);
  });

  it('is noted with the child, once, where it can not be known', async () => {
    await run(['/bin/mkdir -p x', '/bin/mkdir -p y'], { env: { PATH: '/nowhere' } });
    const notes = fixture.recorder.of('child.noted').map(({ text }) => text);
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /no git is found/);
    assert.deepEqual(fixture.agent.groups()[0]?.children[0]?.notes, notes);
  });

  it('leaves nothing behind that only served to see it', async () => {
    await run(['echo two > a.txt']);
    assert.equal((await readdir(join(fixture.storageDir, 'watch'))).length, 1);
    await fixture.agent.close();
    assert.deepEqual(await readdir(join(fixture.storageDir, 'watch')), []);
  });
});
