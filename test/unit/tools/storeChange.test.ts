import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AppError, errorText, isAppError } from '../../../src/runtime/base/errors.ts';
import type { FilePort } from '../../../src/runtime/domain/ports.ts';
import type { FileState, ToolContext } from '../../../src/runtime/domain/tools.ts';
import { createCheckpoints } from '../../../src/runtime/store/checkpoints.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { editTool } from '../../../src/runtime/tools/edit.ts';
import { readTool } from '../../../src/runtime/tools/read.ts';
import { writeTool } from '../../../src/runtime/tools/write.ts';
import { execute, temporaryFolder, toolContext } from '../../support/toolContext.ts';

const disk = createNodeFiles();

describe('a file tool that changes a file', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'file.txt');
  });
  afterEach(() => folder.remove());

  const kept = () => createCheckpoints(join(folder.path, '.kept'));
  const context = (more: Partial<ToolContext> = {}) => toolContext(folder.path, { keep: (content) => kept().keep(content), ...more });
  const edit = (oldString: string, newString: string, given: ToolContext) => execute(editTool, { file_path: file, old_string: oldString, new_string: newString }, given);
  const write = (content: string, given: ToolContext) => execute(writeTool, { file_path: file, content }, given);
  const read = (given: ToolContext) => execute(readTool, { file_path: file }, given);
  const textOf = async (state: FileState | undefined): Promise<string> => (state?.kind === 'kept' ? Buffer.from(await kept().read(state.hash)).toString() : (state?.kind ?? 'nothing'));
  const steps = ({ changes }: ReturnType<typeof context>) => Promise.all(changes.map(async ({ kind, before, after }) => `${kind}: ${await textOf(before)} → ${await textOf(after)}`));

  it('says that it reports what it changes, so that nothing else need look for it', () => {
    assert.deepEqual([editTool.reportsChanges, writeTool.reportsChanges], [true, true]);
  });

  it('keeps what stood there before and after each change', async () => {
    const given = context();
    await write('one', given);
    await edit('one', 'two', given);
    await write('', given);
    assert.deepEqual(await steps(given), ['created: absent → one', 'edited: one → two', 'edited: two → ']);
  });

  it('keeps what it overwrites before it writes, so that a crash in between loses nothing', async () => {
    await writeFile(file, 'precious');
    const stored: string[] = [];
    let atWriting: readonly string[] = [];
    const files: FilePort = {
      ...disk,
      write: (...args) => {
        atWriting = [...stored];
        return disk.write(...args);
      },
    };
    const given = context({
      files,
      keep: async (content) => {
        const state = await kept().keep(content);
        stored.push(await textOf(state));
        return state;
      },
    });
    await read(given);
    await edit('precious', 'new', given);
    assert.deepEqual(atWriting.toSorted(), ['new', 'precious']);
  });

  it('counts what stands there afterwards as its own, such as after a formatter', async () => {
    const files: FilePort = { ...disk, write: (path, _bytes, options) => disk.write(path, Buffer.from('formatted'), options) };
    const given = context({ files });
    await write('raw', given);
    assert.deepEqual(await steps(given), ['created: absent → formatted']);
  });

  it('goes on where nothing can be kept, and tells why', async () => {
    const why = 'The disk was full, so the content of the file was not kept.';
    const given = context({ keep: async () => ({ kind: 'unknown', why }) });
    await write('one', given);
    assert.equal(await readFile(file, 'utf8'), 'one');
    assert.deepEqual(given.changes, [{ path: file, kind: 'created', before: { kind: 'unknown', why }, after: { kind: 'unknown', why } }]);
  });

  it('tells of no change where none was made', async () => {
    await writeFile(file, 'a');
    const given = context({ files: { ...disk, write: () => Promise.reject(new AppError('denied', 'No.')) } });
    await read(given);
    await assert.rejects(edit('a', 'b', given), (error) => isAppError(error, 'denied'));
    assert.deepEqual(given.changes, []);
  });

  it('tells of a change that it made just before it was given up', async () => {
    const abort = new AbortController();
    const files: FilePort = {
      ...disk,
      write: (...args) => {
        abort.abort();
        return disk.write(...args);
      },
    };
    const given = context({ files, signal: abort.signal });
    await write('one', given);
    assert.deepEqual(await steps(given), ['created: absent → one']);
  });

  /** The user is faster than the tool, by this much. */
  const overtaken = (act: () => Promise<void>): FilePort => ({
    ...disk,
    write: async (...args) => {
      await act();
      return disk.write(...args);
    },
  });

  for (const [what, act] of Object.entries<(path: string) => Promise<void>>({
    'wrote something else': (path) => writeFile(path, 'user'),
    'deleted it': (path) => rm(path),
  })) {
    it(`leaves the file alone when somebody ${what} between its look and its change`, async () => {
      await writeFile(file, 'read');
      for (const change of [(given: ToolContext) => edit('read', 'edited', given), (given: ToolContext) => write('written', given)]) {
        await writeFile(file, 'read');
        const given = context({ files: overtaken(() => act(file)) });
        await read(given);
        await assert.rejects(change(given), (error) => isAppError(error, 'conflict') && /file\.txt has changed since it was last read here/.test(errorText(error)));
        assert.notEqual(await readFile(file, 'utf8').catch(() => 'gone'), 'edited');
        assert.notEqual(await readFile(file, 'utf8').catch(() => 'gone'), 'written');
        assert.deepEqual(given.changes, []);
      }
    });
  }

  it('makes no file where somebody has just made one', async () => {
    const given = context({ files: overtaken(() => writeFile(file, 'user')) });
    await assert.rejects(write('child', given), (error) => isAppError(error, 'conflict') && /has changed/.test(errorText(error)));
    assert.equal(await readFile(file, 'utf8'), 'user');
  });

  it('hears the words of another conflict as they are', async () => {
    await writeFile(file, 'a');
    const given = context({ files: { ...disk, write: () => Promise.reject(new AppError('conflict', 'A folder was swapped.')) } });
    await read(given);
    await assert.rejects(edit('a', 'b', given), /A folder was swapped/);
  });
});
