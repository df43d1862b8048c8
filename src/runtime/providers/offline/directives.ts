import { canonicalJson } from '../../base/json.ts';
import { plural } from '../../base/text.ts';
import type { ModelRequest } from '../../domain/models.ts';
import { isObject, parseJson } from '../json.ts';
import { DEMO_NOTE, firstLine, offers, type DoneCall, type PlannedCall, type Step } from './step.ts';

/** An order that a prompt gives literally. */
export type Directive =
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'sleep'; readonly seconds: number }
  | { readonly kind: 'ask'; readonly input: AskInput }
  /** Any tool by its name. */
  | { readonly kind: 'call'; readonly tool: string; readonly input: PlannedCall['input'] }
  | { readonly kind: 'fail'; readonly reason: string };

/** What `AskUser` takes. */
interface AskInput {
  readonly question: string;
  readonly options?: readonly { readonly label: string }[];
  readonly multiple?: true;
}

const BULLET = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?/u;
const WRITE = /^write\s+(?:"([^"]+)"|`([^`]+)`|((?:[A-Za-z]:[\\/])?[^\s:]+))\s*:(?:\s(.*))?$/iu;
const WRITE_TIGHT = /^write\s+([^\s:]+):((?!\/\/)\S.*)$/iu;
/** "Run the tests" is prose, and no command begins with an article. */
const RUN = /^run\s+(?!(?:the|a|an|all|any|every|my|our|your|this|that|these|those|some)\s)(\S.*)$/iu;
/** Without an input it could be prose: "call me". */
const CALL = /^call\s+`?([\w-]{1,64})`?\s+(\{.*\})\.?$/iu;
const MAX_SLEEP_SECONDS = 24 * 60 * 60;
const OUTPUT_LINES = 20;

/** The directive that a line is, if it is one. */
export function parseDirective(line: string): Directive | undefined {
  const text = line.replace(BULLET, '').trim();
  const write = WRITE.exec(text);
  if (write) return { kind: 'write', file: write[1] ?? write[2] ?? write[3] ?? '', text: write[4] ?? '' };
  const tight = WRITE_TIGHT.exec(text);
  if (tight) return { kind: 'write', file: tight[1] ?? '', text: tight[2] ?? '' };
  const run = RUN.exec(text);
  if (run) return { kind: 'run', command: unquote(run[1] ?? '') };
  const sleep = /^sleep\s+(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?\.?$/iu.exec(text);
  if (sleep) return { kind: 'sleep', seconds: Math.min(Number(sleep[1]), MAX_SLEEP_SECONDS) };
  const ask = /^ask\s+(\S.*)$/iu.exec(text);
  if (ask) return { kind: 'ask', input: askInput(ask[1] ?? '') };
  const call = CALL.exec(text);
  const input = call && parseJson(call[2] ?? '')?.value;
  if (call && isObject(input)) return { kind: 'call', tool: call[1] ?? '', input };
  const fail = /^fail(?:\s*:\s*(.*))?[.!]?$/iu.exec(text);
  if (fail) return { kind: 'fail', reason: fail[1]?.trim() || 'the prompt said so' };
  return undefined;
}

/** `Which one? [red | blue]`, or `[any of: red | blue]` where several may be chosen. Brackets without a bar belong to the question. */
function askInput(text: string): AskInput {
  const [, question, any, list] = /^(.*\S)\s*\[\s*(any of:)?([^[\]]*\|[^[\]]*)\]$/iu.exec(text) ?? [];
  const options = (list ?? '').split('|').map((label) => ({ label: label.trim() })).filter(({ label }) => label !== '');
  return question === undefined || options.length < 2 ? { question: text } : { question, options, ...(any !== undefined && { multiple: true }) };
}

/** All directives of a prompt, in order. */
export function parseDirectives(prompt: string): readonly Directive[] {
  return prompt.split(/\r\n?|\n/).flatMap((line) => parseDirective(line.slice(0, 10_000)) ?? []);
}

/** The directives of a text that consists of nothing but calls, none of them an item of a list. */
export function plainCalls(text: string): readonly Directive[] {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim()).filter((line) => line !== '');
  const calls = lines.flatMap((line) => (CALL.test(line) ? (parseDirective(line) ?? []) : []));
  return calls.length === lines.length ? calls : [];
}

/**
 * The next step of a list of directives. What was done before is read off the calls made so far, in order, so the
 * same request always gives the same step.
 */
export function directiveStep(directives: readonly Directive[], done: readonly DoneCall[], request: ModelRequest): Step {
  const rest = [...done];
  const report: string[] = [];
  const waits: number[] = [];
  for (const directive of directives) {
    if (directive.kind === 'sleep') {
      // A result further on means that this wait was over in an earlier turn.
      if (rest.length === 0) waits.push(directive.seconds);
      report.push(`- Waited ${directive.seconds} s.`);
      continue;
    }
    if (directive.kind === 'fail') return { waits, failure: `The offline demo failed on request: ${directive.reason}.` };
    const outcome = perform(directive, rest, request);
    if (outcome.call) return { waits, calls: [outcome.call] };
    report.push(`- ${outcome.line ?? ''}`);
  }
  return { waits, text: [`Handled ${plural(directives.length, 'instruction')} of the prompt, in order.`, '', ...report, '', DEMO_NOTE].join('\n') };
}

