import type { ModelRequest } from '../../domain/models.ts';
import { directiveStep, parseDirectives } from './directives.ts';
import { overviewReport, searchReport } from './report.ts';
import { parseHits, parsePaths, topPlaces } from './search.ts';
import { inputText, offers, type DoneCall, type PlannedCall, type Step } from './step.ts';
import { escapePattern, findTerms, nameGlob, type Terms } from './terms.ts';
import { workOf } from './work.ts';

const GREP_LIMIT = 20;
const LINES_BEFORE = 10;
const LINES_READ = 40;
const FILE_LINES = 120;
const NAME_SEARCHES = 2;

/** The next step of an agent that works by itself: the prompt's directives, or else a search for what it names. */
export function childStep(request: ModelRequest): Step {
  const { prompt, turns, retry } = workOf(request.messages);
  if (retry) return { calls: [retry] };
  const directives = parseDirectives(prompt);
  if (directives.length > 0) return directiveStep(directives, turns.flat(), request);
  const terms = findTerms(prompt);
  const named = terms.files.length + terms.words.length > 0;
  const calls = named ? searchCalls(terms, turns, request) : overviewCalls(turns, request);
  const usable = calls.filter(({ name }) => offers(request, name));
  if (usable.length > 0) return { ...(turns.length === 0 ? { text: opening(terms) } : {}), calls: usable };
  return { text: named ? searchReport(terms, turns.flat(), request) : overviewReport(turns.flat(), request) };
}

function opening({ files, words }: Terms): string {
  const names = [...files, ...words.map(({ text }) => text)].map((name) => `\`${name}\``).join(', ');
  return names === '' ? 'The prompt names nothing to search for; looking at what is here.\n' : `Looking for ${names}.\n`;
}

/** First the searches, all at once; then reading around what they found, and names of files for what they didn't; then nothing more. */
function searchCalls(terms: Terms, turns: readonly (readonly DoneCall[])[], request: ModelRequest): readonly PlannedCall[] {
  const [first] = turns;
  if (!first) return firstSearches(terms, request);
  if (turns.length > 1) return [];
  const searches = first.filter(({ name, isError }) => name === 'Grep' && !isError);
  const missed = searches.filter(({ result }) => parseHits(result).length === 0).slice(0, NAME_SEARCHES);
  const listed = first.filter(({ name, isError }) => name === 'Glob' && !isError).flatMap(({ result }) => parsePaths(result).slice(0, 1));
  const whole = [...new Set(listed)];
  // What the prompt names is read from its start, so a hit up there needs no reading of its own.
  const fromStart = [...whole, ...first.filter(({ name, isError }) => name === 'Read' && !isError).map((call) => inputText(call, 'file_path'))];
  const places = topPlaces(searches.map(({ result }) => parseHits(result))).filter(({ path, line }) => line > FILE_LINES || !fromStart.includes(path));
  return [
    ...places.map(({ path, line }) => read(path, Math.max(1, line - LINES_BEFORE), LINES_READ)),
    ...whole.map((path) => read(path, 1, FILE_LINES)),
    ...missed.flatMap((call) => {
      const term = terms.words.find(({ text }) => escapePattern(text) === inputText(call, 'pattern'));
      return term ? [{ name: 'Glob', input: { pattern: nameGlob(term.text) } }] : [];
    }),
  ];
}

function firstSearches(terms: Terms, request: ModelRequest): readonly PlannedCall[] {
  return [
    ...terms.words.map(({ text, exact }) => ({
      name: 'Grep',
      input: { pattern: escapePattern(text), output_mode: 'content', head_limit: GREP_LIMIT, ...(exact ? {} : { case_insensitive: true }) },
    })),
    // A path is read as it stands. A bare name may lie anywhere.
    ...terms.files.map((file) => (file.includes('/') || !offers(request, 'Glob') ? read(file, 1, FILE_LINES) : { name: 'Glob', input: { pattern: `**/${file}` } })),
  ];
}

/** With nothing to search for: what lies at the top, and the read-me. */
function overviewCalls(turns: readonly (readonly DoneCall[])[], request: ModelRequest): readonly PlannedCall[] {
  if (turns.length === 0) return [{ name: 'Glob', input: { pattern: '*' } }];
  if (turns.length > 1) return [];
  const listed = turns.flat().filter(({ name, isError }) => name === 'Glob' && !isError).flatMap(({ result }) => parsePaths(result));
  const readme = listed.find((path) => /(?:^|[/\\])readme(?:\.\w+)?$/iu.test(path));
  return readme && offers(request, 'Read') ? [read(readme, 1, LINES_READ)] : [];
}

function read(path: string, offset: number, limit: number): PlannedCall {
  return { name: 'Read', input: { file_path: path, offset, limit } };
}
