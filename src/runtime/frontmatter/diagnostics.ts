import type { DefinitionDiagnostic } from '../domain/definitions.ts';
import type { Problem } from './frontmatter.ts';
import type { Position } from './values.ts';

const MAX_PROBLEMS = 50;

/** A file's problems in its order. Of very many the first, errors before the rest: a broken file can give thousands. */
export function diagnosticsOf(path: string, problems: readonly Problem[]): readonly DefinitionDiagnostic[] {
  const all = problems.map(({ at, ...problem }) => ({ ...problem, path, ...spanOf(at) })).sort((a, b) => a.line - b.line || a.column - b.column);
  if (all.length <= MAX_PROBLEMS) return all;
  const errors = all.filter(({ severity }) => severity === 'error');
  return [...errors, ...all.filter(({ severity }) => severity !== 'error')].slice(0, MAX_PROBLEMS);
}

function spanOf({ line, column, end }: Position): Pick<DefinitionDiagnostic, 'line' | 'column' | 'endLine' | 'endColumn'> {
  return { line, column, ...(end && { endLine: end.line, endColumn: end.column }) };
}
