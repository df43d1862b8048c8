import { plural } from '../../base/text.ts';
import type { ModelRequest } from '../../domain/models.ts';
import { numberedLines, outline, parseHits, parsePaths, topPlaces, type Hit } from './search.ts';
import { DEMO_NOTE, firstLine, inputText, offers, type DoneCall } from './step.ts';
import { escapePattern, type Term, type Terms } from './terms.ts';

const MAX_FINDINGS = 12;
const MAX_OUTLINE = 8;
const MAX_LISTED = 20;

interface Search {
  readonly term: Term;
  readonly hits: readonly Hit[];
  /** Absent where the search wasn't made. */
  readonly call?: DoneCall;
}

/** What the searches and reads of a run came to, with places, and as plainly what they did not. */
export function searchReport(terms: Terms, done: readonly DoneCall[], request: ModelRequest): string {
  const searches = terms.words.map((term): Search => {
    const call = done.find((candidate) => candidate.name === 'Grep' && inputText(candidate, 'pattern') === escapePattern(term.text));
    return { term, hits: call && !call.isError ? parseHits(call.result) : [], ...(call ? { call } : {}) };
  });
  const outlines = contextOf(done);
  const findings = rank(searches.map(({ hits }) => hits));
  const found = searches.filter(({ hits }) => hits.length > 0);
  return sections([
    lead(findings.length, found.length, searches.length, terms.files, outlines.length),
    section('Findings', findings.slice(0, MAX_FINDINGS).map((hit) => `- ${place(hit)}${inside(hit, outlines)}`), findings.length - MAX_FINDINGS),
    ...namedFiles(terms, done),
    section('Searched for', searches.map(searched)),
    section('Read', done.filter((call) => call.name === 'Read' && !call.isError).map(readLine)),
    section('Files with such a name', fileNames(done)),
    section('Problems', problems(done, terms, request)),
    DEMO_NOTE,
  ]);
}

/** What lies at the top of the workspace, for a prompt that names nothing. */
export function overviewReport(done: readonly DoneCall[], request: ModelRequest): string {
  const paths = done.filter(({ name, isError }) => name === 'Glob' && !isError).flatMap(({ result }) => parsePaths(result));
  const readme = done.find(({ name, isError }) => name === 'Read' && !isError);
  return sections([
    'The prompt names nothing that could be searched for: no quoted word, file name, identifier or telling word.',
    section('At the top of the workspace', paths.slice(0, MAX_LISTED).map((path) => `- ${path}`), paths.length - MAX_LISTED),
    readme ? section(`First lines of ${inputText(readme, 'file_path') ?? 'the read-me'}`, numberedLines(readme.result).filter(({ text }) => text.trim() !== '').slice(0, 5).map(({ text }) => `> ${firstLine(text)}`)) : '',
    section('Problems', problems(done, { files: [], words: [] }, request)),
    DEMO_NOTE,
  ]);
}

function lead(hits: number, found: number, searched: number, files: readonly string[], read: number): string {
  const about = searched > 0 ? `${hits === 0 ? 'No matches' : plural(hits, 'matching line')} for ${found} of ${plural(searched, 'term')}` : '';
  const named = files.length > 0 ? `${plural(files.length, 'file')} named by the prompt looked up` : '';
  const base = [about, named].filter((text) => text !== '').join('; ');
  return `${base === '' ? 'Nothing searched' : base}${read > 0 ? `; ${plural(read, 'place')} read` : ''}.`;
}

/** The best files first, their lines in order, no line twice. */
function rank(searches: readonly (readonly Hit[])[]): readonly Hit[] {
  const order = new Map(topPlaces(searches, Number.MAX_SAFE_INTEGER).map(({ path }, index) => [path, index]));
  const unique = new Map(searches.flat().map((hit) => [`${hit.path}:${hit.line}`, hit]));
  return [...unique.values()].sort((a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0) || a.line - b.line);
}

