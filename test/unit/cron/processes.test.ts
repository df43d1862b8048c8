import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROMPT_FILE, type StoredPrompt } from '../../../src/runtime/cron/storedPrompt.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');

describe('scheduled prompts of which several processes know', function () {
  this.timeout(60_000);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let log: string;
  const running: ChildProcess[] = [];

  beforeEach(async () => {
    folder = await temporaryFolder();
    log = join(folder.path, 'log');
    await writeFile(log, '');
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(end));
    await folder.remove();
  });

  /** Waits until so many lines of that kind are in the log. */
  async function logged(kind: string, count = 1): Promise<void> {
    while ((await lines(kind)).length < count) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  const dir = (): string => folder.path;
  const lines = async (kind: string): Promise<readonly string[]> => (await readFile(log, 'utf8')).split('\n').filter((line) => line.startsWith(kind));
  const stored = async (): Promise<readonly StoredPrompt[]> => {
    const file = PROMPT_FILE.parse(await readFile(join(dir(), 'scheduled.json'), 'utf8'));
    assert.equal(file.kind, 'read');
    return file.kind === 'read' ? file.items : [];
  };

  /** Prompts of a moment that is over, as they are found at a start. */
  async function overdue(names: readonly string[]): Promise<void> {
    const prompts = names.map((name): StoredPrompt => ({ id: `cron-${name}`, sessionId: 'a', schedule: '2026-01-01T00:00', once: true, prompt: name, createdAt: Date.UTC(2025, 11), countedFrom: Date.UTC(2025, 11) }));
    await writeFile(join(dir(), 'scheduled.json'), PROMPT_FILE.format(prompts));
  }

  function start(name: string, kill = ''): ChildProcess {
    const child = spawn(process.execPath, [WORKER, dir(), log, name, kill], { stdio: ['pipe', 'ignore', 'inherit'] });
    running.push(child);
    return child;
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.end();
    await once(child, 'close');
  }

  it('are sent by exactly one of them each', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    await overdue(names);
    const processes = ['one', 'two', 'three'].map((name) => start(name));
    await logged('sent', names.length);
    await Promise.all(processes.map(end));
    assert.deepEqual((await lines('sent')).map((line) => line.split(' ')[1]).sort(), names.sort());
    assert.deepEqual([await lines('problem'), await stored(), (await readdir(dir())).sort()], [[], [], ['log', 'scheduled.json']]);
  });

  it('are all sent where one is killed in the midst of many, but for what it was just sending', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    await overdue(names);
    await once(start('first', 'sent'), 'close');
    const second = start('second');
    await logged('sent', names.length);
    await end(second);
    assert.deepEqual((await lines('sent')).map((line) => line.split(' ')[1]).sort(), names.sort());
    assert.deepEqual([(await lines('problem')).length, await stored()], [1, []]);
  });

  it('are sent by the next one where the first is killed before it has stored its claim', async () => {
    await overdue(['x']);
    await once(start('first', 'locked'), 'close');
    const second = start('second');
    await logged('sent');
    await end(second);
    assert.deepEqual([await lines('sent'), await lines('problem'), await stored()], [['sent x second'], [], []]);
  });

  for (const [kill, sent] of [['claimed', []], ['sent', ['sent x first']]] as const) {
    it(`are never sent twice: one that is killed when they are ${kill} leaves that to be told by the next`, async () => {
      await overdue(['x']);
      await once(start('first', kill), 'close');
      assert.equal((await stored())[0]?.sending?.by.pid, running[0]?.pid, 'claimed on disk');
      const second = start('second');
      await logged('problem');
      await end(second);
      const third = start('third');
      await end(third);
      assert.deepEqual(await lines('sent'), sent);
      assert.match((await lines('problem')).join('\n'), /^problem The scheduled prompt “x” may not have been sent[^\n]*$/);
      assert.deepEqual(await stored(), []);
    });
  }
});
