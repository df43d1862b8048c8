import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { textOf, type ContentPart } from '../../../src/runtime/domain/messages.ts';
import type { ToolResult } from '../../../src/runtime/domain/tools.ts';
import { limitOutput, OUTPUT_LIMIT } from '../../../src/runtime/tools/output.ts';
import { checkedResult } from '../../../src/runtime/tools/result.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40)]).toString('base64');
const image = (data: unknown = PNG, mimeType = 'image/png'): object => ({ type: 'image', data, mimeType });
const text = (value: unknown): object => ({ type: 'text', text: value });
/** Valid base64 of a PNG of about that many megabytes. */
const megabytes = (count: number): string => PNG.slice(0, 32) + 'AAAA'.repeat((count * 1024 * 1024) / 3);

describe('what a tool gives back', () => {
  const spilled: string[] = [];
  const context = { spill: async (name: string, whole: string) => `/kept/${name}-${spilled.push(whole)}` };
  const check = (value: unknown, outputLimit?: number): Promise<ToolResult> => checkedResult(value, { name: 'Odd', ...(outputLimit !== undefined && { outputLimit }) }, context);
  const checkContent = async (content: unknown, outputLimit?: number): Promise<readonly ContentPart[]> => (await check({ content }, outputLimit)).content;
  beforeEach(() => void spilled.splice(0));

  it('passes as it is where it is right', async () => {
    const result = { content: [text('a'), image(), text('b')], isError: true, changes: [{ path: '/a', kind: 'created' }], delivers: 'group-1' };
    assert.deepEqual(await check(result), result);
    assert.deepEqual(await check({ content: [] }), { content: [] });
  });

  it('passes up to the limit in all of its texts together', async () => {
    const content = [text('x'.repeat(OUTPUT_LIMIT / 2)), text('y'.repeat(OUTPUT_LIMIT / 2))];
    assert.deepEqual(await checkContent(content), content);
    assert.deepEqual(spilled, []);
  });

  it('is cut over the limit, whole in a file, with its images behind it', async () => {
    const [a, b] = ['x'.repeat(OUTPUT_LIMIT), `${'y\n'.repeat(OUTPUT_LIMIT)}end`];
    const content = await checkContent([text(a), image(), text(b)]);
    assert.deepEqual(spilled, [`${a}\n${b}`]);
    assert.deepEqual(content.map(({ type }) => type), ['text', 'image']);
    assert.match(textOf(content), /^x+[^]*\/kept\/Odd-1[^]*end$/);
    assert.ok(textOf(content).length < OUTPUT_LIMIT + 300);
  });

  it('is not cut again where the tool has cut it', async () => {
    const cut = await limitOutput('z\n'.repeat(OUTPUT_LIMIT), 'own', context);
    assert.deepEqual(textOf(await checkContent([text(cut)])), cut);
    assert.equal(spilled.length, 1);
  });

  it('may be longer where the tool says so, but not without end', async () => {
    assert.equal(textOf(await checkContent([text('x'.repeat(90_000))], 100_000)).length, 90_000);
    for (const outputLimit of [Infinity, 1_000_000]) assert.ok(textOf(await checkContent([text('x'.repeat(200_000))], outputLimit)).length < 101_000);
    for (const outputLimit of [NaN, 0]) assert.ok(textOf(await checkContent([text('x'.repeat(90_000))], outputLimit)).length < 31_000);
  });

  it('keeps a bounded number of images, of a bounded size, and says what is left out', async () => {
    const content = await checkContent(Array.from({ length: 13 }, () => image()));
    assert.equal(content.filter(({ type }) => type === 'image').length, 10);
    assert.match(textOf(content), /^\[3 images left out: at most 10/);
    assert.match(textOf(await checkContent([image(megabytes(6))])), /^\[1 image left out: larger than 5 MB\.\]$/);
    const three = await checkContent([image(megabytes(4)), image(megabytes(4)), image(megabytes(4)), image()]);
    assert.deepEqual(three.map(({ type }) => type), ['image', 'image', 'image', 'text']);
    assert.match(textOf(three), /^\[1 image left out: .*10 MB in all/);
  });

  it('has only images that a provider takes, with the type that their bytes have', async () => {
    assert.deepEqual(await checkContent([image(PNG, 'image/jpeg')]), [image()]);
    for (const data of ['', 'no base64!', `data:image/png;base64,${PNG}`, PNG.slice(0, -1), Buffer.from('<svg/>').toString('base64'), undefined, 5]) {
      assert.match(textOf(await checkContent([{ ...image(), data }])), /^\[1 image left out: not a png/);
    }
  });

  it('has nothing but texts and images, and says what is left out', async () => {
    const content = await checkContent([text('a'), text(5), { type: 'audio' }, null, 'b', [text('c')]]);
    assert.deepEqual(content, [text('a'), text('[5 parts of the result left out: neither text nor image.]')]);
  });

  it('is an error where it is no result at all', async () => {
    for (const value of [undefined, null, 'text', 5, [], {}, { content: 'text' }, { content: { 0: text('a') } }]) {
      await assert.rejects(check(value), (error) => isAppError(error, 'internal') && error.message.includes('Odd'));
    }
  });

  it('loses every field that could not be stored', async () => {
    const odd = { content: [text('a')], isError: 'yes', changes: [{ path: 5, kind: 'created' }, { path: '/a', kind: 'moved' }, null, { path: '/b', kind: 'edited' }], delivers: {}, more: 1 };
    assert.deepEqual(await check(odd), { content: [text('a')], changes: [{ path: '/b', kind: 'edited' }] });
    assert.deepEqual(await check({ content: [], changes: 'all' }), { content: [] });
  });

  it('is well formed, or an error of ours, whatever it is', async () => {
    const part = fc.oneof(fc.anything(), fc.record({ type: fc.constantFrom('text', 'image'), text: fc.anything(), data: fc.anything(), mimeType: fc.anything() }));
    const value = fc.oneof(fc.anything(), fc.record({ content: fc.oneof(fc.anything(), fc.array(part)), isError: fc.anything(), changes: fc.anything(), delivers: fc.anything() }));
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        const result = await check(given).catch((error: unknown) => {
          assert.ok(isAppError(error, 'internal'));
          return { content: [] };
        });
        for (const each of result.content) assert.ok(each.type === 'text' ? typeof each.text === 'string' && each.text.isWellFormed() : each.mimeType === 'image/png');
        assert.doesNotThrow(() => JSON.stringify(result));
      }),
    );
  });
});
