import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ContentPart } from '../../../src/runtime/domain/messages.ts';
import { toToolResult } from '../../../src/runtime/mcp/result.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n then the rest', 'latin1').toString('base64');
const text = (value: string): ContentPart => ({ type: 'text', text: value });

describe('the result of a connection tool', () => {
  const cases: readonly (readonly [string, unknown, readonly ContentPart[]])[] = [
    ['text', { content: [{ type: 'text', text: 'a\n' }, { type: 'text', text: '' }] }, [text('a\n'), text('')]],
    ['an image, by what it is', { content: [{ type: 'image', data: PNG, mimeType: 'image/webp' }] }, [{ type: 'image', mimeType: 'image/png', data: PNG }]],
    ['a note of an image that is none', { content: [{ type: 'image', data: 'bm8=', mimeType: 'image/png' }] }, [text("[An image (image/png, 2 bytes), which can't be passed on.]")]],
    ['a note of audio', { content: [{ type: 'audio', data: 'bm8=', mimeType: 'audio/wav' }] }, [text("[Audio (audio/wav, 2 bytes), which can't be passed on.]")]],
    ['the text of a resource with its URI', { content: [{ type: 'resource', resource: { uri: 'a://b', text: 'c' } }] }, [text('[resource a://b]\nc')]],
    ['a note of a resource in bytes', { content: [{ type: 'resource', resource: { uri: 'a://b', blob: 'bm8=', mimeType: 'application/zip' } }] }, [text("[Resource a://b (application/zip, 2 bytes), which can't be passed on.]")]],
    ['a resource that is an image', { content: [{ type: 'resource', resource: { uri: 'a://b', blob: PNG } }] }, [{ type: 'image', mimeType: 'image/png', data: PNG }]],
    ['a link to a resource', { content: [{ type: 'resource_link', uri: 'a://b', name: 'B', description: 'Has\nmore.', mimeType: 'text/plain' }] }, [text('[Resource a://b (B, text/plain, Has more.)]')]],
    ['a note of a type that nobody knows', { content: [{ type: 'hologram' }] }, [text("[A part of an unknown type, hologram, which can't be passed on.]")]],
    ['structured content where there is no text', { content: [], structuredContent: { a: 1 } }, [text('{\n  "a": 1\n}')]],
    ['no structured content beside text', { content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } }, [text('a')]],
    ['a word for nothing', { content: [] }, [text('[The tool returned nothing.]')]],
    ['a word for no result at all', null, [text('[The tool returned nothing.]')]],
  ];
  for (const [what, raw, content] of cases) it(`holds ${what}`, () => assert.deepEqual(toToolResult(raw), { content }));

  it('is an error where the server says so, with its words', () => {
    assert.deepEqual(toToolResult({ content: [{ type: 'text', text: 'no' }], isError: true }), { content: [text('no')], isError: true });
    assert.equal(toToolResult({ content: [], isError: 'yes' }).isError, undefined);
  });

  it('says that structured content is too deep to be passed on', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`);
    assert.deepEqual(toToolResult({ content: [], structuredContent: deep }).content, [text('[The structured content is left out: it has more than 100 levels.]')]);
  });

  it('has a bounded number of parts, images and bytes of an image', () => {
    const many = toToolResult({ content: Array.from({ length: 100_000 }, () => ({ type: 'text', text: 'a' })) }).content;
    assert.deepEqual([many.length, many.at(-1)], [201, text('[99800 more parts of the result are left out.]')]);
    const images = toToolResult({ content: Array.from({ length: 50 }, () => ({ type: 'image', data: PNG, mimeType: 'image/png' })) }).content;
    assert.equal(images.filter(({ type }) => type === 'image').length, 10);
    const large = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(6 * 1024 * 1024)]).toString('base64');
    assert.deepEqual(toToolResult({ content: [{ type: 'image', data: large, mimeType: 'image/png' }] }).content.map(({ type }) => type), ['text']);
  });

  it('is one a model can be given, whatever the server sent', () => {
    const anything = fc.oneof(fc.jsonValue(), fc.record({ content: fc.array(fc.record({ type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link'), text: fc.jsonValue(), data: fc.jsonValue(), resource: fc.jsonValue(), uri: fc.jsonValue() })) }));
    fc.assert(
      fc.property(anything, (raw) => {
        const { content } = toToolResult(raw);
        assert.ok(content.length > 0 && content.every((part) => (part.type === 'text' ? typeof part.text === 'string' : part.data.length > 0)));
      }),
    );
  });
});
