import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { GroupView } from '../../runtime/domain/agents.ts';
import type { ChatCommand } from '../../ids.ts';
import { isInReview, ownChildren } from '../children.ts';
import type { L10n } from '../l10n.ts';
import { interruptedGroups } from '../rounds.ts';

const MAX_NAMES = 3;

/** A message that can be sent with one click. */
export interface Followup {
  readonly label: string;
  readonly prompt: string;
  readonly command?: ChatCommand;
}

/** How a conversation stands after a result. */
export interface Standing {
  /** Those of the conversation. */
  readonly groups: readonly GroupView[];
  /** Something goes on. */
  readonly isRunning: boolean;
  /** It was the first result. */
  readonly isFirst: boolean;
}

/** What makes sense to ask next, the most pressing first: what waits for a look, what failed, what was interrupted, what runs; at the start of a conversation, who could be asked. */
export function followupsFor({ groups, isRunning, isFirst }: Standing, l10n: L10n): readonly Followup[] {
  const children = ownChildren(groups);
  const failed = children.filter(({ status }) => status === 'failed').map(({ displayName }) => truncate(oneLine(displayName), 40));
  const command = (name: ChatCommand, label: string): Followup => ({ command: name, prompt: '', label });
  const found = [
    ...(children.some(isInReview) ? [command('review', l10n.t('What waits for my review?'))] : []),
    ...(failed.length > 0 ? [{ label: l10n.t('Try again what failed'), prompt: retryPrompt(failed, l10n) }] : []),
    ...(interruptedGroups(groups).length > 0 ? [command('resume', l10n.t('Let what was interrupted go on'))] : []),
    ...(isRunning ? [command('status', l10n.t('How are the subagents doing?'))] : []),
  ];
  return found.length === 0 && isFirst ? [command('agents', l10n.t('Which agents are there?'))] : found;
}

/** For the root, which lets a subagent go on by its id. */
function retryPrompt(names: readonly string[], l10n: L10n): string {
  const named = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length - MAX_NAMES;
  return l10n.t('Let the subagents that failed try again: {0}', more > 0 ? l10n.t('{0} and {1} more', named, more) : named);
}
