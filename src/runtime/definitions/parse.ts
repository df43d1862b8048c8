import { basename } from 'node:path';
import { oneLine } from '../base/text.ts';
import type { AgentDefinition, DefinitionDiagnostic, DefinitionSource } from '../domain/definitions.ts';
import type { ReadContext } from './context.ts';
import { diagnosticsOf } from '../frontmatter/diagnostics.ts';
import { readFrontmatter } from '../frontmatter/frontmatter.ts';
import { SOURCE_FORMATS } from './interop.ts';
import { readFields } from './schema.ts';
import { FILE_START } from '../frontmatter/values.ts';

export interface DefinitionFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** SHA-256 of its bytes, in hex. */
  readonly hash?: string;
  readonly source: DefinitionSource;
}

/** What names of models mean where the definitions are used. */
export type ParseOptions = Omit<ReadContext, 'format'>;

export interface ParsedDefinition {
  /** The name that the file claims, also when it doesn't load; its base name where none can be read. */
  readonly name: string;
  /** Absent when there is an error among the diagnostics, and for a file that is only documentation. */
  readonly definition?: AgentDefinition;
  /** In the order of the file. */
  readonly diagnostics: readonly DefinitionDiagnostic[];
}

/** Reads one definition file. Never throws, runs nothing, and gives the same answer for the same text every time. */
export async function parseDefinition({ path, text, hash, source }: DefinitionFile, options: ParseOptions = {}): Promise<ParsedDefinition> {
  const format = SOURCE_FORMATS[source];
  const { entries, body, problems } = await readFrontmatter(text);
  if (format !== 'own' && isReadme(path) && problems.some(({ code }) => code === 'no_frontmatter')) return { name: '', diagnostics: [documentation(path)] };
  const read = readFields(entries ?? [], nameOfFile(path), { ...options, format });
  const all = entries ? [...problems, ...read.problems] : [...problems];
  if (entries && body === '') {
    all.push({ severity: 'information', code: 'no_prompt', message: 'There is no text below the frontmatter, so this agent has no system prompt of its own.', at: FILE_START });
  }
  const diagnostics = diagnosticsOf(path, all);
  // With broken frontmatter there are no entries, hence no description, hence no fields.
  if (!read.fields) return { name: read.name, diagnostics };
  return { name: read.name, diagnostics, definition: { ...read.fields, prompt: body, source, path, ...(hash !== undefined && { hash }) } };
}

/** The name of a definition that doesn't say its own. */
export function nameOfFile(path: string): string {
  return oneLine(basename(path).replace(/(?:\.agent)?\.md$/i, '')) || 'unnamed';
}

/** Other products' folders hold one beside the agents. */
function isReadme(path: string): boolean {
  return basename(path).toLowerCase() === 'readme.md';
}

function documentation(path: string): DefinitionDiagnostic {
  return { severity: 'information', code: 'documentation', message: 'A file of this name without frontmatter is read as documentation, not as an agent.', path, ...FILE_START };
}
