import type { DefinitionDiagnostic } from '../../runtime/domain/definitions.ts';

/** Problems that one file has because of others, or of what a person hasn't done. */
const ACROSS_FILES: readonly string[] = ['duplicate', 'shadowed', 'fallback', 'unapproved'];

export function isAcrossFiles({ code }: Pick<DefinitionDiagnostic, 'code'>): boolean {
  return ACROSS_FILES.includes(code);
}

/** The problems of all files, each once: of those that are open as they are typed, and what only loading all of them shows. */
export function withOpen(loaded: readonly DefinitionDiagnostic[], open: ReadonlyMap<string, readonly DefinitionDiagnostic[]>): readonly DefinitionDiagnostic[] {
  return [...loaded.filter((problem) => !open.has(problem.path) || isAcrossFiles(problem)), ...[...open.values()].flat()];
}
