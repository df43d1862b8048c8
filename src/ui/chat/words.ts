import type { ChildView } from '../../runtime/domain/agents.ts';
import type { ModelFailure } from '../../runtime/domain/models.ts';
import { isSettled } from '../children.ts';
import { elsewhereWords, endWords, stateWords, type ChildEnd, type ChildFacts } from '../childWords.ts';
import type { L10n } from '../l10n.ts';
import { joined } from '../tree/presentation.ts';
import { duration, roundWords, statusWords, waitingWords } from '../words.ts';

/** A child as one line of the chat tells it. */
export type ChildLine = ChildFacts & Pick<ChildView, 'round'>;

/** The words that the pure parts of the chat are given. */
export type ChatWords = ReturnType<typeof chatWords>;

/** What the chat says, in the user's language. Texts in the arguments are Markdown already: whoever calls makes them inert. */
export function chatWords(l10n: L10n) {
  return {
    showInPanel: () => l10n.t('Show in Panel'),
    cancel: () => l10n.t('Cancel'),
    resume: () => l10n.t('Resume'),
    review: () => l10n.t('Review'),
    started: (name: string) => l10n.t('{0} started', name),
    wants: (name: string, action: string) => l10n.t('{0} waits for your approval: {1}', name, action),
    rootWants: (action: string) => l10n.t('Waits for your approval: {0}', action),
    asks: (name: string, question: string) => l10n.t('{0} waits for your answer: {1}', name, question),
    rootAsks: (question: string) => l10n.t('Waits for your answer: {0}', question),
    showPending: () => l10n.t('Show What Waits'),
    ended: (name: string, end: string) => l10n.t('{0}: {1}', name, end),
    /** Plain text that may quote a model or a server. */
    end: (child: ChildEnd) => stateWords(child, l10n),
    /** Plain text as above, for a line that never changes: what a child does at the moment isn't in it. */
    line: (child: ChildLine, isElsewhere: boolean) => lineWords(child, isElsewhere, l10n),
    waits: (state: 'waiting' | 'asking') => waitingWords(state, l10n),
    background: () => l10n.t('Goes on in the background. The result opens the next answer.'),
    /** Stands between an answer that broke off and its second beginning. */
    saidAgain: () => l10n.t('The answer broke off here. It begins again:'),
    retrying: (failure: ModelFailure, milliseconds: number) => retrying(failure, duration(milliseconds, l10n), l10n),
    /** Stands over the answer to a scheduled prompt. */
    scheduled: (title: string) => l10n.t('Scheduled prompt: {0}', title),
    turnFailed: (message: string) => l10n.t('The answer stopped here: {0}', message),
  };
}

/** As the panel says it, but for what is at work. */
function lineWords(child: ChildLine, isElsewhere: boolean, l10n: L10n): string {
  const isAtWork = child.status === 'queued' || child.status === 'running';
  const words = isElsewhere && !isSettled(child.status) ? elsewhereWords(child, l10n) : isAtWork ? statusWords(child.status, l10n) : endWords(child, l10n);
  return joined(words, roundWords(child.round, l10n));
}

function retrying(failure: ModelFailure, time: string, l10n: L10n): string {
  const isBusy = failure === 'rate_limited' || failure === 'overloaded';
  return isBusy ? l10n.t('The model is busy; trying again in {0}…', time) : l10n.t('The model did not answer; trying again in {0}…', time);
}
