import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { toDisposable, type Disposable } from '../../../src/runtime/base/lifecycle.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import type { BackgroundCommand, ToolResult } from '../../../src/runtime/domain/tools.ts';
import { ShellCommands } from '../../../src/runtime/tools/backgroundCommands.ts';
import { BACKGROUND_TOOLS } from '../../../src/runtime/tools/backgroundTools.ts';
import { createBashTool } from '../../../src/runtime/tools/bash.ts';
import { isAlive } from '../../support/processes.ts';
import { eventually, execute, executeText, temporaryFolder, toolContext } from '../../support/toolContext.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const LIMITS = { unread: 200_000, file: 1_000_000, total: 5_000_000 };

describe('commands in the background', function () {
  if (process.platform === 'win32') return;
  this.timeout(20_000);
  const bash = createBashTool({ env: { PATH, GREETING: 'hi' } });
  const [bashOutput, killBackground] = BACKGROUND_TOOLS as [typeof bash, typeof bash];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let commands: ShellCommands;
  let noted: number[];
  let activated: string[];
  beforeEach(async () => {
    folder = await temporaryFolder();
    noted = [];
    activated = [];
    const noteProcess = (pid: number): Disposable => {
      noted.push(pid);
      return toDisposable(() => void noted.splice(noted.indexOf(pid), 1));
    };
    commands = new ShellCommands({ folder: join(folder.path, '.output'), limits: LIMITS, noteProcess });
  });
  afterEach(async () => {
    await commands.close();
    assert.deepEqual(noted, []);
    await folder.remove();
  });

  const context = () => toolContext(folder.path, { background: commands, deferred: { list: () => [], activate: (names: readonly string[]) => void activated.push(...names) } });
  const run = (command: string, more: object = {}): Promise<ToolResult> => execute(bash, { command, run_in_background: true, ...more }, context());
  const start = (command: string): Promise<BackgroundCommand> => commands.start({ command, cwd: folder.path, env: { PATH, GREETING: 'hi' } });
  const output = (id: string, more: object = {}): Promise<string> => executeText(bashOutput, { id, ...more }, context());
  const status = (id: string): string | undefined => commands.list().find((command) => command.id === id)?.status;
  const ended = (id: string): Promise<void> => eventually(() => status(id) !== 'running', `the end of ${id}`);
  const make = (name: string): Promise<void> => writeFile(join(folder.path, name), '');
  /** The pids that a command wrote, one a line. */
  const pids = async (): Promise<number[]> => (await readFile(join(folder.path, 'pids'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean).map(Number);
  const written = (count: number): Promise<void> => eventually(async () => (await pids()).length === count, `${count} processes`);
  async function assertGone(count: number): Promise<void> {
    const all = await pids();
    assert.equal(all.length, count);
    for (const pid of all) assert.equal(await isAlive(pid), false, `${pid} is alive`);
  }

  it('run on after the call, which says how to go on with them and takes the tools for that into use', async () => {
    const result = await run('echo $GREETING; pwd; until [ -e go ]; do sleep 0.02; done; echo bye; exit 3');
    const text = textOf(result.content);
    const id = /as (shell-\w+)\./.exec(text)?.[1] ?? assert.fail(text);
    assert.equal(result.isError ?? false, false);
    assert.deepEqual(activated, ['BashOutput', 'KillBackground']);
    await eventually(async () => (await readFile(/output is in (.*)\.$/.exec(text)?.[1] ?? '', 'utf8')) === `hi\n${folder.path}\n`, 'the first output');
    assert.equal(await output(id), `hi\n${folder.path}\n[${id} still runs.]`);
    assert.equal(await output(id), `[No new output.]\n[${id} still runs.]`);
    await make('go');
    await ended(id);
    assert.equal(await output(id), `bye\n[${id} has ended with exit code 3.]`);
    assert.equal(await output(id), `[No new output.]\n[${id} has ended with exit code 3.]`);
  });

  it('have no time limit, whatever the call says', async () => {
    const text = textOf((await run('until [ -e go ]; do sleep 0.02; done; echo bye', { timeout_ms: 1 })).content);
    assert.match(text, /timeout_ms does not count/);
    const [{ id } = assert.fail()] = commands.list();
    await make('go');
    await ended(id);
    assert.equal(await output(id), `bye\n[${id} has ended with exit code 0.]`);
  });

  it('that can not be started are told like any other', async () => {
    await assert.rejects(run('echo a\0b'), (error) => isAppError(error, 'invalid_input'));
    await assert.rejects(commands.start({ command: 'true', cwd: join(folder.path, 'none'), env: { PATH } }), (error) => isAppError(error, 'unavailable'));
    assert.deepEqual(commands.list(), []);
    assert.deepEqual(activated, []);
  });

  it('are at most ten at once', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => start('sleep 1000')));
    await assert.rejects(start('sleep 1000'), (error) => isAppError(error, 'conflict') && error.message.includes('KillBackground'));
    await commands.kill(all[3]?.id ?? '');
    await start('sleep 1000');
    assert.equal(commands.list().filter(({ status: now }) => now === 'running').length, 10);
  });

  it('that start at the same moment are at most ten, too', async () => {
    const all = await Promise.allSettled(Array.from({ length: 15 }, () => start('sleep 1000')));
    assert.equal(all.filter((each) => each.status === 'fulfilled').length, 10);
  });

  it('are listed until somebody has heard of their end', async () => {
    const one = await start('exit 2');
    const other = await start('sleep 1000');
    await ended(one.id);
    assert.deepEqual(commands.list().map(({ id, status: now, exitCode }) => [id, now, exitCode]), [[one.id, 'exited', 2], [other.id, 'running', undefined]]);
    await output(one.id);
    assert.deepEqual(commands.list().map(({ id }) => id), [other.id]);
    await commands.kill(other.id);
    assert.deepEqual(commands.list(), []);
  });

  it('that are unknown are told so, with those that there are', async () => {
    const { id } = await start('sleep 1000');
    for (const tool of [bashOutput, killBackground]) {
      await assert.rejects(execute(tool, { id: 'shell-none' }, context()), (error) => isAppError(error, 'not_found') && error.message.includes(id));
    }
  });

  describe('whose output is filtered', () => {
    it('give the lines that match, and none twice', async () => {
      const { id } = await start('printf "one\\nError: two\\nthree\\n"; until [ -e go ]; do sleep 0.02; done; printf "Error: four\\nError: five"');
      await eventually(async () => (await readFile(commands.list()[0]?.outputPath ?? '', 'utf8')).includes('three'), 'the first output');
      assert.equal(await output(id, { filter: '^Error' }), `Error: two\n[1 of 3 new lines match the filter.]\n[${id} still runs.]`);
      await make('go');
      await ended(id);
      assert.equal(await output(id, { filter: 'five|^one' }), `Error: five\n[1 of 2 new lines match the filter.]\n[${id} has ended with exit code 0.]`);
      assert.equal(await output(id, { filter: '.' }), `[No new output.]\n[0 of 0 new lines match the filter.]\n[${id} has ended with exit code 0.]`);
    });

    it('keep a line that is not whole for the next time', async () => {
      const { id } = await start('printf "ab"; until [ -e go ]; do sleep 0.02; done; echo "cd"');
      await eventually(async () => (await readFile(commands.list()[0]?.outputPath ?? '', 'utf8')) === 'ab', 'half a line');
      assert.match(await output(id, { filter: 'abcd' }), /^\[No new output\.\]\n\[0 of 0 /);
      await make('go');
      await ended(id);
      assert.match(await output(id, { filter: 'abcd' }), /^abcd\n\[1 of 1 new line /);
    });

    it('lose nothing to a filter that can not be used', async () => {
      const { id } = await start(`printf '${'a'.repeat(40)}!\\n'`);
      await ended(id);
      await assert.rejects(output(id, { filter: '(' }), (error) => isAppError(error, 'invalid_input'));
      assert.match(await output(id, { filter: '^(a+)+$' }), /^a{40}!\n\[The filter was not used: it takes longer/);
    });
  });

  it('give of much output its beginning and end, and name the file with all of it', async () => {
    const { id, outputPath = '' } = await start('seq 1 100000');
    await ended(id);
    const text = await output(id);
    assert.ok(text.startsWith('1\n2\n') && text.endsWith(`\n100000\n[${id} has ended with exit code 0.]`) && text.length < 31_000);
    assert.ok(text.includes(outputPath));
    assert.equal((await readFile(outputPath, 'utf8')).split('\n').length, 100_001);
    assert.equal((await stat(outputPath)).mode & 0o777, 0o600);
  });

  it('that write without end are ended, and what is kept of them has a bound', async () => {
    const { id, outputPath = '' } = await start('echo $$ >> pids; yes');
    await ended(id);
    const text = await output(id);
    assert.match(text, new RegExp(`\\n\\[Ended here: it had written more than 5000000 characters\\.\\]\n\\[${id} was ended\\.\\]$`));
    assert.match(await readFile(outputPath, 'utf8'), /^[y\n]{1000000}\n\[… What came after this was not kept …\]\n$/);
    await assertGone(1);
  });

  it('run also where their output can not be kept in a file', async () => {
    await writeFile(join(folder.path, '.output'), 'in the way');
    const { id, outputPath } = await start('seq 1 100000');
    await ended(id);
    assert.equal(outputPath, undefined);
    assert.match(await output(id), /^1\n2\n[^]*The rest could not be kept[^]*100000\n/);
  });

  it('say so where the disk takes only a part of their output', async () => {
    const { id } = await start('until [ -e go ]; do sleep 0.02; done; seq 1 100000');
    await rm(join(folder.path, '.output'), { recursive: true });
    await make('go');
    await ended(id);
    assert.match(await output(id), /The rest could not be kept/);
  });

  it('have no torn characters and no colours', async () => {
    const { id } = await start(`printf '\\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80\\033[31mred\\033[0m'`);
    await ended(id);
    assert.match(await output(id), /^😀red\n/);
  });

  const TREES: Readonly<Record<string, readonly [command: string, processes: number]>> = {
    'a tree': ['echo $$ >> pids; sleep 1000 & echo $! >> pids; bash -c "sleep 1001 & echo \\$! >> pids; wait" & echo $! >> pids; wait', 4],
    'what ignores the polite signal': ['trap "" TERM INT HUP; echo $$ >> pids; sleep 1000 & echo $! >> pids; while :; do wait; done', 2],
    'a daemon by nohup': ['echo $$ >> pids; (nohup bash -c "echo \\$\\$ >> pids; sleep 1000" >/dev/null 2>&1 &); sleep 1001', 2],
    'a process group of its own': ['echo $$ >> pids; timeout 1000 bash -c "echo \\$\\$ >> pids; sleep 1001 & echo \\$! >> pids; wait"', 3],
    ...(process.platform === 'linux' && { 'a session of its own': ['echo $$ >> pids; setsid bash -c "trap \'\' TERM; echo \\$\\$ >> pids; sleep 1001 & echo \\$! >> pids; wait" & wait', 3] }),
  };
  for (const [what, [command, count]] of Object.entries(TREES)) {
    it(`are ended with all that they started: ${what}`, async () => {
      const { id } = await start(command);
      await written(count);
      assert.equal(await executeText(killBackground, { id }, context()), `${id} was ended.`);
      await assertGone(count);
      assert.equal(await executeText(killBackground, { id }, context()), `${id} was ended.`);
    });

    it(`leave nothing running when the host is killed: ${what}`, async () => {
      const module = pathToFileURL(join(import.meta.dirname, '../../../src/runtime/tools/backgroundCommands.ts')).href;
      const script = `
        import { ShellCommands } from ${JSON.stringify(module)};
        const commands = new ShellCommands({ folder: ${JSON.stringify(folder.path)}, noteProcess: () => ({ dispose() {} }) });
        await commands.start(${JSON.stringify({ command, cwd: folder.path, env: { PATH } })});`;
      const host = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
      await written(count);
      host.kill('SIGKILL');
      await once(host, 'exit');
      await eventually(async () => (await Promise.all((await pids()).map(isAlive))).every((alive) => !alive), 'the end of all processes');
    });
  }

  it('that end by themselves leave nothing behind', async () => {
    const { id } = await start('sleep 1000 & echo $! >> pids; nohup sleep 1001 >/dev/null 2>&1 & echo $! >> pids');
    await ended(id);
    await assertGone(2);
  });

  it('that have ended already stay as they ended', async () => {
    const { id } = await start('exit 7');
    await ended(id);
    assert.equal(await executeText(killBackground, { id }, context()), `${id} has ended with exit code 7.`);
  });

  it('are all ended by their owner, who hears which ran', async () => {
    const gone = await start('true');
    await ended(gone.id);
    const [one, other] = await Promise.all(['echo $$ >> pids; sleep 1000', 'echo $$ >> pids; sleep 1001'].map(start));
    await written(2);
    assert.deepEqual((await commands.endAll()).map(({ id, status: now }) => [id, now]), [[one?.id, 'killed'], [other?.id, 'killed']]);
    await assertGone(2);
    await start('true');
  });

  it('that are being started as their owner ends do not run, and none is started after that', async () => {
    const starting = Array.from({ length: 10 }, () => start('echo $$ >> pids; sleep 1000').catch((error: unknown) => error));
    const closing = commands.close();
    await assert.rejects(start('true'), (error) => isAppError(error, 'closed'));
    await closing;
    await Promise.all(starting);
    for (const pid of await pids()) assert.equal(await isAlive(pid), false);
    assert.deepEqual(await commands.close(), await closing);
  });

  it('are ended at any moment of their start', async () => {
    for (let ticks = 0; ticks < 60; ticks += 3) {
      const own = new ShellCommands({ folder: join(folder.path, '.more'), noteProcess: () => ({ dispose() {} }) });
      const starting = own.start({ command: 'echo $$ >> pids; sleep 1000', cwd: folder.path, env: { PATH } }).catch((error: unknown) => assert.ok(isAppError(error, 'aborted')));
      for (let tick = 0; tick < ticks; tick += 1) await new Promise((next) => setImmediate(next));
      await own.close();
      await starting;
      for (const pid of await pids()) assert.equal(await isAlive(pid), false, `${pid} is alive after ${ticks} ticks`);
    }
  });

  it('are noted while they run', async () => {
    const { id } = await start('sleep 1000');
    assert.equal(noted.length, 1);
    await commands.kill(id);
    assert.deepEqual(noted, []);
  });

  it('forget the output of the oldest of many that have ended', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 23; count += 1) {
      const { id } = await start(`echo ${count}`);
      await ended(id);
      ids.push(id);
    }
    await start('true');
    await assert.rejects(commands.output(ids[0] ?? ''), (error) => isAppError(error, 'not_found'));
    assert.equal((await commands.output(ids[22] ?? '')).text, '22\n');
  });
});
