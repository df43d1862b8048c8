import type { DefinitionDiagnostic } from '../../runtime/domain/definitions.ts';

/** Problems that one file has because of others, or of what a person hasn't done. */
const ACROSS_FILES: readonly string[] = ['duplicate', 'shadowed', 'fallback', 'unapproved'];

export function isAcrossFiles({ code }: Pick<DefinitionDiagnostic, 'code'>): boolean {
  return ACROSS_FILES.includes(code);
}

/** The problems of all files, each once: of those that are open as they are typed, and what only loading all of them shows. */
export function withOpen(loaded: readonly DefinitionDiagnostic[], open: ReadonlyMap<string, readonly DefinitionDiagnostic[]>): readonly DefinitionDiagnostic[] {
  return [...loaded.filter((problem) => stays(problem, open.get(problem.path))), ...[...open.values()].flat()];
}

/** Whether a problem that was found on disk still counts beside what is typed. */
function stays(problem: DefinitionDiagnostic, typed: readonly DefinitionDiagnostic[] | undefined): boolean {
  if (!typed) return true;
  // Nothing stands in any more for a file that would load.
  if (problem.code === 'fallback') return typed.some(({ severity }) => severity === 'error');
  return isAcrossFiles(problem);
}
