import assert from 'node:assert/strict';
import { mkdtemp, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createVsCodeFiles } from '../../src/host/files.ts';
import { isAppError } from '../../src/runtime/base/errors.ts';
import type { FilePort, WriteOptions } from '../../src/runtime/domain/ports.ts';
import { createNodeFiles } from '../../src/runtime/store/nodeFiles.ts';

/** The disk, counting writes. */
function diskPort(): FilePort & { writes: number } {
  const disk = createNodeFiles();
  const port = {
    ...disk,
    writes: 0,
    write: async (...args: Parameters<FilePort['write']>) => {
      port.writes++;
      return disk.write(...args);
    },
  };
  return port;
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const expecting = (text: string | undefined): WriteOptions => ({ expected: { bytes: text === undefined ? undefined : bytes(text) } });
const refused = (work: Promise<unknown>): Promise<void> => assert.rejects(work, (error) => isAppError(error, 'conflict'));
const textOf = (content: Uint8Array): string => Buffer.from(content).toString('utf8');

async function type(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** As the user does it, in the editor that is shown. Not awaited, the editor has it before all that is asked of it next, and this side doesn't know yet. */
function pressKeys(text: string): Thenable<unknown> {
  return vscode.commands.executeCommand('type', { text });
}

describe('files as the editor has them', () => {
  let folder: string;
  let disk: ReturnType<typeof diskPort>;
  let files: ReturnType<typeof createVsCodeFiles>;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'files-')));
    disk = diskPort();
    files = createVsCodeFiles(disk);
  });

  afterEach(async () => {
    files.dispose();
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  async function open(name: string, content: string | Uint8Array): Promise<{ readonly path: string; readonly document: vscode.TextDocument }> {
    const path = join(folder, name);
    await writeFile(path, content);
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document);
    return { path, document };
  }

  it('leave a file that is not open to the disk', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'one');
    assert.deepEqual(await files.read(path), { bytes: await readFile(path), unsaved: false });
    await files.write(path, bytes('two'));
    assert.equal(disk.writes, 1);
    assert.equal(await readFile(path, 'utf8'), 'two');
  });

  it('read what the user has not saved', async () => {
    const { path, document } = await open('a.txt', 'one\n');
    await type(document, 'zero\n');
    const read = await files.read(path);
    assert.equal(read.unsaved, true);
    assert.equal(textOf(read.bytes), 'zero\none\n');
  });

  it('change and save a clean document, in one step to undo', async () => {
    const { path, document } = await open('a.txt', 'one\ntwo\n');
    const written = await files.write(path, bytes('one\n2\nthree\n'));
    assert.equal(written.note, undefined);
    assert.equal(textOf(written.bytes), 'one\n2\nthree\n');
    assert.equal(await readFile(path, 'utf8'), 'one\n2\nthree\n');
    assert.deepEqual([disk.writes, document.isDirty], [0, false]);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\n');
  });

  it('change but never save a document with changes of the user', async () => {
    const { path, document } = await open('a.txt', 'one\n');
    await type(document, 'mine\n');
    const written = await files.write(path, bytes('mine\none\nyours\n'));
    assert.match(written.note ?? '', /not saved/);
    assert.equal(document.getText(), 'mine\none\nyours\n');
    assert.equal(document.isDirty, true);
    assert.equal(await readFile(path, 'utf8'), 'one\n');
  });

  it('find a document that was opened through a link', async () => {
    const { path: target } = { path: join(folder, 'real.txt') };
    await writeFile(target, 'one\n');
    await symlink(target, join(folder, 'link.txt'));
    const document = await vscode.workspace.openTextDocument(join(folder, 'link.txt'));
    await vscode.window.showTextDocument(document);
    await type(document, 'zero\n');
    assert.equal(textOf((await files.read(target)).bytes), 'zero\none\n');
  });

  it('keep a BOM and CRLF line ends', async () => {
    const { path, document } = await open('a.txt', '\uFEFFone\r\ntwo\r\n');
    assert.equal(document.encoding, 'utf8bom');
    await files.write(path, bytes('\uFEFFone\r\n2\r\n'));
    assert.equal(disk.writes, 0);
    assert.equal(await readFile(path, 'utf8'), '\uFEFFone\r\n2\r\n');
  });

  it('change the line ends where that was wanted', async () => {
    const { path } = await open('a.txt', 'one\r\ntwo\r\n');
    await files.write(path, bytes('one\ntwo\n3\n'));
    assert.equal(await readFile(path, 'utf8'), 'one\ntwo\n3\n');
  });

  it('leave to the disk what an editor could not hold', async () => {
    const { path } = await open('a.txt', 'one\ntwo\n');
    await files.write(path, bytes('one\r\ntwo\n'));
    assert.equal(disk.writes, 1);
    assert.equal(await readFile(path, 'utf8'), 'one\r\ntwo\n');
  });

  it('leave a file to the disk whose document is out of date', async () => {
    const { path } = await open('a.txt', 'one\n');
    await writeFile(path, 'changed outside\n');
    await files.write(path, bytes('changed outside\nand here\n'));
    assert.equal(await readFile(path, 'utf8'), 'changed outside\nand here\n');
  });

  const isOpen = (path: string): boolean => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.fsPath === path));
  const onDisk = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

  /** The editor closes after it has deleted the file. */
  async function closed(path: string): Promise<void> {
    while (isOpen(path)) await new Promise<void>((resolve) => {
      const listening = vscode.window.tabGroups.onDidChangeTabs(() => {
        listening.dispose();
        resolve();
      });
    });
  }

  it('change what is as expected, saved or not, open or not', async () => {
    const path = join(folder, 'closed.txt');
    await files.write(path, bytes('one'), expecting(undefined));
    await files.write(path, bytes('two'), expecting('one'));
    assert.equal(await onDisk(path), 'two');
    const open1 = await open('clean.txt', 'one\n');
    await files.write(open1.path, bytes('two\n'), expecting('one\n'));
    assert.equal(await onDisk(open1.path), 'two\n');
    await type(open1.document, 'zero\n');
    await files.write(open1.path, bytes('zero\n2\n'), expecting('zero\ntwo\n'));
    assert.equal(open1.document.getText(), 'zero\n2\n');
  });

  it('change nothing that the user has typed or saved meanwhile', async () => {
    const { path, document } = await open('a.txt', 'one\n');
    await type(document, 'typed\n');
    await refused(files.write(path, bytes('child\n'), expecting('one\n')));
    assert.equal(document.getText(), 'typed\none\n');
    await document.save();
    await refused(files.write(path, bytes('child\n'), expecting('one\n')));
    await refused(files.write(path, bytes('child\n'), expecting(undefined)));
    assert.deepEqual([document.getText(), await onDisk(path)], ['typed\none\n', 'typed\none\n']);
  });

  it('change nothing that is typed in the moment in which it would be changed', async () => {
    for (const isClean of [true, false]) {
      const { path, document } = await open(`${isClean}.txt`, 'one\n');
      if (!isClean) await type(document, 'zero\n');
      const before = document.getText();
      const [typed, written] = await Promise.allSettled([pressKeys('typed '), files.write(path, bytes('child\n'), expecting(before))]);
      assert.deepEqual([typed.status, written.status], ['fulfilled', 'rejected']);
      assert.equal(document.getText().replace('typed ', ''), before);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
  });

  it('change nothing on the disk that has changed there meanwhile, in a document that is out of date', async () => {
    const { path } = await open('a.txt', 'one\n');
    await writeFile(path, 'outside\n');
    await refused(files.write(path, bytes('child\n'), expecting('one\n')));
    assert.equal(await onDisk(path), 'outside\n');
  });

  it('tell what the user saves, and not what is written through them', async () => {
    const saved: (readonly [path: string, text: string | undefined])[] = [];
    const listening = files.onDidSave(({ path, bytes: content }) => saved.push([path, content && textOf(content)]));
    const { path, document } = await open('a.txt', 'one\n');
    await files.write(path, bytes('two\n'));
    await type(document, 'typed\n');
    await document.save();
    listening.dispose();
    await type(document, 'more\n');
    await document.save();
    assert.deepEqual(saved, [[path, 'typed\ntwo\n']]);
  });

  it('remove a file that is not open', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'one');
    await refused(files.remove(path, expecting('two')));
    await files.remove(path, expecting('one'));
    assert.equal(await onDisk(path), undefined);
    await files.remove(path);
  });

  it('remove a file with its editor', async () => {
    const { path } = await open('a.txt', 'one\n');
    await refused(files.remove(path, expecting('two\n')));
    assert.equal(isOpen(path), true);
    await files.remove(path, expecting('one\n'));
    assert.deepEqual([await onDisk(path), isOpen(path)], [undefined, false]);
  });

  it('remove unsaved text only where exactly that is expected', async () => {
    const { path, document } = await open('a.txt', 'one\n');
    await type(document, 'typed\n');
    await refused(files.remove(path, expecting('one\n')));
    await refused(files.remove(path));
    assert.deepEqual([await onDisk(path), document.getText()], ['one\n', 'typed\none\n']);
    await files.remove(path, expecting('typed\none\n'));
    assert.equal(await onDisk(path), undefined);
    await closed(path);
  });

  it('remove nothing in which is typed at that moment', async () => {
    const { path, document } = await open('a.txt', 'one\n');
    await type(document, 'zero\n');
    const [typed, removed] = await Promise.allSettled([pressKeys('typed '), files.remove(path, expecting('zero\none\n'))]);
    assert.deepEqual([typed.status, removed.status], ['fulfilled', 'rejected']);
    assert.deepEqual([await onDisk(path), document.getText().replace('typed ', ''), document.isDirty], ['one\n', 'zero\none\n', true]);
  });

  it('leave what is typed while the file is removed', async () => {
    const { path, document } = await open('a.txt', 'one\n');
    disk.remove = async (...args) => {
      await createNodeFiles().remove(...args);
      await pressKeys('typed ');
    };
    await files.remove(path, expecting('one\n'));
    assert.deepEqual([await onDisk(path), document.getText(), isOpen(path)], [undefined, 'typed one\n', true]);
  });

  it('remove the file and not the link through which it is open', async () => {
    const [target, link] = [join(folder, 'real.txt'), join(folder, 'link.txt')];
    await writeFile(target, 'one\n');
    await symlink(target, link);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(link));
    await files.remove(target, expecting('one\n'));
    assert.equal(await onDisk(target), undefined);
    assert.equal(await readlink(link), target);
  });
});