type Outcome = { readonly call: PlannedCall; readonly line?: never } | { readonly line: string; readonly call?: never };

/** Takes the results that belong to a directive off the front of the list, or gives its next call. */
function perform(directive: Exclude<Directive, { kind: 'sleep' | 'fail' }>, rest: DoneCall[], request: ModelRequest): Outcome {
  switch (directive.kind) {
    case 'write':
      return performWrite(directive.file, directive.text, rest, request);
    case 'run': {
      const result = take(rest, request, 'Bash', { command: directive.command });
      if (result === 'unavailable') return { line: `Not run: \`${directive.command}\`. This agent has no shell.` };
      if ('call' in result) return result;
      return { line: `${result.isError ? 'Failed or refused' : 'Ran'}: \`${directive.command}\`\n${indented(result.result)}` };
    }
    case 'ask': {
      const { input } = directive;
      const look = findFirst(rest, request, 'AskUser');
      if (look) return { call: look };
      const result = take(rest, request, 'AskUser', { ...input });
      if (result === 'unavailable') return { line: `Not asked: “${input.question}”. Asking isn't available to this agent.` };
      if ('call' in result) return result;
      return { line: `Asked: “${input.question}” ${result.isError ? 'No answer' : 'Answer'}: ${firstLine(result.result) || '(empty)'}` };
    }
    case 'call': {
      const look = findFirst(rest, request, directive.tool);
      if (look) return { call: look };
      const result = take(rest, request, directive.tool, directive.input);
      if (result === 'unavailable') return { line: `Not called: \`${directive.tool}\`. This agent has no such tool.` };
      if ('call' in result) return result;
      return { line: `${result.isError ? 'Failed or refused' : 'Called'}: \`${directive.tool}\`\n${indented(result.result)}` };
    }
  }
}

function performWrite(file: string, text: string, rest: DoneCall[], request: ModelRequest): Outcome {
  if (!offers(request, 'Write')) return { line: `Not written: \`${file}\`. This agent has no tool for writing.` };
  // Writing over a file needs a look at it first; that there is none yet is fine.
  const read = take(rest, request, 'Read', { file_path: file });
  if (read !== 'unavailable') {
    if ('call' in read) return read;
    if (read.isError && isRefusal(read.result)) return { line: `Not written: \`${file}\`. Reading it first was refused: ${firstLine(read.result)}` };
  }
  const write = take(rest, request, 'Write', { file_path: file, content: text });
  if (write === 'unavailable') return { line: `Not written: \`${file}\`.` };
  if ('call' in write) return write;
  return { line: write.isError ? `Not written: \`${file}\`. ${firstLine(write.result)}` : `Wrote \`${file}\` (${text.length} characters).` };
}

function take(rest: DoneCall[], request: ModelRequest, name: string, input: PlannedCall['input']): DoneCall | { readonly call: PlannedCall } | 'unavailable' {
  const [next] = rest;
  if (next?.name === name && canonicalJson(next.input) === canonicalJson(input)) {
    rest.shift();
    return next;
  }
  return offers(request, name) ? { call: { name, input } } : 'unavailable';
}

/** The look for a tool that waits to be found, unless it was made already. */
function findFirst(rest: DoneCall[], request: ModelRequest, tool: string): PlannedCall | undefined {
  const input = { query: `select:${tool}` };
  const [next] = rest;
  if (next?.name === 'FindTool' && canonicalJson(next.input) === canonicalJson(input)) {
    rest.shift();
    return undefined;
  }
  // One that was called before is there without another look.
  return next?.name === tool || offers(request, tool) || !offers(request, 'FindTool') ? undefined : { name: 'FindTool', input };
}

function isRefusal(text: string): boolean {
  return /\b(?:den(?:y|ied)|refused|rejected|not allowed|permission|cancelled|aborted)\b/iu.test(text);
}

function unquote(command: string): string {
  return /^`([^`]+)`\.?$/u.exec(command)?.[1] ?? command;
}

/** Output as a code block inside a list item. Its fence is longer than any in the output. */
function indented(output: string): string {
  const lines = output.trimEnd().split('\n');
  const shown = lines.slice(0, OUTPUT_LINES).map((line) => firstLine(line));
  const longest = Math.max(2, ...shown.flatMap((line) => line.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const more = lines.length > OUTPUT_LINES ? [`… ${plural(lines.length - OUTPUT_LINES, 'more line')}`] : [];
  return [`${fence}text`, ...shown, ...more, fence].map((line) => `  ${line}`).join('\n');
}
