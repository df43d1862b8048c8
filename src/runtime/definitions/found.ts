import { DEFINITION_SOURCES, type AgentDefinition, type DefinitionDiagnostic, type FoundDefinition } from '../domain/definitions.ts';
import type { LoadedDefinitions } from './loader.ts';
import { compareText, nameKey } from './names.ts';

/** Everything that was found, each with what became of it, by source in the order of precedence and then by name. `diagnostics`: of all of them. */
export function foundDefinitions({ definitions, all, refused }: LoadedDefinitions, diagnostics: readonly DefinitionDiagnostic[], isApproved: (definition: AgentDefinition) => boolean): readonly FoundDefinition[] {
  const winners = new Map(definitions.map((definition) => [nameKey(definition.name), definition]));
  const byPath = Map.groupBy(diagnostics, ({ path }) => path);
  const problems = (path: string | undefined): readonly DefinitionDiagnostic[] => (path === undefined ? [] : (byPath.get(path) ?? []));
  const loaded = all.map((definition): FoundDefinition => {
    const { name, source, path } = definition;
    const place = { name, source, ...(path !== undefined && { path }), diagnostics: problems(path) };
    const winner = winners.get(nameKey(name));
    if (winner !== undefined && winner !== definition) return { ...place, status: 'shadowed', definition, by: winner };
    return { ...place, status: isApproved(definition) ? 'active' : 'unapproved', definition };
  });
  const broken = refused.map((file): FoundDefinition => ({ ...file, status: 'refused', diagnostics: problems(file.path) }));
  return inOrder([...loaded, ...broken]);
}

/** Of one source by name without case, and of one name by path. */
function inOrder(found: readonly FoundDefinition[]): readonly FoundDefinition[] {
  const bySource = Map.groupBy(found, ({ source }) => source);
  return DEFINITION_SOURCES.flatMap((source) => (bySource.get(source) ?? []).toSorted((a, b) => compareText(nameKey(a.name), nameKey(b.name)) || compareText(a.path ?? '', b.path ?? '')));
}
