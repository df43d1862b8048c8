import { errorText, fieldOf } from '../../runtime/base/errors.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ModelError, ModelFailure } from '../../runtime/domain/models.ts';
import { failureOfSigns } from '../../runtime/providers/classify.ts';
import { maskKey } from '../../runtime/providers/secrets.ts';

const MAX_WORDS = 500;
const MAX_READ = 10_000;

/**
 * What VS Code's own codes and the names of Copilot's errors say. A block lasts: asking again at once prolongs it.
 */
const BY_CODE: Readonly<Record<string, { readonly failure: ModelFailure; readonly words: (model: string) => string }>> = {
  NoPermissions: { failure: 'auth', words: (model) => `Subagent Panel has no permission to use the model ${model}. Run "Chat: Manage Language Model Access..." and allow it, or send the message again and choose Allow.` },
  NotFound: { failure: 'bad_request', words: goneWords },
  Blocked: { failure: 'quota', words: (model) => `The model ${model} is blocked for Subagent Panel at the moment. Wait before you try again, or pick another model.` },
  ChatQuotaExceeded: { failure: 'quota', words: (model) => `The quota for the model ${model} is used up. Pick another model, or try again when it is renewed.` },
  ChatRateLimited: { failure: 'rate_limited', words: (model) => `The model ${model} gets too many requests.` },
};

/** Where only the wording says it; Copilot hands on most of what its service answers as a text alone. */
const BY_WORDS: readonly (readonly [ModelFailure, RegExp])[] = [
  ['context', /exceeds? (?:the )?(?:token|prompt token|context) (?:limit|count)|too many tokens/iu],
  ['network', /net::ERR_|fetch failed|socket hang up|\bE(?:CONNRESET|CONNREFUSED|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)\b/u],
  ['server', /\bserver error\b|\bstatus(?: code)?:? 5\d\d\b/iu],
];

/** The failure of a model that was looked for and isn't there. `model`: as `vendor/id`. */
export function goneFailure(model: string): ModelError {
  return { failure: 'bad_request', message: goneWords(model) };
}

/** What became of a request to a model of the editor, in words, from whatever was thrown. `model`: as `vendor/id`. */
export function editorFailure(error: unknown, model: string): ModelError {
  const known = codesOf(error).flatMap((code) => (Object.hasOwn(BY_CODE, code) ? [BY_CODE[code]] : []))[0];
  const said = saidBy(error);
  const quoted = said === '' ? '' : ` It said: ${/[.!?…]$/u.test(said) ? said : `${said}.`}`;
  if (known) return { failure: known.failure, message: `${known.words(model)}${quoted}` };
  return { failure: failureOfWords(said), message: `The model ${model} failed.${quoted || ' It did not say why.'}` };
}

function goneWords(model: string): string {
  return `The model ${model} isn't offered any more. Pick another model, or sign in where it came from.`;
}

/** An error that went through VS Code keeps its code and its name, and no class. */
function codesOf(error: unknown): readonly string[] {
  return [fieldOf(error, 'code'), fieldOf(error, 'name')].filter((code) => typeof code === 'string');
}

/** In one line. VS Code puts what really happened into the cause of an error that says nothing itself. */
function saidBy(error: unknown): string {
  const inner = fieldOf(error, 'cause');
  const cause = inner === undefined ? '' : errorText(inner);
  const own = errorText(error);
  const words = cause === '' || own.includes(cause) ? own : `${own} ${cause}`;
  return truncate(maskKey(oneLine(words.slice(0, MAX_READ)), undefined), MAX_WORDS);
}

function failureOfWords(words: string): ModelFailure {
  const found = BY_WORDS.find(([, pattern]) => pattern.test(words));
  if (found) return found[0];
  const general = failureOfSigns({ words });
  // Without any sign it is nothing that is known to pass.
  return general === 'server' ? 'error' : general;
}
