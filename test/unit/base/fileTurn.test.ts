import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { editTool } from '../../../src/runtime/tools/edit.ts';
import { inFileTurn } from '../../../src/runtime/base/fileTurn.ts';
import { readTool } from '../../../src/runtime/tools/read.ts';
import { writeTool } from '../../../src/runtime/tools/write.ts';
import { execute, temporaryFolder, toolContext } from '../../support/toolContext.ts';

const never = new AbortController().signal;

describe('changes of one file by several subagents', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'file.txt');
    await writeFile(file, 'one two three');
  });
  afterEach(() => folder.remove());

  const reasons = (results: readonly PromiseSettledResult<unknown>[]): unknown[] => results.map((result) => (result.status === 'fulfilled' ? 'done' : (result.reason as { reason: string }).reason));

  it('never lose one that was made at the same moment', async () => {
    const contexts = [toolContext(folder.path), toolContext(folder.path), toolContext(folder.path)];
    for (const context of contexts) await execute(readTool, { file_path: file }, context);
    const words = ['one', 'two', 'three'];
    const results = await Promise.allSettled(contexts.map((context, index) => execute(editTool, { file_path: file, old_string: words[index], new_string: 'X' }, context)));
    // Whose path is resolved first is the file system's business.
    assert.deepEqual(reasons(results).sort(), ['conflict', 'conflict', 'done']);
    assert.equal(await readFile(file, 'utf8'), 'one two three'.replace(words[reasons(results).indexOf('done')]!, 'X'));
  });

  it('never replace a file that another one has just created', async () => {
    const contents = ['a', 'b'];
    const results = await Promise.allSettled(contents.map((content) => execute(writeTool, { file_path: 'new.txt', content }, toolContext(folder.path))));
    assert.deepEqual(reasons(results).sort(), ['done', 'invalid_input']);
    assert.equal(await readFile(join(folder.path, 'new.txt'), 'utf8'), contents[reasons(results).indexOf('done')]);
  });
});

describe('the turn at a file', () => {
  it('comes after those before it, whatever became of them, and leaves other files alone', async () => {
    const order: string[] = [];
    const gate = deferred<void>();
    const first = inFileTurn('/a', never, async () => {
      await gate.promise;
      order.push('first');
      throw new Error('failed');
    });
    const second = inFileTurn('/A', never, async () => void order.push('second'));
    await inFileTurn('/b', never, async () => void order.push('other'));
    gate.resolve();
    await assert.rejects(first, /failed/);
    await second;
    assert.deepEqual(order, ['other', 'first', 'second']);
  });

  it('is given up on abort, and the next one still waits for those before', async () => {
    const gate = deferred<void>();
    const order: string[] = [];
    const first = inFileTurn('/a', never, async () => {
      await gate.promise;
      order.push('first');
    });
    const stop = new AbortController();
    const second = inFileTurn('/a', stop.signal, async () => void order.push('second'));
    const third = inFileTurn('/a', never, async () => void order.push('third'));
    stop.abort();
    await assert.rejects(second, { reason: 'aborted' });
    gate.resolve();
    await Promise.all([first, third]);
    assert.deepEqual(order, ['first', 'third']);
  });
});
