import type { AgentDefinition, DefinitionDiagnostic, DiagnosticData } from '../domain/definitions.ts';
import { nameKey } from './names.ts';
import type { ParsedDefinition } from './parse.ts';

/** One folder's definitions without the duplicates: of one name the first path counts, in code unit order. */
export function inPrecedence(parsed: readonly ParsedDefinition[], diagnostics: DefinitionDiagnostic[]): readonly AgentDefinition[] {
  const first = new Map<string, AgentDefinition>();
  const losers: AgentDefinition[] = [];
  for (const { definition } of parsed) {
    if (!definition) continue;
    const winner = first.get(nameKey(definition.name));
    if (!winner) {
      first.set(nameKey(definition.name), definition);
      continue;
    }
    losers.push(definition);
    diagnostics.push({ ...at(definition.path, 'warning', 'duplicate', `Another file of this folder has the same name and is used instead: ${winner.path ?? ''}.`), data: taken(definition.name, parsed) });
  }
  return [...losers, ...first.values()];
}

/** Marks what another source's definition of the same name replaces. */
export function shadowed(all: readonly AgentDefinition[], winners: ReadonlyMap<string, AgentDefinition>): readonly DefinitionDiagnostic[] {
  // The last of each folder and name: those before it have their "duplicate" already.
  const bestOfFolder = new Map(all.map((definition) => [`${definition.source} ${nameKey(definition.name)}`, definition]));
  return [...bestOfFolder.values()].flatMap((definition) => {
    const winner = winners.get(nameKey(definition.name));
    // Built-in ones have no file to mark.
    if (!winner || winner === definition || definition.path === undefined) return [];
    return [at(definition.path, 'information', 'shadowed', `Not used: "${winner.name}" is also defined in ${placeOf(winner)}, which wins.`)].map((diagnostic) => ({ ...diagnostic, data: taken(definition.name, all) }));
  });
}

/** Says so where a broken file would have replaced another definition, because that one, perhaps with more rights, now runs. */
export function stoodInFor(broken: readonly ParsedDefinition[], winners: ReadonlyMap<string, AgentDefinition>): readonly DefinitionDiagnostic[] {
  return broken.flatMap(({ name, diagnostics }) => {
    const winner = winners.get(nameKey(name));
    const error = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    // Nothing that a file says would replace what is given in code.
    if (!winner || !error || winner.source === 'code') return [];
    return [{ ...error, severity: 'warning' as const, code: 'fallback', message: `While this file doesn't load, "${winner.name}" means the definition from ${winner.path ?? 'the runtime itself'}.` }];
  });
}

/** A number behind it makes a name free. */
function taken(name: string, all: readonly { readonly name: string }[]): DiagnosticData {
  const names = new Set(all.map((each) => nameKey(each.name)));
  let count = 2;
  while (names.has(nameKey(`${name}-${count}`))) count += 1;
  return { kind: 'taken', name, free: `${name}-${count}` };
}

function placeOf({ path, source }: AgentDefinition): string {
  return path ?? (source === 'code' ? '`subAgents`' : 'the extension');
}

function at(path: string | undefined, severity: DefinitionDiagnostic['severity'], code: string, message: string): DefinitionDiagnostic {
  return { severity, code, message, path: path ?? '', line: 1, column: 1 };
}
