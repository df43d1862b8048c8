import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AppError, isAppError } from '../../../src/runtime/base/errors.ts';
import { readTool } from '../../../src/runtime/tools/read.ts';
import { writeTool } from '../../../src/runtime/tools/write.ts';
import { execute, executeText, previewOf, temporaryFolder, toolContext } from '../../support/toolContext.ts';

describe('Write', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'deep', 'file.txt');
  });
  afterEach(() => folder.remove());

  it('creates a file exactly as given, and may then replace it', async () => {
    const context = toolContext(folder.path);
    await execute(writeTool, { file_path: 'deep/file.txt', content: 'ä\r\n\ufeff' }, context);
    assert.equal(await readFile(file, 'utf8'), 'ä\r\n\ufeff');
    await execute(writeTool, { file_path: 'deep/file.txt', content: '' }, context);
    assert.equal(await readFile(file, 'utf8'), '');
    assert.deepEqual(context.changes.map(({ path, kind }) => ({ path, kind })), [{ path: file, kind: 'created' }, { path: file, kind: 'edited' }]);
  });

  it('refuses to replace what this run has not read, or what changed since', async () => {
    await mkdir(join(folder.path, 'deep'));
    await writeFile(file, 'theirs');
    const context = toolContext(folder.path);
    const write = (): Promise<unknown> => execute(writeTool, { file_path: file, content: 'ours' }, context);
    await assert.rejects(write(), (error) => isAppError(error, 'invalid_input'));
    await execute(readTool, { file_path: file }, context);
    await writeFile(file, 'theirs again');
    await assert.rejects(write(), (error) => isAppError(error, 'conflict'));
    assert.equal(await readFile(file, 'utf8'), 'theirs again');
  });

  it('refuses a folder', async () => {
    await assert.rejects(execute(writeTool, { file_path: '.', content: '' }, toolContext(folder.path)), (error) => isAppError(error, 'invalid_input'));
  });

  it('goes nowhere that the path check refuses', async () => {
    const asked: string[] = [];
    const resolvePath = async (path: string, access: string): Promise<string> => {
      asked.push(`${access} ${path}`);
      throw new AppError('denied', 'No.');
    };
    await assert.rejects(execute(writeTool, { file_path: '../x', content: '' }, toolContext(folder.path, { resolvePath })), (error) => isAppError(error, 'denied'));
    assert.deepEqual(asked, ['write ../x']);
  });

  it('tells paths relative to the working folder', async () => {
    assert.match(await executeText(writeTool, { file_path: file, content: '' }, toolContext(folder.path)), /Created deep\/file\.txt/);
    assert.ok((await executeText(writeTool, { file_path: '../other.txt', content: '' }, toolContext(join(folder.path, 'deep')))).includes(join(folder.path, 'other.txt')));
  });

  it('shows before and after', async () => {
    const context = toolContext(folder.path);
    assert.deepEqual(await previewOf(writeTool, { file_path: file, content: 'new' }, context), { kind: 'diff', path: file, before: '', after: 'new' });
    await execute(writeTool, { file_path: file, content: 'old' }, context);
    assert.deepEqual(await previewOf(writeTool, { file_path: file, content: 'new' }, context), { kind: 'diff', path: file, before: 'old', after: 'new' });
  });
});
