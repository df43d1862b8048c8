import type { ChildStatus, GroupSpec, GroupView, RunOutcome } from '../../runtime/domain/agents.ts';
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
  /** Milliseconds from start to end, once settled. */
  readonly duration?: number;
}

export interface Block {
  readonly link: GroupLink;
  readonly children: readonly BlockChild[];
  /** Whether there is anything left to cancel. */
  readonly running: boolean;
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
const BREAK = '  \n';

/** A group as Markdown for a trusted string with theme icons: one line a child, then the links. */
export function groupBlock(block: Block, ids: ChatIds, words: ChatWords): string {
  const lines = block.children.map((child) => childLine(child, words));
  const links = [commandLink(words.showInPanel(), ids.showGroup, block.link)];
  if (block.running) links.push(commandLink(words.cancel(), ids.cancelGroup, block.link));
  return [...lines, links.join(' · ')].join(BREAK);
}

/** The block of a group that was just accepted. */
export function acceptedBlock(spec: GroupSpec, link: GroupLink): Block {
  return { link, running: true, children: spec.children.map((child) => ({ displayName: child.displayName, status: 'queued' })) };
}

/** The block of a group as it stands now. */
export function currentBlock(group: GroupView, link: GroupLink): Block {
  const children = group.children.map((child): BlockChild => ({
    displayName: child.displayName,
    status: child.status,
    ...(child.outcome === undefined ? {} : { outcome: child.outcome }),
    inReview: child.taskStatus === 'review',
    denials: child.denials,
    ...(child.startedAt === undefined || child.settledAt === undefined ? {} : { duration: child.settledAt - child.startedAt }),
  }));
  return { link, children, running: group.status === 'running' };
}

function childLine(child: BlockChild, words: ChatWords): string {
  const facts = [statusText(child, words)];
  if (child.denials) facts.push(words.denied(child.denials));
  // A failure's reason fills the line; how long it took is in the panel.
  if (child.status === 'completed' && child.duration !== undefined) facts.push(words.duration(child.duration));
  return `$(${ICONS[child.status]}) **${inert(child.displayName)}** · ${facts.join(' · ')}`;
}

function statusText(child: BlockChild, words: ChatWords): string {
  // The outcome's message may quote a model or a server: only the reason's own words go into a trusted string.
  if (child.outcome?.status === 'failed') return words.failed(child.outcome.reason);
  return child.inReview ? words.inReview() : words.status(child.status);
}
