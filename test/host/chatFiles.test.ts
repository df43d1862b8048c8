import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createVsCodeFiles } from '../../src/host/files.ts';
import type { FilePort } from '../../src/runtime/domain/ports.ts';

/** The disk, counting writes. */
function diskPort(): FilePort & { writes: number } {
  const port = {
    writes: 0,
    stat: async (path: string) => stat(path).then((found) => ({ kind: 'file' as const, size: found.size }), () => undefined),
    read: async (path: string) => ({ bytes: await readFile(path), unsaved: false }),
    write: async (path: string, bytes: Uint8Array) => {
      port.writes++;
      await writeFile(path, bytes);
      return { bytes };
    },
    remove: async (path: string) => rm(path),
  };
  return port;
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const textOf = (content: Uint8Array): string => Buffer.from(content).toString('utf8');

async function type(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

describe('files as the editor has them', () => {
  let folder: string;
  let disk: ReturnType<typeof diskPort>;
  let files: FilePort & vscode.Disposable;

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
});
