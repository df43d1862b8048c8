import { basename } from 'node:path';
import { oneLine } from '../base/text.ts';
import type { AgentDefinition, DefinitionDiagnostic, DefinitionSource } from '../domain/definitions.ts';
import { readFrontmatter } from './frontmatter.ts';
import { readFields } from './schema.ts';
import { FILE_START } from './values.ts';

const MAX_PROBLEMS = 50;

export interface DefinitionFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly source: DefinitionSource;
}

export interface ParsedDefinition {
  /** The name that the file claims, also when it doesn't load; its base name where none can be read. */
  readonly name: string;
  /** Absent exactly when there is an error among the diagnostics. */
  readonly definition?: AgentDefinition;
  /** In the order of the file. */
  readonly diagnostics: readonly DefinitionDiagnostic[];
}

/** Reads one definition file. Never throws, runs nothing, and gives the same answer for the same text every time. */
export async function parseDefinition({ path, text, source }: DefinitionFile): Promise<ParsedDefinition> {
  const { entries, body, problems } = await readFrontmatter(text);
  const read = readFields(entries ?? [], nameOfFile(path));
  const all = entries ? [...problems, ...read.problems] : [...problems];
  if (entries && body === '') {
    all.push({ severity: 'information', code: 'no_prompt', message: 'There is no text below the frontmatter, so this agent has no system prompt of its own.', at: FILE_START });
  }
  const diagnostics = bounded(all.map(({ at, ...problem }) => ({ ...problem, path, ...at })).sort((a, b) => a.line - b.line || a.column - b.column));
  // With broken frontmatter there are no entries, hence no description, hence no fields.
  if (!read.fields) return { name: read.name, diagnostics };
  return { name: read.name, diagnostics, definition: { ...read.fields, prompt: body, source, path } };
}

/** The first of very many problems, errors before the rest: a broken file can give thousands. */
function bounded(diagnostics: readonly DefinitionDiagnostic[]): readonly DefinitionDiagnostic[] {
  if (diagnostics.length <= MAX_PROBLEMS) return diagnostics;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return [...errors, ...diagnostics.filter(({ severity }) => severity !== 'error')].slice(0, MAX_PROBLEMS);
}

/** The name of a definition that doesn't say its own. */
export function nameOfFile(path: string): string {
  return oneLine(basename(path).replace(/\.md$/i, '')) || 'unnamed';
}
