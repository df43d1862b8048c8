import { mapLimited } from '../base/async.ts';
import { errorText } from '../base/errors.ts';
import { DEFINITION_SOURCES, type AgentDefinition, type DefinitionDiagnostic, type DefinitionSource } from '../domain/definitions.ts';
import { builtinAgents } from './builtin.ts';
import { listMarkdown, readText } from './files.ts';
import { compareText, nameKey } from './names.ts';
import { nameOfFile, parseDefinition, type ParsedDefinition } from './parse.ts';

/** A folder for each source that has one; all absolute. */
export type DefinitionFolders = Partial<Record<Exclude<DefinitionSource, 'builtin'>, string>>;

export interface LoadedDefinitions {
  /** The winner of each name, sorted by name. */
  readonly definitions: readonly AgentDefinition[];
  /** Everything that loaded, winners and losers, in the order of precedence: the last of a name wins. */
  readonly all: readonly AgentDefinition[];
  readonly diagnostics: readonly DefinitionDiagnostic[];
}

const PARALLEL_READS = 8;

/** Loads definitions from folders. Keeps nothing between calls. */
export class AgentLoader {
  /** Reads the `.md` files directly in the folders. Never throws: whatever can't be used is a diagnostic, and the rest loads. */
  async load(folders: DefinitionFolders): Promise<LoadedDefinitions> {
    const all: AgentDefinition[] = [...builtinAgents];
    const broken: ParsedDefinition[] = [];
    const diagnostics: DefinitionDiagnostic[] = [];
    for (const source of DEFINITION_SOURCES) {
      const folder = source === 'builtin' ? undefined : folders[source];
      if (folder === undefined) continue;
      const parsed = await readFolder(folder, source);
      diagnostics.push(...parsed.flatMap((file) => file.diagnostics));
      broken.push(...parsed.filter((file) => !file.definition));
      all.push(...inPrecedence(parsed, diagnostics));
    }
    const winners = new Map(all.map((definition) => [nameKey(definition.name), definition]));
    diagnostics.push(...shadowed(all, winners), ...stoodInFor(broken, winners));
    const definitions = [...winners.values()].sort((a, b) => compareText(nameKey(a.name), nameKey(b.name)));
    return { definitions, all, diagnostics };
  }
}

async function readFolder(folder: string, source: DefinitionSource): Promise<readonly ParsedDefinition[]> {
  try {
    const paths = await listMarkdown(folder);
    return await mapLimited(paths, PARALLEL_READS, async (path) => {
      const file = await readText(path);
      return 'text' in file ? parseDefinition({ ...file, source }) : { name: nameOfFile(path), diagnostics: [file.problem] };
    });
  } catch (error) {
    const diagnostic = at(folder, 'error', 'unreadable', `The folder can't be read: ${errorText(error)}`);
    return [{ name: '', diagnostics: [diagnostic] }];
  }
}

/** One folder's definitions without the duplicates: of one name the first path counts, in code unit order. */
function inPrecedence(parsed: readonly ParsedDefinition[], diagnostics: DefinitionDiagnostic[]): readonly AgentDefinition[] {
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
    diagnostics.push(at(definition.path, 'warning', 'duplicate', `Another file of this folder has the same name and is used instead: ${winner.path ?? ''}.`));
  }
  return [...losers, ...first.values()];
}

function shadowed(all: readonly AgentDefinition[], winners: ReadonlyMap<string, AgentDefinition>): readonly DefinitionDiagnostic[] {
  // The last of each folder and name: those before it have their "duplicate" already.
  const bestOfFolder = new Map(all.map((definition) => [`${definition.source} ${nameKey(definition.name)}`, definition]));
  return [...bestOfFolder.values()].flatMap((definition) => {
    const winner = winners.get(nameKey(definition.name));
    // Built-in ones have no file to mark.
    if (!winner || winner === definition || definition.path === undefined) return [];
    return [at(definition.path, 'information', 'shadowed', `Not used: "${winner.name}" is also defined in ${winner.path ?? 'the extension'}, which wins.`)];
  });
}

/** Says so where a broken file would have replaced another definition, because that one, perhaps with more rights, now runs. */
function stoodInFor(broken: readonly ParsedDefinition[], winners: ReadonlyMap<string, AgentDefinition>): readonly DefinitionDiagnostic[] {
  return broken.flatMap(({ name, diagnostics }) => {
    const winner = winners.get(nameKey(name));
    const error = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    if (!winner || !error) return [];
    return [{ ...error, severity: 'warning' as const, code: 'fallback', message: `While this file doesn't load, "${winner.name}" means the definition from ${winner.path ?? 'the runtime itself'}.` }];
  });
}

function at(path: string | undefined, severity: DefinitionDiagnostic['severity'], code: string, message: string): DefinitionDiagnostic {
  return { severity, code, message, path: path ?? '', line: 1, column: 1 };
}
