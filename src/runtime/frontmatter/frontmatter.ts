import type { YAMLError } from 'yaml';
import { AppError, errorText } from '../base/errors.ts';
import type { DiagnosticData, DiagnosticSeverity } from '../domain/definitions.ts';
import { FILE_START, place, toValue, type Entry, type Position } from './values.ts';

/** A problem found in a file whose path the caller knows. */
export interface Problem {
  readonly severity: DiagnosticSeverity;
  readonly code: string;
  readonly message: string;
  readonly at: Position;
  readonly data?: DiagnosticData;
}

export interface Frontmatter {
  /** Absent when the frontmatter is missing or broken; then a problem says why. */
  readonly entries?: readonly Entry[];
  /** What stands below the frontmatter, with `\n` line ends, without blank lines at its ends. */
  readonly body: string;
  readonly problems: readonly Problem[];
}

/** The splitting library takes time that grows with the square of blank lines, so the block is bounded before it sees it. */
const MAX_BLOCK = 16_000;
const OPENING = /^---(?!-)[^\S\n]*([^\n]*)/;

/**
 * Splits a definition file and reads its YAML as data. Never throws: what is wrong comes back as problems with
 * their places. A byte order mark goes, and all line ends become `\n`, before anything else looks at the text.
 */
export async function readFrontmatter(text: string): Promise<Frontmatter> {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const refused = checkFences(source);
  if (refused) return { body: '', problems: [refused] };
  try {
    return await split(source);
  } catch (error) {
    return { body: '', problems: [{ severity: 'error', code: 'frontmatter', message: errorText(error), at: FILE_START }] };
  }
}

function checkFences(source: string): Problem | undefined {
  const error = (code: string, message: string, at: Position = FILE_START, data?: DiagnosticData): Problem => ({ severity: 'error', code, message, at, ...(data && { data }) });
  const opening = OPENING.exec(source);
  if (!opening) return error('no_frontmatter', 'The file must start with YAML frontmatter between two lines of `---`.', FILE_START, { kind: 'no_frontmatter' });
  const language = (opening[1] ?? '').trim();
  if (language !== '' && !/^ya?ml$/i.test(language)) {
    return error('language', 'Frontmatter must be YAML. Nothing else is read, and nothing in it is ever run.', { line: 1, column: 4 });
  }
  const close = source.indexOf('\n---');
  if (close < 0) return error('unclosed', 'The frontmatter has no closing line of `---`.', FILE_START, { kind: 'unclosed' });
  if (!/^[^\S\n]*(?:\n|$)/.test(source.slice(close + 4, close + 200))) {
    const line = source.slice(0, close).split('\n').length + 1;
    return error('unclosed', 'A frontmatter line that starts with `---` must hold nothing else.', { line, column: 1 });
  }
  if (close > MAX_BLOCK) return error('too_long', `The frontmatter is longer than ${MAX_BLOCK} characters. Long text belongs below it.`);
  return undefined;
}

async function split(source: string): Promise<Frontmatter> {
  const [{ default: matter }, yaml] = await Promise.all([import('gray-matter'), import('yaml')]);
  const lines = new yaml.LineCounter();
  let entries: readonly Entry[] = [];
  const problems: Problem[] = [];

  // The block that gray-matter hands over starts right behind the opening fence, so its lines count as the file's.
  const parse = (block: string): object => {
    const document = yaml.parseDocument(block, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, logLevel: 'silent' });
    const report = (severity: DiagnosticSeverity, error: YAMLError): void => {
      const [start] = error.pos;
      const length = markedLength(error, block);
      const data = yamlData(error, block.slice(start, start + length));
      problems.push({ severity, code: 'yaml', message: yamlMessage(error), at: { ...place(lines, start), end: place(lines, start + length) }, ...(data && { data }) });
    };
    for (const warning of document.warnings) report('warning', warning);
    for (const error of document.errors) report('error', error);
    if (document.errors.length > 0) return {};
    const value = toValue(yaml, document, lines);
    if (value.kind === 'map') entries = value.entries;
    else problems.push({ severity: 'error', code: 'yaml', message: 'Frontmatter must be a map of fields, such as `name: reviewer`.', at: value.at });
    return {};
  };

  const refuse = (): never => {
    throw new AppError('invalid_input', 'Frontmatter must be YAML.');
  };
  const file = matter(source, {
    // Options are always given: without them gray-matter caches by content, broken results included.
    language: 'yaml',
    engines: { yaml: { parse }, json: { parse: refuse }, javascript: { parse: refuse }, js: { parse: refuse }, coffee: { parse: refuse }, toml: { parse: refuse } },
  });
  const failed = problems.some((problem) => problem.severity === 'error');
  return { ...(failed ? {} : { entries }), body: trimBlankEnds(file.content), problems };
}

/** The first line of the library's message, with help for the mistake that people make most. */
function yamlMessage(error: YAMLError): string {
  const message = error.message.split('\n')[0] ?? error.message;
  return /compact mappings|implicit key/i.test(message) ? `${message}. A value that contains ": " must be quoted.` : message;
}

/** Characters from the start of the error on: the key that stands there twice, the indentation, or the rest of the line. */
function markedLength({ code, pos: [start] }: YAMLError, block: string): number {
  const rest = /^.*/.exec(block.slice(start))?.[0].trimEnd() ?? '';
  if (code === 'TAB_AS_INDENT') return /^\t+/.exec(rest)?.[0].length ?? 1;
  return code === 'DUPLICATE_KEY' ? (/^[^:]*/.exec(rest)?.[0].trimEnd().length ?? 0) : rest.length;
}

function yamlData({ code }: YAMLError, marked: string): DiagnosticData | undefined {
  switch (code) {
    case 'TAB_AS_INDENT':
      return { kind: 'tabs' };
    case 'DUPLICATE_KEY':
      return { kind: 'twice', field: marked };
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'BAD_SCALAR_START':
      return { kind: 'unquoted' };
    default:
      return undefined;
  }
}

function trimBlankEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}
