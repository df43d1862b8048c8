import type { DefinitionDiagnostic } from '../../../runtime/domain/definitions.ts';
import { parseDefinition } from '../../../runtime/definitions/parse.ts';
import { parseOptions, type AuthoringFacts, type EditedFile } from './facts.ts';

export { completionsAt } from './completions.ts';
export { fixAllMapped, fixesOf } from './fixes.ts';
export { hoverAt } from './hovers.ts';

/** What is wrong with a definition file as it is typed: the same as the loader says of it, but for what other files have to do with. */
export async function problemsOf(text: string, { path, source }: EditedFile, facts: AuthoringFacts): Promise<readonly DefinitionDiagnostic[]> {
  return (await parseDefinition({ path, text, source }, parseOptions(facts))).diagnostics;
}
