import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FolderWatcher } from '../../src/host/folderWatcher.ts';
import { COMMANDS } from '../../src/ids.ts';
import { until } from '../support/hostEvents.ts';

describe('the watcher of folders', () => {
  const changes = new vscode.EventEmitter<void>();
  let base: string;
  let told: number;
  let watcher: FolderWatcher;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'watched-')));
    told = 0;
    watcher = new FolderWatcher(() => {
      told++;
      changes.fire();
    });
  });

  afterEach(async () => {
    watcher.dispose();
    await rm(base, { recursive: true, force: true });
  });

  /** Does something again and again, as the watching starts late, until it is told of. */
  async function isTold(what: string, act: (attempt: number) => Promise<void>): Promise<void> {
    const before = told;
    for (let attempt = 1; told === before; attempt++) {
      await act(attempt);
      await until(what, changes.event, () => told > before, attempt < 10 ? 2_000 : 10_000).catch((error: unknown) => {
        if (attempt === 10) throw error;
      });
    }
  }

  it('tells of files outside the workspace that come, change and go', async () => {
    const folder = join(base, 'agents');
    await mkdir(folder);
    watcher.watch([{ path: `${folder}/`, isNested: false }]);
    await isTold('a new file', (attempt) => writeFile(join(folder, `a${attempt}.md`), 'one'));
    await isTold('a changed file', (attempt) => writeFile(join(folder, 'a1.md'), `two ${attempt}`));
    await isTold('a file that went', (attempt) => rm(join(folder, `a${attempt}.md`), { force: true }));
  });

  it('tells of subfolders where those count, also when one goes as a whole', async () => {
    const folder = join(base, 'agents');
    await mkdir(folder);
    watcher.watch([{ path: folder, isNested: true }]);
    await isTold('a file in a subfolder', async (attempt) => {
      await mkdir(join(folder, 'a', 'b'), { recursive: true });
      await writeFile(join(folder, 'a', 'b', `c${attempt}.md`), 'one');
    });
    await isTold('a change there', (attempt) => writeFile(join(folder, 'a', 'b', 'c1.md'), `two ${attempt}`));
    await isTold('a subfolder that is moved away, or back', (attempt) => (attempt % 2 === 1 ? rename(join(folder, 'a'), join(base, 'a')) : rename(join(base, 'a'), join(folder, 'a'))));
  });

  for (const isNested of [false, true]) it(`tells of a folder ${isNested ? 'with subfolders ' : ''}that is made later, and of its removal`, async () => {
    const folder = join(base, '.product', 'agents');
    watcher.watch([{ path: folder, isNested }]);
    await isTold('a folder made later', async () => {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'a.md'), 'one');
    });
    await isTold('a change in it', (attempt) => writeFile(join(folder, 'a.md'), `two ${attempt}`));
    const before = told;
    await rm(join(base, '.product'), { recursive: true });
    await until('its removal', changes.event, () => told > before);
  }).timeout(60_000);

  it('follows the folders it was last given, and none after disposal', async () => {
    const folder = join(base, 'one');
    const other = join(base, 'two');
    await Promise.all([mkdir(folder), mkdir(other)]);
    watcher.watch([{ path: folder, isNested: false }]);
    watcher.watch([{ path: other, isNested: false }]);
    await isTold('a file of the second folder', (attempt) => writeFile(join(other, `a${attempt}.md`), 'one'));
    watcher.dispose();
    const control = new FolderWatcher(() => changes.fire());
    const before = told;
    control.watch([{ path: other, isNested: false }]);
    let heard = false;
    const listening = changes.event(() => (heard = true));
    for (let attempt = 1; !heard && attempt <= 10; attempt++) {
      await writeFile(join(other, `b${attempt}.md`), 'two');
      await until('the control', changes.event, () => heard, 2_000).catch(() => undefined);
    }
    listening.dispose();
    control.dispose();
    assert.deepEqual([heard, told], [true, before]);
  }).timeout(60_000);
});

