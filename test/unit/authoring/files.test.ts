import assert from 'node:assert/strict';
import type { DefinitionDiagnostic } from '../../../src/runtime/domain/definitions.ts';
import { withOpen } from '../../../src/ui/authoring/acrossFiles.ts';

const problem = (path: string, code: string, severity: DefinitionDiagnostic['severity'] = 'warning'): DefinitionDiagnostic => ({ path, code, severity, message: code, line: 1, column: 1 });
const shown = (loaded: readonly DefinitionDiagnostic[], open: Readonly<Record<string, readonly DefinitionDiagnostic[]>>): readonly string[] => withOpen(loaded, new Map(Object.entries(open))).map(({ path, code }) => `${path} ${code}`);

describe('the problems of definition files', () => {
  it('are of an open file those of what is typed, and none twice', () => {
    assert.deepEqual(shown([problem('a', 'unknown_tool'), problem('b', 'unknown_tool')], { a: [problem('a', 'unknown_tool'), problem('a', 'type', 'error')] }), ['b unknown_tool', 'a unknown_tool', 'a type']);
    assert.deepEqual(shown([problem('a', 'unknown_tool')], { a: [] }), []);
  });

  it('keep what only loading all files shows', () => {
    assert.deepEqual(shown([problem('a', 'shadowed'), problem('a', 'duplicate'), problem('a', 'unapproved')], { a: [] }), ['a shadowed', 'a duplicate', 'a unapproved']);
  });

  it('say what stands in for a broken file for as long as it is broken', () => {
    assert.deepEqual(shown([problem('a', 'fallback')], { a: [problem('a', 'yaml', 'error')] }), ['a fallback', 'a yaml']);
    assert.deepEqual(shown([problem('a', 'fallback')], { a: [problem('a', 'no_prompt')] }), ['a no_prompt']);
  });
});
