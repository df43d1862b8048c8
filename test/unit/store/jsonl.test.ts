import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { JsonlFile, parseJsonl } from '../../../src/runtime/store/jsonl.ts';

describe('append-only JSON lines', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jsonl-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('keeps the order of appends that were not awaited', async () => {
    const file = new JsonlFile<number>(join(folder, 'deep', 'order.jsonl'));
    await Promise.all(Array.from({ length: 50 }, (_, index) => file.append(index)));
    assert.deepEqual(await file.read(), Array.from({ length: 50 }, (_, index) => index));
  });

  it('goes on after an append that failed half way, and in a folder that was deleted', async () => {
    const own = join(folder, 'failing');
    const path = join(own, 'x.jsonl');
    const file = new JsonlFile<number>(path);
    await file.append(1);
    await rm(path);
    await mkdir(path);
    await assert.rejects(file.append(2), { code: 'EISDIR' });
    await rm(path, { recursive: true });
    await writeFile(path, '1\n[2, 2');
    await file.append(3);
    assert.deepEqual(await file.read(), [1, 3]);
    await rm(own, { recursive: true });
    await assert.rejects(file.append(4), { code: 'ENOENT' });
    await file.append(5);
    assert.deepEqual(await file.read(), [5]);
  });

  it('is empty where there is no file', async () => {
    assert.deepEqual(await new JsonlFile(join(folder, 'none.jsonl')).read(), []);
  });

  it('loads everything but the torn last line, cut at any byte', () => {
    const value = fc.record({ text: fc.string({ unit: 'binary' }), n: fc.integer() }, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), fc.nat(), (values, seed) => {
        const lines = values.map((each) => Buffer.from(`${JSON.stringify(each)}\n`));
        const all = Buffer.concat(lines);
        const cut = seed % (all.length + 1);
        let end = 0;
        // A line counts once its last byte is there, with or without the line end after it.
        const whole = lines.filter((line) => (end += line.length) - 1 <= cut).length;
        assert.deepEqual(parseJsonl(all.subarray(0, cut).toString('utf8')), values.slice(0, whole));
      }),
    );
  });

  it('does not glue the next line to a torn one', async () => {
    const path = join(folder, 'torn.jsonl');
    await writeFile(path, '{"a":1}\n{"b":');
    const file = new JsonlFile<unknown>(path);
    await file.append({ c: 3 });
    assert.deepEqual(await file.read(), [{ a: 1 }, { c: 3 }]);
    assert.equal(await readFile(path, 'utf8'), '{"a":1}\n{"b":\n\u0018\n{"c":3}\n');
  });

  it('rejects an append that cannot be written, and writes the next', async () => {
    const file = new JsonlFile<number>(join(folder, 'order-of-failure.jsonl'));
    const circular: { self?: unknown } = {};
    circular.self = circular;
    assert.throws(() => file.append(circular as never));
    await file.append(1);
    assert.deepEqual(await file.read(), [1]);
    await assert.rejects(new JsonlFile<number>(join(folder, 'order-of-failure.jsonl', 'below-a-file')).append(1));
  });
});
