import { mapLimited } from '../base/async.ts';
import type { AgentDefinition, DefinitionDiagnostic, DefinitionSource } from '../domain/definitions.ts';
import { builtinAgents } from './builtin.ts';
import { readText } from '../frontmatter/files.ts';
import { compareText, nameKey } from './names.ts';
import { nameOfFile, parseDefinition, type ParsedDefinition, type ParseOptions } from './parse.ts';
import { inPrecedence, shadowed, stoodInFor } from './precedence.ts';
import { scanSources, type DefinitionFolders, type SourceScan } from './scan.ts';

export interface LoadedDefinitions {
  /** The winner of each name, sorted by name. */
  readonly definitions: readonly AgentDefinition[];
  /** Everything that loaded, winners and losers, in the order of precedence: the last of a name wins. */
  readonly all: readonly AgentDefinition[];
  /** Files that are to be definitions and don't load, in the order of precedence; the diagnostics say why. */
  readonly refused: readonly RefusedFile[];
  readonly diagnostics: readonly DefinitionDiagnostic[];
}

/** `name`: the one that it claims, else its base name. */
export interface RefusedFile {
  readonly name: string;
  readonly source: DefinitionSource;
  readonly path: string;
}

const PARALLEL_READS = 8;

/** Loads definitions from folders. Keeps nothing between calls. */
export class AgentLoader {
  /**
   * Reads the `.md` files of the folders, in the format that belongs to each source; of Claude's also those in
   * subfolders. Never throws: whatever can't be used is a diagnostic, and the rest loads.
   */
  async load(folders: DefinitionFolders, options: ParseOptions = {}): Promise<LoadedDefinitions> {
    return this.read(await scanSources(folders), options);
  }

  /**
   * Reads what a scan found. Never throws.
   * @param inCode definitions that win over all files
   */
  async read(scans: readonly SourceScan[], options: ParseOptions = {}, inCode: readonly AgentDefinition[] = []): Promise<LoadedDefinitions> {
    const all: AgentDefinition[] = [...builtinAgents];
    const broken: ParsedDefinition[] = [];
    const refused: RefusedFile[] = [];
    const diagnostics: DefinitionDiagnostic[] = [];
    for (const { source, files, problems } of scans) {
      const parsed = await mapLimited(files, PARALLEL_READS, ({ path }) => readDefinition(path, source, options));
      diagnostics.push(...problems, ...parsed.flatMap((file) => file.diagnostics));
      broken.push(...parsed.filter((file) => !file.definition));
      refused.push(...files.flatMap(({ path }, index) => refusedFile(path, source, parsed[index])));
      all.push(...inPrecedence(parsed, diagnostics));
    }
    all.push(...inCode);
    const winners = new Map(all.map((definition) => [nameKey(definition.name), definition]));
    diagnostics.push(...shadowed(all, winners), ...stoodInFor(broken, winners));
    const definitions = [...winners.values()].sort((a, b) => compareText(nameKey(a.name), nameKey(b.name)));
    return { definitions, all, refused, diagnostics };
  }
}

async function readDefinition(path: string, source: DefinitionSource, options: ParseOptions): Promise<ParsedDefinition> {
  const file = await readText(path);
  return 'text' in file ? parseDefinition({ ...file, source }, options) : { name: nameOfFile(path), diagnostics: [file.problem] };
}

/** A folder, and a file that is only documentation, were never to be one. */
function refusedFile(path: string, source: DefinitionSource, parsed: ParsedDefinition | undefined): readonly RefusedFile[] {
  const hasError = parsed?.diagnostics.some(({ severity }) => severity === 'error') === true;
  return parsed === undefined || parsed.definition !== undefined || !hasError ? [] : [{ name: parsed.name, source, path }];
}
