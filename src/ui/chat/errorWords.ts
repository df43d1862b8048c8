import * as vscode from 'vscode';
import { errorText, isAppError } from '../../runtime/base/errors.ts';
import type { RunOutcome } from '../../runtime/domain/agents.ts';
import { inert } from './markdown.ts';

/** Longest quote of somebody else's message, in code points. */
const QUOTE_LIMIT = 500;

type Failure = Extract<RunOutcome, { status: 'failed' }>;

/** The root's failure in words, with what to do next. Markdown. */
export function failureMessage({ reason, message }: Failure): string {
  const quoted = inert(message, QUOTE_LIMIT);
  switch (reason) {
    case 'auth':
      return vscode.l10n.t('The model’s provider refused access. {0} Then send the message again.', quoted);
    case 'quota':
      return vscode.l10n.t('The quota of this model is used up. Pick another model, or try again when it is renewed. ({0})', quoted);
    case 'rate_limited':
      return vscode.l10n.t('The model is overloaded at the moment. Wait a little, then send the message again. ({0})', quoted);
    case 'context':
      return vscode.l10n.t('This conversation has become too long for the model. Start a new chat. ({0})', quoted);
    case 'timeout':
      return vscode.l10n.t('The model did not answer in time. Send the message again. ({0})', quoted);
    case 'max_turns':
      return vscode.l10n.t('The answer reached its turn limit. Send “continue” to go on.');
    case 'max_tokens':
      return vscode.l10n.t('The answer was cut at the model’s token limit. Send “continue” to go on.');
    case 'refusal':
    case 'filtered':
      return vscode.l10n.t('The model did not answer this message. Put it in other words. ({0})', quoted);
    default:
      return vscode.l10n.t('The answer failed: {0} Send the message again, or look into the log.', quoted);
  }
}

/** Anything thrown, in words. Markdown. */
export function thrownMessage(error: unknown): string {
  const quoted = inert(errorText(error), QUOTE_LIMIT);
  return isAppError(error) ? quoted : vscode.l10n.t('Something went wrong: {0} Send the message again, or look into the log.', quoted);
}
