import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import type { ToolResult } from '../../../src/runtime/domain/tools.ts';
import { createBashTool } from '../../../src/runtime/tools/bash.ts';
import { isAlive } from '../../support/processes.ts';
import { eventually, execute, previewOf, temporaryFolder, toolContext, type TestContext } from '../../support/toolContext.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';

describe('Bash', function () {
  if (process.platform === 'win32') return;
  this.timeout(15_000);
  const tool = createBashTool({ env: { PATH, GREETING: 'hi' } });
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  const run = (command: string, more: object = {}, context: TestContext = toolContext(folder.path)): Promise<ToolResult> => execute(tool, { command, ...more }, context);
  const output = async (command: string): Promise<string> => textOf((await run(command)).content);
  /** The pids that a command wrote, one a line. */
  const pids = async (): Promise<number[]> => (await readFile(join(folder.path, 'pids'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean).map(Number);

  async function assertGone(count: number): Promise<void> {
    const all = await pids();
    assert.equal(all.length, count);
    for (const pid of all) assert.equal(await isAlive(pid), false, `${pid} is alive`);
  }

  it('gives output and error output in order, in the working folder', async () => {
    assert.equal(await output('echo one; echo two >&2; echo three; pwd'), `one\ntwo\nthree\n${folder.path}`);
    assert.equal(await output('true'), '[No output.]');
    assert.equal((await run('true')).isError, false);
  });

  it('gives the exit code of what failed, and the signal that ended it', async () => {
    const failed = await run('echo x; exit 3');
    assert.equal(failed.isError, true);
    assert.match(textOf(failed.content), /^x\n\[Exit code 3\.\]$/);
    assert.match(await output('kill -SEGV $$'), /SIGSEGV/);
    assert.match(await output('no-such-command'), /127/);
  });

  it('runs Bash, with any quoting and several lines', async () => {
    assert.equal(await output(`x=(1 2); echo "\${x[1]} 'q' \\"d\\""\nprintf '%s\\n' 'ünï 😀' <<< x`), `2 'q' "d"\nünï 😀`);
  });

  it('has exactly the environment that it was given, and the mark of its processes', async () => {
    const own = /^(PWD|OLDPWD|SHLVL|_|SUBAGENT_PANEL_RUN)=/;
    assert.deepEqual((await output('env')).split('\n').filter((line) => !own.test(line)).sort(), ['GREETING=hi', `PATH=${PATH}`]);
  });

  it('has nothing to read from and no pipe of ours', async () => {
    assert.equal(await output('cat; ls /dev/fd/3 2>/dev/null; echo end'), 'end');
  });

  it('refuses a NUL and a missing working folder', async () => {
    await assert.rejects(run('echo a\0b'), (error) => isAppError(error, 'invalid_input'));
    await assert.rejects(run('true', {}, toolContext(join(folder.path, 'none'))), (error) => isAppError(error, 'unavailable'));
    await assert.rejects(run(`true ${'x'.repeat(3_000_000)}`), (error) => isAppError(error, 'unavailable'));
  });

  it('reports output while it runs', async () => {
    const context = toolContext(folder.path);
    const running = run('echo first; until [ -e go ]; do sleep 0.02; done; echo last', {}, context);
    await eventually(() => context.reported().includes('first'), 'the first output');
    assert.ok(!context.reported().includes('last'));
    await writeFile(join(folder.path, 'go'), '');
    await running;
    assert.equal(context.reported(), 'first\nlast\n');
  });

  it('spills long output and keeps its beginning and end', async () => {
    const text = await output('seq 1 100000');
    assert.ok(text.startsWith('1\n2\n') && text.endsWith('\n100000') && text.length < 31_000);
    const spilled = await readFile(/All of the output is in (.*?): Read/.exec(text)?.[1] ?? '', 'utf8');
    assert.equal(spilled.split('\n').length, 100_000);
  });

  it('survives far more output than it keeps', async () => {
    const context = toolContext(folder.path);
    const text = textOf((await run('head -c 60000000 /dev/zero | tr "\\0" x; echo; echo end', {}, context)).content);
    assert.ok(text.endsWith('end') && text.length < 31_000);
    assert.ok(context.reported().length < 10_000_000);
  });

  it('does not tear characters, and leaves out colours', async () => {
    assert.equal(await output(`printf '\\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80\\033[31mred\\033[0m'`), '😀red');
  });

  it('does not wait for processes left in the background, and ends them', async () => {
    for (const command of ['sleep 1000 & echo $! >> pids', 'sleep 1001 >/dev/null 2>&1 & echo $! >> pids', '(trap "" TERM; sleep 1002 & echo $! >> pids; wait) & until [ "$(wc -l < pids)" -ge 3 ]; do sleep 0.01; done']) {
      await run(command);
    }
    await assertGone(3);
  });

  it('ends the whole tree at the time limit, and gives what there was', async () => {
    const result = await run('echo begun; sleep 1000 & echo $! >> pids; bash -c "sleep 1001 & echo \\$! >> pids; wait" & echo $! >> pids; wait', { timeout_ms: 400 });
    assert.equal(result.isError, true);
    assert.match(textOf(result.content), /^begun\n\[Stopped after 0\.4 seconds/);
    await assertGone(3);
  });

  it('ends the whole tree on cancel, also what moved to a group of its own', async () => {
    const abort = new AbortController();
    const running = run('echo $$ >> pids; timeout 1000 bash -c "echo \\$\\$ >> pids; sleep 1001 & echo \\$! >> pids; wait"', {}, toolContext(folder.path, { signal: abort.signal }));
    await eventually(async () => (await pids()).length === 3, 'all processes');
    abort.abort();
    await assert.rejects(running, (error) => isAppError(error, 'aborted'));
    await assertGone(3);
  });

  it('ends on cancel also what moved to a session of its own', async function () {
    if (process.platform !== 'linux') return this.skip();
    const abort = new AbortController();
    const running = run('setsid bash -c "trap \'\' TERM; echo \\$\\$ >> pids; sleep 1001 & echo \\$! >> pids; wait" & wait', {}, toolContext(folder.path, { signal: abort.signal }));
    await eventually(async () => (await pids()).length === 2, 'both processes');
    abort.abort();
    await assert.rejects(running, (error) => isAppError(error, 'aborted'));
    await assertGone(2);
  });

  for (const [how, command] of [
    ['the command ends', '(setsid bash -c "echo \\$\\$ >> pids; sleep 1000" >/dev/null 2>&1 &); until [ -s pids ]; do sleep 0.01; done'],
    ['it ran into its time limit', '(setsid bash -c "echo \\$\\$ >> pids; trap \'\' TERM; sleep 1000" >/dev/null 2>&1 &); sleep 1001'],
  ] as const) {
    it(`ends also what left its session and lost its parent, when ${how}`, async function () {
      if (process.platform !== 'linux') return this.skip();
      await run(command, { timeout_ms: 1500 });
      await assertGone(1);
    });
  }

  it('leaves a process alone that another command started', async function () {
    if (process.platform !== 'linux') return this.skip();
    const abort = new AbortController();
    const other = run('echo $$ >> pids; sleep 1000', {}, toolContext(folder.path, { signal: abort.signal }));
    await eventually(async () => (await pids()).length === 1, 'the other');
    await run('true');
    assert.ok(await isAlive((await pids())[0] ?? 0));
    abort.abort();
    await assert.rejects(other);
  });

  it('kills what ignores the polite signal', async () => {
    const abort = new AbortController();
    const running = run('trap "" TERM INT HUP; echo $$ >> pids; sleep 1000 & echo $! >> pids; while :; do wait; done', {}, toolContext(folder.path, { signal: abort.signal }));
    await eventually(async () => (await pids()).length === 2, 'both processes');
    abort.abort();
    await assert.rejects(running, (error) => isAppError(error, 'aborted'));
    await assertGone(2);
  });

  it('lets a process that heeds the polite signal clean up', async () => {
    const abort = new AbortController();
    const running = run('trap "touch cleaned; exit" TERM; echo $$ >> pids; sleep 1000 & wait', {}, toolContext(folder.path, { signal: abort.signal }));
    await eventually(async () => (await pids()).length === 1, 'the process');
    abort.abort();
    await assert.rejects(running);
    await readFile(join(folder.path, 'cleaned'));
  });

  it('starts nothing once aborted', async () => {
    await assert.rejects(run('echo $$ >> pids', {}, toolContext(folder.path, { signal: AbortSignal.abort() })), (error) => isAppError(error, 'aborted'));
    await assertGone(0);
  });

  it('ends also when the command kills its own leader', async () => {
    const result = await run('echo $$ >> pids; sleep 1000 & echo $! >> pids; kill -KILL $PPID; sleep 1001');
    assert.equal(result.isError, true);
    await assertGone(2);
  });

  const stubborn = 'trap "" TERM; echo $$ >> pids; sleep 1000 & echo $! >> pids;';
  for (const [what, command] of [
    ['the host is killed', `${stubborn} timeout 1000 bash -c "echo \\$\\$ >> pids; sleep 1001"`],
    ['the host is killed, also in sessions of their own', `${stubborn} setsid bash -c "echo \\$\\$ >> pids; sleep 1001"; sleep 1002`],
    ['the host is killed, also what a process in a session of its own started there', 'setsid bash -c "echo \\$\\$ >> pids; trap \'\' TERM; setsid sleep 1000 & echo \\$! >> pids; sleep 1001" & echo $! >> pids; wait'],
  ] as const) {
    it(`leaves nothing running when ${what}`, async function () {
      if (command.includes('setsid') && process.platform !== 'linux') return this.skip();
      const module = pathToFileURL(join(import.meta.dirname, '../../../src/runtime/tools/shellProcess.ts')).href;
      const options = JSON.stringify({ command, cwd: folder.path, env: { PATH }, timeoutMs: 600_000 });
      const script = `
        import { runShell } from ${JSON.stringify(module)};
        await runShell({ ...${options}, signal: new AbortController().signal, onOutput() {} });`;
      const host = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
      await eventually(async () => (await pids()).length === 3, 'all processes');
      host.kill('SIGKILL');
      await once(host, 'exit');
      await eventually(async () => (await Promise.all((await pids()).map(isAlive))).every((alive) => !alive), 'the end of all processes');
    });
  }

  it('runs many at once without mixing them', async () => {
    const texts = await Promise.all(Array.from({ length: 20 }, (_, index) => output(`echo ${index}; sleep 0.05; echo ${index}`)));
    assert.deepEqual(texts, texts.map((_, index) => `${index}\n${index}`));
  });

  it('shows the command before it runs', async () => {
    assert.deepEqual(await previewOf(tool, { command: 'npm test' }, toolContext(folder.path)), { kind: 'command', command: 'npm test', cwd: folder.path });
    assert.equal(tool.describe({ command: 'npm\n test' } as never), 'Running npm test');
    assert.deepEqual(tool.targets({ command: 'npm test' } as never), [{ kind: 'command', command: 'npm test' }]);
  });
});