/** A part of a file that was read: up to which line, and what it declares. */
interface ReadPart {
  readonly path: string;
  readonly last: number;
  readonly declarations: readonly Hit[];
}

function contextOf(done: readonly DoneCall[]): readonly ReadPart[] {
  return done.filter(({ name, isError }) => name === 'Read' && !isError).map((call) => {
    const path = inputText(call, 'file_path') ?? '';
    return { path, last: numberedLines(call.result).at(-1)?.line ?? 0, declarations: outline(path, call.result) };
  });
}

function inside(hit: Hit, parts: readonly ReadPart[]): string {
  const part = parts.find(({ path, last }) => path === hit.path && hit.line <= last);
  const enclosing = part?.declarations.findLast(({ line }) => line <= hit.line);
  return enclosing && enclosing.line < hit.line ? ` (below line ${enclosing.line}, \`${firstLine(enclosing.text, 60)}\`)` : '';
}

function namedFiles(terms: Terms, done: readonly DoneCall[]): readonly string[] {
  return terms.files.map((file) => {
    const call = done.find((read) => read.name === 'Read' && !read.isError && (inputText(read, 'file_path') ?? '').endsWith(file));
    if (!call) return '';
    const path = inputText(call, 'file_path') ?? file;
    const declarations = outline(path, call.result);
    const lines = declarations.length > 0 ? declarations : numberedLines(call.result).filter(({ text }) => text.trim() !== '').map((line) => ({ ...line, path }));
    return section(`In ${path}`, lines.slice(0, MAX_OUTLINE).map((hit) => `- ${place(hit)}`), lines.length - MAX_OUTLINE);
  });
}

function searched({ term, hits, call }: Search): string {
  const files = new Set(hits.map(({ path }) => path)).size;
  const outcome = !call ? 'not searched' : call.isError ? 'the search failed' : hits.length === 0 ? 'not found' : `${plural(hits.length, 'line')} in ${plural(files, 'file')}`;
  return `- \`${term.text}\`: ${outcome}`;
}

function readLine(call: DoneCall): string {
  const lines = numberedLines(call.result);
  const [first, last] = [lines[0]?.line, lines.at(-1)?.line];
  return `- ${inputText(call, 'file_path') ?? ''}${first === undefined || last === undefined ? '' : `, lines ${first} to ${last}`}`;
}

function fileNames(done: readonly DoneCall[]): readonly string[] {
  const globs = done.filter(({ name, isError }) => name === 'Glob' && !isError);
  return globs.flatMap((call) => {
    const paths = parsePaths(call.result);
    const pattern = inputText(call, 'pattern') ?? '';
    return paths.length === 0 ? [`- \`${pattern}\`: none`] : paths.slice(0, 5).map((path) => `- ${path}`);
  });
}

function problems(done: readonly DoneCall[], terms: Terms, request: ModelRequest): readonly string[] {
  const failed = done.filter(({ isError }) => isError).map((call) => `- ${call.name} ${subject(call)} didn't work: ${firstLine(call.result) || 'no reason given'}`);
  const missing = [
    terms.words.length > 0 && !offers(request, 'Grep') ? 'Grep' : '',
    terms.files.length > 0 && !offers(request, 'Read') ? 'Read' : '',
    terms.files.length + terms.words.length === 0 && !offers(request, 'Glob') ? 'Glob' : '',
  ].filter((name) => name !== '');
  return [...failed, ...missing.map((name) => `- ${name} isn't available to this agent.`)];
}

function subject(call: DoneCall): string {
  return `\`${firstLine(inputText(call, 'pattern') ?? inputText(call, 'file_path') ?? '', 80)}\``;
}

function place({ path, line, text }: Hit): string {
  return `${path}:${line} — ${firstLine(text, 160)}`;
}

function section(title: string, lines: readonly string[], more = 0): string {
  if (lines.length === 0) return '';
  return [`**${title}**`, ...lines, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n');
}

function sections(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