describe('definitions of the workspace', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folder = join(root, '.lite-agent');
  const file = join(folder, 'agents', 'broken.md');
  // That a project's definition waits for approval is no problem of the file.
  const problems = (): number => vscode.languages.getDiagnostics(vscode.Uri.file(file)).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length;

  /** Writes the file again and again, as the watching starts late, until the problems are as they should be. */
  async function writeUntil(what: string, text: string, holds: () => boolean): Promise<void> {
    for (let attempt = 1; !holds(); attempt++) {
      await writeFile(file, `${text}${' '.repeat(attempt)}`);
      await until(what, vscode.languages.onDidChangeDiagnostics, holds, 3_000).catch((error: unknown) => {
        if (attempt === 10) throw error;
      });
    }
  }

  after(() => Promise.all([folder, `${folder}-off`].map((path) => rm(path, { recursive: true, force: true }))));

  it('show their problems as soon as they are there, in a folder that wasn’t, and no longer than that', async () => {
    await vscode.commands.executeCommand(COMMANDS.reloadDefinitions);
    assert.equal(problems(), 0);
    await mkdir(join(folder, 'agents'), { recursive: true });
    await writeUntil('the problem', '---\nname: [broken\n---\nText.\n', () => problems() > 0);
    await writeFile(file, '---\nname: mended\ndescription: Works.\n---\nText.\n');
    await until('the end of the problem', vscode.languages.onDidChangeDiagnostics, () => problems() === 0);
    await writeFile(file, '---\nname: [broken\n---\nText.\n');
    await until('the problem again', vscode.languages.onDidChangeDiagnostics, () => problems() > 0);
    await rename(folder, `${folder}-off`);
    await until('the end of the problem with its folder', vscode.languages.onDidChangeDiagnostics, () => problems() === 0);
    await rename(`${folder}-off`, folder);
    await until('the problem of a folder put back', vscode.languages.onDidChangeDiagnostics, () => problems() > 0);
    await rm(folder, { recursive: true });
    await until('the end of the problem for good', vscode.languages.onDidChangeDiagnostics, () => problems() === 0);
  }).timeout(60_000);
});

describe('skills of the workspace', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folder = join(root, '.lite-agent');
  const file = join(folder, 'skills', 'broken', 'SKILL.md');
  const problems = (): number => vscode.languages.getDiagnostics(vscode.Uri.file(file)).length;

  after(() => rm(folder, { recursive: true, force: true }));

  it('show their problems as soon as they are there, and no longer than that', async () => {
    await vscode.commands.executeCommand(COMMANDS.reloadDefinitions);
    await mkdir(join(folder, 'skills', 'broken'), { recursive: true });
    await writeFile(file, '---\nname: [broken\n---\nText.\n');
    await until('the problem', vscode.languages.onDidChangeDiagnostics, () => problems() > 0);
    await writeFile(file, '---\nname: broken\ndescription: Works.\n---\nText.\n');
    await until('the end of the problem', vscode.languages.onDidChangeDiagnostics, () => problems() === 0);
  }).timeout(60_000);
});

describe('MCP servers of the workspace', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folder = join(root, '.vscode');
  const isMade = existsSync(folder);
  const file = join(folder, 'mcp.json');
  const problems = (): readonly unknown[] => vscode.languages.getDiagnostics(vscode.Uri.file(file)).filter(({ source }) => source === 'Subagent Panel').map(({ code, range }) => [code, range.start.line]);

  after(() => rm(isMade ? file : folder, { recursive: true, force: true }));

  it('show the problems of their file where they are', async () => {
    await vscode.commands.executeCommand(COMMANDS.reloadDefinitions);
    await mkdir(folder, { recursive: true });
    await writeFile(file, '{\n  "servers": {\n    "a": { "command": "${file}" },\n  }\n}\n');
    await until('the problem', vscode.languages.onDidChangeDiagnostics, () => problems().length > 0);
    assert.deepEqual(problems(), [['unknown_variable', 2]]);
    await rm(file);
    await until('the end of the problem', vscode.languages.onDidChangeDiagnostics, () => problems().length === 0);
  }).timeout(60_000);
});
