import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ErrorOutput } from '../../../src/runtime/mcp/errorOutput.ts';
import { maskFor } from '../../../src/runtime/mcp/secrets.ts';

describe('the secrets of a server', () => {
  const said = (secret: string, text: string): string => {
    const output = new ErrorOutput();
    output.add(text);
    return output.sentence(maskFor({ kind: 'stdio', command: 'x', args: [], env: { KEY: secret } }));
  };
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['of several lines', 'first-part\nsecond-part', 'no first-part\nsecond-part', 'no ***'],
    ['of several lines, one of them', 'first-part\nsecond-part', 'no second-part', 'no ***'],
    ['with a run of spaces', 'two  spaces', 'no two  spaces, no two spaces', 'no ***, no ***'],
    ['with a quote, as JSON', 'quo"te', 'no "quo\\"te"', 'no "***"'],
    ['with a line break, as JSON', 'a-part\nb-part', 'no a-part\\nb-part', 'no ***'],
  ];
  for (const [what, secret, text, shown] of cases) it(`are hidden in what it says: one ${what}`, () => assert.equal(said(secret, text), ` It said: ${shown}`));

  it('are hidden where they are parts of the path, whose words stay', () => {
    const mask = maskFor({ kind: 'http', url: 'https://example.com/services/a1b2c3d4e5f6a7/mcp', headers: {} });
    assert.equal(mask('Cannot POST /services/a1b2c3d4e5f6a7/mcp'), 'Cannot POST /services/***/mcp');
  });
});
