import type { ChildStatus, FailureReason, GroupStatus } from '../runtime/domain/agents.ts';
import type { L10n } from './l10n.ts';

/** `14 s`, `1m 12s`, `2h 3m`. Negative spans, as a changed clock gives, read as nothing. */
export function duration(ms: number, l10n: L10n): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return l10n.t('{0} s', seconds);
  if (seconds < 3600) return l10n.t('{0}m {1}s', Math.floor(seconds / 60), seconds % 60);
  return l10n.t('{0}h {1}m', Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60));
}

/** The day for what is over: the time today, `yesterday`, else the date. It changes at midnight only, so nothing has to tick. */
export function day(at: number, now: number, locale: string, l10n: L10n): string {
  const then = new Date(at);
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (days <= 0) return then.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  if (days === 1) return l10n.t('yesterday');
  const sameYear = then.getFullYear() === new Date(now).getFullYear();
  return then.toLocaleDateString(locale, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) });
}

/** `queued 3rd`: its place among all that wait, from 1. */
export function queuePlace(place: number, l10n: L10n): string {
  const tens = place % 100;
  const ones = tens >= 11 && tens <= 13 ? 0 : place % 10;
  switch (ones) {
    case 1:
      return l10n.t('queued {0}st', place);
    case 2:
      return l10n.t('queued {0}nd', place);
    case 3:
      return l10n.t('queued {0}rd', place);
    default:
      return l10n.t('queued {0}th', place);
  }
}

export function fileCount(count: number, l10n: L10n): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
}

/** `1 conflict`; nothing where there is none. */
export function conflictWords(count: number, l10n: L10n): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? l10n.t('1 conflict') : l10n.t('{0} conflicts', count);
}

/** `round 2`; nothing for the first. */
export function roundWords(round: number, l10n: L10n): string | undefined {
  return round < 2 ? undefined : l10n.t('round {0}', round);
}

/** `retrying in 12 s`: seconds are rounded up, so that none is shown as over that isn't. */
export function retryWords(until: number, now: number, l10n: L10n): string {
  return until <= now ? l10n.t('retrying') : l10n.t('retrying in {0}', duration(Math.ceil((until - now) / 1000) * 1000, l10n));
}

/** `2 denied`: calls that were refused; nothing where there were none. */
export function deniedWords(count: number, l10n: L10n): string | undefined {
  return count === 0 ? undefined : l10n.t('{0} denied', count);
}

/** `2 questions wait for an answer`. */
export function questionWords(count: number, l10n: L10n): string {
  return count === 1 ? l10n.t('1 question waits for an answer') : l10n.t('{0} questions wait for an answer', count);
}

/** For what of a person a child waits: `asking` for an answer to its question. */
export function waitingWords(state: 'waiting' | 'asking', l10n: L10n): string {
  return state === 'asking' ? l10n.t('waiting for an answer') : l10n.t('waiting for approval');
}

/** The state of a child or a group. */
export function statusWords(status: ChildStatus | GroupStatus, l10n: L10n): string {
  switch (status) {
    case 'queued':
      return l10n.t('queued');
    case 'running':
      return l10n.t('running');
    case 'completed':
      return l10n.t('completed');
    case 'partial':
      return l10n.t('partly completed');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return l10n.t('cancelled');
    case 'interrupted':
      return l10n.t('interrupted');
  }
}

/** Why a child failed, in a few words that follow "failed: ". */
export function failureWords(reason: FailureReason, l10n: L10n): string {
  switch (reason) {
    case 'error':
      return l10n.t('an error');
    case 'max_turns':
      return l10n.t('reached its turn limit');
    case 'max_tokens':
      return l10n.t('its answer was cut off');
    case 'refusal':
      return l10n.t('the model refused');
    case 'filtered':
      return l10n.t('its answer was filtered');
    case 'no_text':
      return l10n.t('it ended without an answer');
    case 'context':
      return l10n.t('the context was too long');
    case 'timeout':
      return l10n.t('it took too long');
    case 'rate_limited':
      return l10n.t('the rate limit was reached');
    case 'quota':
      return l10n.t('the quota is used up');
    case 'schema':
      return l10n.t('its answer had the wrong form');
    case 'budget':
      return l10n.t('the budget is used up');
    case 'auth':
      return l10n.t('access to the model was refused');
  }
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
