import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { AppError } from '../runtime/base/errors.ts';
import type { FilePort, WriteOptions } from '../runtime/domain/ports.ts';
import { changeBetween, decodeText, encodeText, hasBom, lineEndOf } from './fileText.ts';

/** Longest wait for a save with its formatters, in milliseconds: one that asks the user something may never end. */
const SAVE_LIMIT = 30_000;

type Written = Awaited<ReturnType<FilePort['write']>>;
type Expected = WriteOptions['expected'];

/**
 * Files as the editor has them: unsaved content is read from and written to the editor, a clean document is changed
 * there and saved, and all else goes to `fallback`. Dispose to stop listening.
 */
export function createVsCodeFiles(fallback: FilePort): Required<FilePort> & vscode.Disposable {
  const documents = new OpenDocuments();
  const saving = new Set<vscode.TextDocument>();
  return {
    stat: (path) => fallback.stat(path),
    async read(path) {
      const document = await documents.find(path);
      if (!document?.isDirty || !isUtf8(document)) return fallback.read(path);
      return { bytes: bytesOf(document), unsaved: true };
    },
    async write(path, bytes, options = {}) {
      refuseDirtyNotebook(path);
      const document = await documents.find(path);
      if (!document) return fallback.write(path, bytes, options);
      return document.isDirty ? writeBuffer(document, bytes, options.expected) : writeAndSave(document, { path, bytes, options }, fallback, saving);
    },
    async remove(path, options = {}) {
      refuseDirtyNotebook(path);
      const document = await documents.find(path);
      if (!document) return fallback.remove(path, options);
      return document.isDirty ? removeDirty(document, path, options, fallback) : removeClean(document, path, options, fallback);
    },
    onDidSave: (listener) =>
      vscode.Disposable.from(
        vscode.workspace.onDidSaveTextDocument((document) => {
          if (document.uri.scheme !== 'file' || saving.has(document)) return;
          // What is typed since isn't what was saved.
          listener({ path: document.uri.fsPath, ...(!document.isDirty && isUtf8(document) && { bytes: bytesOf(document) }) });
        }),
        vscode.workspace.onDidSaveNotebookDocument(({ uri }) => {
          if (uri.scheme === 'file') listener({ path: uri.fsPath });
        }),
      ),
    dispose: () => documents.dispose(),
  };
}

/** Finds open documents by real path, whatever link they were opened through. */
class OpenDocuments {
  readonly #realPaths = new Map<string, string>();
  readonly #listening = vscode.workspace.onDidCloseTextDocument((document) => this.#realPaths.delete(document.uri.fsPath));

