import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ErrorOutput } from '../../../src/runtime/mcp/errorOutput.ts';

describe('the error output of a server', () => {
  const said = (...chunks: readonly string[]): string => {
    const output = new ErrorOutput();
    for (const chunk of chunks) output.add(chunk);
    return output.sentence((line) => line.replaceAll('secret', '***'));
  };

  it('is told by its last two lines, however it came, without secrets', () => {
    assert.equal(said('first\nsec', 'ond se', 'cret\n\n', 'third\r\n'), ' It said: second *** / third');
  });

  it('is nothing where there was none', () => assert.equal(said('\n', '  \n'), ''));

  it('is bounded, and never begins in the middle of a line that was cut', () => {
    assert.equal(said(...Array.from({ length: 100 }, () => 'secret'.repeat(1_000))), '');
    assert.equal(said(...Array.from({ length: 100 }, () => 'secret'.repeat(1_000)), '\nend'), ' It said: end');
    assert.ok(said('x'.repeat(10_000)).length < 400);
  });
});
