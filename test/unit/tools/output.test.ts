import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limitOutput, OUTPUT_LIMIT } from '../../../src/runtime/tools/output.ts';
import { OutputBuffer } from '../../../src/runtime/tools/outputBuffer.ts';
import { createBuiltinTools } from '../../../src/runtime/tools/registry.ts';

describe('long output', () => {
  const refuse = { spill: () => Promise.reject(new Error('disk full')) };

  it('passes as it is up to the limit, without being kept', async () => {
    const text = 'x'.repeat(OUTPUT_LIMIT);
    assert.equal(await limitOutput(text, 'test', refuse), text);
  });

  it('is cut at line ends and kept as a whole', async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n');
    const kept: string[] = [];
    const cut = await limitOutput(text, 'test', { spill: async (_name, all) => `/kept/${kept.push(all)}` });
    assert.deepEqual(kept, [text]);
    assert.match(cut, /^line 0\n[^]*\nline \d+\n\[… \d+ characters [^\n]*\/kept\/1[^\n]*\nline \d+\n[^]*line 19999$/);
  });

  it('is cut all the same when it can not be kept', async () => {
    const cut = await limitOutput('😀'.repeat(OUTPUT_LIMIT), 'test', refuse);
    assert.ok(cut.length < OUTPUT_LIMIT + 200 && cut.includes('disk full') && cut.isWellFormed());
  });

  it('is collected whole while it fits, then by both ends', () => {
    const buffer = new OutputBuffer(10);
    for (const piece of ['abc', 'defg', 'hij']) buffer.append(piece);
    assert.equal(buffer.toString(), 'abcdefghij');
    for (const piece of 'klmnopqrstuvwxyz') buffer.append(piece);
    assert.match(buffer.toString(), /^abcde\n\[… 16 [^\n]*\]\nvwxyz$/);
  });
});

describe('the built-in tools', () => {
  const names = (options: Parameters<typeof createBuiltinTools>[0]): string[] => createBuiltinTools(options).map((tool) => tool.name);

  it('are those whose means are there', () => {
    assert.deepEqual(names({}), ['Read', 'Write', 'Edit', 'FindTool']);
    assert.deepEqual(names({ ripgrep: '/rg' }), ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'FindTool']);
    if (process.platform !== 'win32') assert.deepEqual(names({ shell: { env: {} } }), ['Read', 'Write', 'Edit', 'Bash', 'BashOutput', 'KillBackground', 'FindTool']);
  });

  it('say which of them change nothing', () => {
    const reading = createBuiltinTools({ ripgrep: '/rg', shell: { env: {} } }).filter((tool) => tool.isReadOnly);
    assert.deepEqual(reading.map((tool) => tool.name), ['Read', 'Glob', 'Grep', 'BashOutput', 'FindTool']);
  });
});