  async find(path: string): Promise<vscode.TextDocument | undefined> {
    const open = vscode.workspace.textDocuments.filter((document) => document.uri.scheme === 'file');
    const direct = open.find((document) => document.uri.fsPath === path);
    if (direct) return direct;
    const real = await Promise.all(open.map((document) => this.#realPath(document.uri.fsPath)));
    // A document can be closed while its path was looked up.
    return open.find((document, index) => real[index] === path && !document.isClosed);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#realPaths.clear();
  }

  async #realPath(path: string): Promise<string> {
    const known = this.#realPaths.get(path);
    if (known !== undefined) return known;
    try {
      const real = await realpath(path);
      this.#realPaths.set(path, real);
      return real;
    } catch {
      // Not on disk (yet): nothing to remember.
      return path;
    }
  }
}

async function writeBuffer(document: vscode.TextDocument, bytes: Uint8Array, expected: Expected): Promise<Written> {
  const text = isUtf8(document) ? decodeText(bytes) : undefined;
  if (text === undefined) throw unsaved(document);
  await change(document, text, expected);
  return {
    bytes: bytesOf(document),
    note: 'The file has unsaved changes of the user in an editor. The change was made there and is not saved: commands and searches still see the old content on disk.',
  };
}

interface WantedWrite {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly options: WriteOptions;
}

/** @param saving holds the document while this saves it */
async function writeAndSave(document: vscode.TextDocument, { path, bytes, options }: WantedWrite, fallback: FilePort, saving: Set<vscode.TextDocument>): Promise<Written> {
  const text = decodeText(bytes);
  const isFitting = text !== undefined && (await fitsEditor(document, path, bytes, text, fallback));
  // The user may have begun to type while the disk was looked at.
  if (document.isDirty) return writeBuffer(document, bytes, options.expected);
  if (!isFitting) return fallback.write(path, bytes, options);
  await change(document, text, options.expected);
  const saved = !document.isDirty || (await save(document, saving));
  if (!saved) return { bytes: bytesOf(document), note: 'The change was made in the open editor, but saving it failed: the disk still holds the old content.' };
  return { bytes: (await fallback.read(path)).bytes };
}

/** Whether the document stands for the file on disk as it is, and can hold the new text as it is. VS Code reloads a clean document whose file is written otherwise. */
async function fitsEditor(document: vscode.TextDocument, path: string, bytes: Uint8Array, text: string, fallback: FilePort): Promise<boolean> {
  if (!isUtf8(document) || hasBom(bytes) !== (document.encoding === 'utf8bom') || lineEndOf(text) === 'mixed') return false;
  if ((await fallback.stat(path)) === undefined) return false;
  const onDisk = decodeText((await fallback.read(path)).bytes);
  return onDisk !== undefined && onDisk === document.getText();
}

/** One edit, which the user can undo as one. What the editor holds is looked at in the same moment: it refuses an edit of a text that is older than what it has by then. */
async function change(document: vscode.TextDocument, text: string, expected: Expected): Promise<void> {
  requireText(document, expected);
  const before = document.getText();
  const lineEnd = lineEndOf(text);
  const crlf = lineEnd === 'none' || lineEnd === 'mixed' ? document.eol === vscode.EndOfLine.CRLF : lineEnd === '\r\n';
  const eol = crlf ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  const wanted = text.replace(/\r\n|\r|\n/g, document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
  const difference = changeBetween(before, wanted);
  const edits: vscode.TextEdit[] = [];
  if (difference) edits.push(vscode.TextEdit.replace(new vscode.Range(document.positionAt(difference.start), document.positionAt(difference.end)), difference.text));
  if (eol !== document.eol) edits.push(vscode.TextEdit.setEndOfLine(eol));
  if (edits.length === 0) return;
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  if (!(await vscode.workspace.applyEdit(edit))) throw new AppError('conflict', `The editor refused the change of ${document.uri.fsPath}: the file changed meanwhile, or is read-only. Read it again.`);
}

/** Removes the file, and closes its editor as long as nobody has typed into it: what was typed stays there. */
async function removeClean(document: vscode.TextDocument, path: string, options: WriteOptions, fallback: FilePort): Promise<void> {
  await fallback.remove(path, options);
  if (document.isDirty) return;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString());
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/** Removes a file together with its unsaved text, which only the editor can do. Exactly that text has to be expected. */
async function removeDirty(document: vscode.TextDocument, path: string, { expected }: WriteOptions, fallback: FilePort): Promise<void> {
  if (!expected || !isUtf8(document)) throw unsaved(document);
  requireText(document, expected);
  const edit = new vscode.WorkspaceEdit();
  // Changes nothing, but has the editor refuse all of it where the user has typed by then.
  edit.insert(document.uri, new vscode.Position(0, 0), '');
  edit.deleteFile(document.uri, { ignoreIfNotExists: true });
  const isDone = await vscode.workspace.applyEdit(edit);
  if (!isDone || (await fallback.stat(path))) throw new AppError('conflict', `The editor did not delete ${path}: the file changed meanwhile, or is read-only. Look at it again.`);
}

/** Throws `conflict` unless the document holds exactly that. */
function requireText(document: vscode.TextDocument, expected: Expected): void {
  if (expected && !isSame(bytesOf(document), expected.bytes)) throw changed(document.uri.fsPath);
}

function isSame(present: Uint8Array, expected: Uint8Array | undefined): boolean {
  return expected !== undefined && Buffer.from(present).equals(expected);
}

function changed(path: string): AppError {
  return new AppError('conflict', `${path} has changed meanwhile. Look at it again.`);
}

function unsaved(document: vscode.TextDocument): AppError {
  return new AppError('conflict', `${document.uri.fsPath} has unsaved changes in an editor that this would destroy. Ask the user to save it first.`);
}

async function save(document: vscode.TextDocument, saving: Set<vscode.TextDocument>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), SAVE_LIMIT);
  });
  saving.add(document);
  try {
    return await Promise.race([document.save(), late]);
  } finally {
    saving.delete(document);
    clearTimeout(timer);
  }
}

function bytesOf(document: vscode.TextDocument): Uint8Array {
  return encodeText(document.getText(), document.encoding === 'utf8bom');
}

function isUtf8(document: vscode.TextDocument): boolean {
  return document.encoding === 'utf8' || document.encoding === 'utf8bom';
}

/** A notebook's cells are documents of their own; writing its file under unsaved cells would lose them. */
function refuseDirtyNotebook(path: string): void {
  const open = vscode.workspace.notebookDocuments.find((notebook) => notebook.uri.scheme === 'file' && notebook.uri.fsPath === path);
  if (open?.isDirty) throw new AppError('conflict', `${path} is open as a notebook with unsaved changes. Ask the user to save it first.`);
}
