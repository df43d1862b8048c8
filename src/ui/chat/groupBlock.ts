import type { ChildStatus, GroupSpec, GroupView, RunOutcome } from '../../runtime/domain/agents.ts';
import { isInReview, isSettled } from '../children.ts';
import type { ChatIds, GroupLink } from './chatIds.ts';
import type { ChatWords } from './words.ts';
import { commandLink, inert } from './markdown.ts';

/** What stands in the line of one child. */
export interface BlockChild {
  readonly displayName: string;
  readonly status: ChildStatus;
  readonly outcome?: RunOutcome;
  /** Completed, and nobody has looked at it yet. */
  readonly inReview?: boolean;
  readonly denials?: number;
  /** Another window runs it. */
  readonly isElsewhere?: boolean;
  /** Milliseconds from start to end, once settled. */
  readonly duration?: number;
}

export interface Block {
  readonly link: GroupLink;
  readonly children: readonly BlockChild[];
  /** What can be done about the group; nothing where it is over, or another window's. */
  readonly action?: 'cancel' | 'resume';
}

/** The icon of each state, static: a written block never changes, so nothing in it may spin. */
const ICONS: Readonly<Record<ChildStatus, string>> = {
  queued: 'circle-large-outline',
  running: 'play-circle',
  completed: 'pass',
  failed: 'error',
  cancelled: 'circle-slash',
  interrupted: 'debug-disconnect',
};

/** Two spaces before a line end: a break within one paragraph, so that the block stays compact. */
export const BREAK = '  \n';

/** A group as Markdown for a trusted string with theme icons: one line a child, then the links. */
export function groupBlock(block: Block, ids: ChatIds, words: ChatWords): string {
  const lines = block.children.map((child) => childLine(child, words));
  const links = [commandLink(words.showInPanel(), ids.showGroup, block.link)];
  if (block.action === 'cancel') links.push(commandLink(words.cancel(), ids.cancelGroup, block.link));
  if (block.action === 'resume') links.push(commandLink(words.resume(), ids.resumeGroup, block.link));
  return [...lines, links.join(' · ')].join(BREAK);
}

/** The block of a group that was just accepted. */
export function acceptedBlock(spec: GroupSpec, link: GroupLink): Block {
  return { link, action: 'cancel', children: spec.children.map((child) => ({ displayName: child.displayName, status: 'queued' })) };
}

/** The block of a group as it stands now. */
export function currentBlock(group: GroupView, link: GroupLink): Block {
  const children = group.children.map((child): BlockChild => ({
    displayName: child.displayName,
    status: child.status,
    ...(child.outcome === undefined ? {} : { outcome: child.outcome }),
    inReview: isInReview(child),
    isElsewhere: group.isElsewhere,
    denials: child.denials,
    ...(child.startedAt === undefined || child.settledAt === undefined || !isSettled(child.status) ? {} : { duration: child.settledAt - child.startedAt }),
  }));
  const action = actionOf(group);
  return { link, children, ...(action === undefined ? {} : { action }) };
}

function actionOf({ status, isElsewhere }: GroupView): Block['action'] {
  if (isElsewhere) return undefined;
  return status === 'running' ? 'cancel' : status === 'interrupted' ? 'resume' : undefined;
}

function childLine(child: BlockChild, words: ChatWords): string {
  const facts = [statusText(child, words)];
  if (child.denials) facts.push(words.denied(child.denials));
  // A failure's reason fills the line; how long it took is in the panel.
  if (child.status === 'completed' && child.duration !== undefined) facts.push(words.duration(child.duration));
  return `$(${ICONS[child.status]}) **${inert(child.displayName)}** · ${facts.join(' · ')}`;
}

function statusText(child: BlockChild, words: ChatWords): string {
  if (child.isElsewhere === true && !isSettled(child.status)) return `${words.status(child.status)} · ${words.elsewhere()}`;
  // The outcome's message may quote a model or a server: only the reason's own words go into a trusted string.
  if (child.status === 'failed' && child.outcome?.status === 'failed') return words.failed(child.outcome.reason);
  return child.inReview ? words.inReview() : words.status(child.status);
}
