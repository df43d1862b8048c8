import { oneLine } from '../base/text.ts';
import type { ChildResult, GroupStatus, RunOutcome, WorktreeSpec } from '../domain/agents.ts';
import { fullLabel } from './groupLabel.ts';
import { failureText, isFatalForProvider } from './outcomes.ts';
import { attribute, neutralName, neutralText } from './untrusted.ts';

/** UTF-16 units of one child's text. */
const MAX_CHILD_TEXT = 20_000;

export type SettledChild = ChildResult;

export interface CompletionOptions {
  /** The longest text of a child, in UTF-16 units; default 20,000. */
  readonly maxChildText?: number;
  /** Where a child's whole transcript can be read: an absolute path, or nothing. */
  readonly transcriptPath?: (agentId: string) => string | undefined;
}

/** A group's results on their way to the session that asked for them. */
export interface Completion {
  readonly sessionId: string;
  readonly groupId: string;
  readonly text: string;
  /** True where an earlier host may have delivered it before it could say so. */
  readonly mayBeThere: boolean;
}

/** The one message with which a settled group returns to its session. Children in input order. */
export function completionText(group: { readonly groupId: string; readonly status: GroupStatus; readonly children: readonly SettledChild[] }, options: CompletionOptions = {}): string {
  const label = fullLabel(group.children.map(({ displayName }) => displayName));
  const open = `<background-task-completed id="${attribute(group.groupId)}" label="${attribute(label)}" status="${group.status}">`;
  return [open, aggregateText(group.children, options), '</background-task-completed>'].join('\n');
}

/** The headings and texts of a completion without its envelope. */
export function aggregateText(children: readonly SettledChild[], options: CompletionOptions = {}): string {
  const failed = children.filter(({ outcome }) => outcome.status === 'failed').length;
  const ratio = ` (${failed} of ${children.length} subagents of this group failed)`;
  return children
    .map((child) => {
      const heading = `## ${neutralName(child.displayName)} (agentId: ${child.agentId}; status: ${child.outcome.status})`;
      return `${heading}\n${placeLine(child)}${refusedLine(child.outcome)}${section(child, ratio, options)}`;
    })
    .join('\n\n');
}

/** The final text of a child that succeeded, and what it was refused; nothing for any other. */
export function answerText({ agentId, outcome, worktree }: SettledChild, options: CompletionOptions = {}): string | undefined {
  return outcome.status === 'completed' ? `${placeLine({ worktree })}${refusedLine(outcome)}${shown(outcome.text, agentId, options)}` : undefined;
}

/** Whoever reads of its work would look for it in the workspace. */
function placeLine({ worktree }: { readonly worktree?: WorktreeSpec | undefined }): string {
  return worktree ? `Worktree: what it changed is in a git worktree of its own, based on ${worktree.base.slice(0, 7)}, and in the workspace only once the user accepts it.\n` : '';
}

/** A child that was refused something may not have done all that it was told. */
function refusedLine({ refused = [] }: RunOutcome): string {
  return refused.length === 0 ? '' : `Refused: ${neutralText(oneLine(refused.join('; ')))}\n`;
}

function section({ agentId, outcome }: SettledChild, ratio: string, options: CompletionOptions): string {
  switch (outcome.status) {
    case 'completed':
      return shown(outcome.text, agentId, options);
    case 'failed':
      // What ends a whole provider ends more than this child: its reader must not take the rest for a full picture.
      return `Error: ${neutralText(failureText(outcome))}${isFatalForProvider(outcome) ? ratio : ''}${partial(outcome.partialText, agentId, options)}`;
    case 'cancelled':
      return `Cancelled: it did not finish.${partial(outcome.partialText, agentId, options)}`;
  }
}

function partial(text: string | undefined, agentId: string, options: CompletionOptions): string {
  if (text === undefined || text.trim() === '') return '';
  return `\nPartial text, not a result:\n${shown(text, agentId, options)}`;
}

function shown(text: string, agentId: string, options: CompletionOptions): string {
  const max = options.maxChildText ?? MAX_CHILD_TEXT;
  const whole = text.trim();
  if (whole.length <= max) return neutralText(whole);
  // A cut through a surrogate pair would leave half a character.
  const head = whole.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  const path = options.transcriptPath?.(agentId);
  const where = path === undefined ? '' : ` Whole text at the end of the transcript: ${oneLine(path)}`;
  return neutralText(`${head}\n[Cut after ${head.length} of ${whole.length} characters.${where}]`);
}
