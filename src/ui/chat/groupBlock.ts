import type { ChildView, GroupSpec, GroupView } from '../../runtime/domain/agents.ts';
import { asksOnly, isInReview, isSettled } from '../children.ts';
import { STATE_ICONS } from '../tree/presentation.ts';
import type { ChatIds, GroupLink } from './chatIds.ts';
import { commandLink, inert } from './markdown.ts';
import type { ChatWords, ChildLine } from './words.ts';

/** What a child's line tells of it. `waits`: for what of a person it waits, where the line is read at once; in one that stays it would soon be wrong. */
export type BlockChild = ChildLine & Pick<ChildView, 'displayName'> & { readonly waits?: 'waiting' | 'asking' };

/** A group at the moment at which its block is written. */
export interface Block {
  readonly link: GroupLink;
  readonly children: readonly BlockChild[];
  /** Another window runs it. */
  readonly isElsewhere: boolean;
  /** What can be done about the group; nothing where it is over, or another window's. */
  readonly action?: 'cancel' | 'resume';
}

/** Two spaces before a line end: a break within one paragraph, so that the block stays compact. */
export const BREAK = '  \n';

/** A group as Markdown for a trusted string with theme icons: one line a child, then the links. */
export function groupBlock({ link, children, isElsewhere, action }: Block, ids: ChatIds, words: ChatWords): string {
  const links = [commandLink(words.showInPanel(), ids.showGroup, link)];
  if (action === 'cancel') links.push(commandLink(words.cancel(), ids.cancelGroup, link));
  if (action === 'resume') links.push(commandLink(words.resume(), ids.resumeGroup, link));
  return [...children.map((child) => childLine(child, isElsewhere, words)), links.join(' · ')].join(BREAK);
}

/** The block of a group that was just accepted. */
export function acceptedBlock(spec: GroupSpec, link: GroupLink): Block {
  return { link, action: 'cancel', isElsewhere: false, children: spec.children.map(({ displayName, round }) => ({ displayName, round, status: 'queued', denials: 0, changedFiles: [] })) };
}

/** The block of a group as it stands now. */
export function currentBlock(group: GroupView, link: GroupLink): Block {
  const action = actionOf(group);
  return { link, children: group.children, isElsewhere: group.isElsewhere, ...(action === undefined ? {} : { action }) };
}

/** One child as a line of a trusted string. Its words may quote a model, a file or a server, as its name does. */
export function childLine(child: BlockChild, isElsewhere: boolean, words: ChatWords): string {
  const { waits } = child;
  return `$(${iconOf(child, isElsewhere)}) **${inert(child.displayName)}** · ${inert(waits === undefined ? words.line(child, isElsewhere) : words.waits(waits), Infinity)}`;
}

/** The same for a report of this very moment. */
export function presentBlock(group: GroupView, link: GroupLink): Block {
  const block = currentBlock(group, link);
  return group.isElsewhere ? block : { ...block, children: group.children.map(withWait) };
}

function withWait(child: ChildView): BlockChild {
  return child.status === 'running' && child.approvals.length > 0 ? { ...child, waits: asksOnly(child) ? 'asking' : 'waiting' } : child;
}

function actionOf({ status, isElsewhere }: GroupView): Block['action'] {
  if (isElsewhere) return undefined;
  return status === 'running' ? 'cancel' : status === 'interrupted' ? 'resume' : undefined;
}

/** The panel's icon, but never one that spins: a written block doesn't change. */
function iconOf(child: BlockChild, isElsewhere: boolean): string {
  if (isElsewhere && !isSettled(child.status)) return STATE_ICONS.elsewhere.id;
  if (child.waits !== undefined) return STATE_ICONS[child.waits].id;
  if (child.status === 'running') return 'play-circle';
  return STATE_ICONS[isInReview(child) && child.status !== 'interrupted' ? 'review' : child.status].id;
}
