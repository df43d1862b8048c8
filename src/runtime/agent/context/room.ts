import type { ModelRef } from '../../domain/models.ts';

const DEFAULT_WINDOW = 128_000;
const DEFAULT_ANSWER = 8192;
/** How much of the room a request may take: estimates are no counts. */
const SHARE = 0.85;
/** What a refused request shows where its refusal names no number: so much of it is sure to be too much. */
const TIGHTER = 0.7;
/** A window smaller than this is no window but another number of the message. */
const SMALLEST = 500;

/** How long requests to a model may be, in tokens. */
export interface Room {
  /** What request and answer have together. */
  readonly window: number;
  /** What is kept for the answer. */
  readonly answer: number;
  /** What a request may have by estimate. */
  readonly limit: number;
}

/** @param window what the model's window turned out to be; absent: what its settings say. */
export function roomOf({ contextWindow, maxOutputTokens = DEFAULT_ANSWER }: ModelRef, window = contextWindow ?? DEFAULT_WINDOW): Room {
  // An answer as long as the window, as small local models have it, would leave no room for a request.
  const answer = Math.min(maxOutputTokens, Math.floor(window / 2));
  return { window, answer, limit: Math.floor((window - answer) * SHARE) };
}

/** The longest answer to ask for, where the model's window has no room for the one that would be asked for anyway; else nothing. */
export function answerLimit(model: ModelRef): number | undefined {
  const { answer } = roomOf(model);
  return answer < (model.maxOutputTokens ?? DEFAULT_ANSWER) ? answer : undefined;
}

/**
 * How long requests may be after one was refused as too long.
 * @param words what the provider said, which often names the window.
 * @param refused the request's estimated tokens.
 */
export function limitAfterRefusal(words: string, refused: number, model: ModelRef): number {
  const window = statedWindow(words);
  const stated = window === undefined ? Infinity : roomOf(model, window).limit;
  // A window that has room for the request means that the estimate was wrong.
  return stated < refused ? stated : Math.floor(refused * TIGHTER);
}

/** The window that the words of a refusal name: `210000 tokens > 200000 maximum`, `maximum context length is 8192 tokens`. */
export function statedWindow(words: string): number | undefined {
  const found =
    />\s*(\d[\d,_]*)/u.exec(words) ??
    /(\d[\d,_]*)(?: tokens?)? (?:is the )?maximum context/iu.exec(words) ??
    /(?:context[ _](?:length|size|window|limit)|prompt length)[^\d.]{0,30}(\d[\d,_]*)/iu.exec(words);
  const count = Number(found?.[1]?.replaceAll(/[,_]/gu, ''));
  return count >= SMALLEST ? count : undefined;
}
