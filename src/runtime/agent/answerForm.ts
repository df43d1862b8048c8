import { errorText } from '../base/errors.ts';
import { truncate } from '../base/text.ts';
import type { RunOutcome } from '../domain/agents.ts';
import { textMessage, type Message, type UserMessage } from '../domain/messages.ts';
import type { JsonSchema } from '../domain/tools.ts';
import { schemaProblem, valueProblem } from '../tools/schema.ts';

/** UTF-16 units of what is said to be wrong. */
const PROBLEM_LENGTH = 1500;

/** What the end of a run comes to: its outcome, or a message with which the model is asked for another answer. */
export type JudgedEnd = { readonly kind: 'outcome'; readonly outcome: RunOutcome } | { readonly kind: 'repair'; readonly message: UserMessage };

type Reading = { readonly ok: true; readonly json: string; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Holds the answers of one round to a schema. The model is asked once, and no more, for a better one. */
export class AnswerForm {
  readonly #schema: JsonSchema;
  #hasAsked: boolean;

  /** @param round what was said in the round so far, if it goes on. */
  constructor(schema: JsonSchema, round: readonly Message[] = []) {
    this.#schema = schema;
    this.#hasAsked = round.some((message) => message.role === 'user' && message.source === 'repair');
  }

  /** The failure of a run whose schema can't be used, which then needn't ask its model; nothing where it can. */
  async refusal(): Promise<RunOutcome | undefined> {
    const problem = await schemaProblem(this.#schema);
    if (problem === undefined) return undefined;
    return { status: 'failed', reason: 'schema', message: `The \`resultSchema\` of its definition can't be used: ${truncate(problem, PROBLEM_LENGTH)}. Correct it, and delegate the task anew.` };
  }

  /**
   * Judges the end of a run. An answer in the right form becomes its JSON text; any other end than an answer stays as
   * it is.
   * @param canGoOn whether the model has a turn left.
   */
  async judge(end: RunOutcome, canGoOn: boolean): Promise<JudgedEnd> {
    const isAnswer = end.status === 'completed' || (end.status === 'failed' && end.reason === 'no_text');
    if (!isAnswer) return { kind: 'outcome', outcome: end };
    const answer = end.status === 'completed' ? end.text : '';
    const read = await this.#read(answer);
    if (read.ok) return { kind: 'outcome', outcome: { status: 'completed', text: read.json } };
    const problem = truncate(read.problem, PROBLEM_LENGTH);
    if (!canGoOn || this.#hasAsked) {
      const partialText = end.status === 'completed' ? end.text : end.partialText;
      return { kind: 'outcome', outcome: { status: 'failed', reason: 'schema', message: problem, ...(partialText && { partialText }) } };
    }
    this.#hasAsked = true;
    return { kind: 'repair', message: textMessage(repairText(problem), 'repair') };
  }

  async #read(answer: string): Promise<Reading> {
    const read = readJson(answer);
    if (!read.ok) return read;
    const problem = await valueProblem(this.#schema, read.value, 'the answer');
    return problem === undefined ? read : { ok: false, problem };
  }
}

function repairText(problem: string): string {
  return `Your answer isn't what was asked for: ${problem}
Give the whole answer again as one JSON value that matches the JSON Schema in your instructions, with no text before or after it. If it is wrong again, your work counts as failed.`;
}

/** The JSON that an answer is, or that its only block of JSON holds. */
function readJson(answer: string): Reading {
  if (answer === '') return { ok: false, problem: 'the answer is empty.' };
  const whole = parse(answer);
  if (whole.ok) return whole;
  const [block, ...others] = jsonBlocks(answer);
  if (block === undefined) return whole;
  return others.length === 0 ? parse(block) : { ok: false, problem: `the answer has ${others.length + 1} blocks of JSON where one is wanted.` };
}

function parse(json: string): Reading {
  try {
    return { ok: true, json, value: JSON.parse(json) as unknown };
  } catch (error) {
    return { ok: false, problem: `the answer is not valid JSON (${errorText(error)}).` };
  }
}

/** What stands in the fenced blocks that are marked as JSON. No JSON has a fence on a line inside. */
function jsonBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let open: { readonly fence: string; readonly isJson: boolean; readonly lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, fence = '', info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (!open) {
      if (fence !== '') open = { fence, isJson: /^\s*json(?:\s|$)/i.test(info), lines: [] };
    } else if (fence.startsWith(open.fence) && info.trim() === '') {
      if (open.isJson) blocks.push(open.lines.join('\n').trim());
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  return blocks;
}
