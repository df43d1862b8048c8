import type { ChildView } from '../../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../../runtime/domain/liteAgent.ts';
import type { ChangeRequestView, FileReview, LineRange } from '../../../runtime/domain/reviews.ts';
import { isBusy, isInReview, ownChildren, rowChildren } from '../../children.ts';
import { childName } from '../../names.ts';
import { touches } from './lines.ts';

type Agent = Pick<LiteAgent, 'groups' | 'group' | 'reviews'>;

/** What one child changed in one file, with what was requested of the child so far. */
export interface ReviewedFile {
  readonly child: ChildView;
  /** The child's, among its siblings. */
  readonly name: string;
  readonly file: FileReview;
  readonly requests: readonly ChangeRequestView[];
}

/** Whether a reviewer can comment on the file: the child has stopped, and its task is in review or something of the file is left to decide. */
export function isUnderReview({ child, file }: Pick<ReviewedFile, 'child' | 'file'>): boolean {
  return !isBusy(child) && (isInReview(child) || file.hunks.length > 0);
}

/**
 * What children that this window answers for changed in the given files, in the order of their arrival.
 * @param onFailure is told why a child's part is missing
 */
export async function reviewedFiles(agent: Agent, paths: ReadonlySet<string>, onFailure: (child: ChildView, error: unknown) => void): Promise<readonly ReviewedFile[]> {
  const children = ownChildren(agent.groups()).filter((child) => child.changedFiles.some((path) => paths.has(path)));
  const found = await Promise.all(children.map(async (child) => {
    try {
      const files = await Promise.all(child.changedFiles.filter((path) => paths.has(path)).map((path) => agent.reviews.file(child.agentId, path)));
      // Nothing was requested of a child that never began another round.
      const requests = child.round === 1 ? [] : await agent.reviews.requests(child.agentId);
      const name = nameIn(agent, child);
      return files.map((file): ReviewedFile => ({ child, name, file, requests }));
    } catch (error) {
      onFailure(child, error);
      return [];
    }
  }));
  return found.flat();
}

/** The child's name among those that it was first started with. */
export function nameIn(agent: Pick<LiteAgent, 'group'>, child: ChildView): string {
  const home = agent.group(child.groupId);
  return childName(child, home === undefined ? [child] : rowChildren(home));
}

/** Whom a comment on these lines of a file may be meant for: those whose changes it touches; where it touches none, all that can be commented on. */
export function addressees(files: readonly ReviewedFile[], lines: LineRange): readonly ReviewedFile[] {
  const open = files.filter(isUnderReview);
  const touched = open.filter(({ file }) => file.place === undefined && file.hunks.some((hunk) => touches(hunk.lines, lines)));
  return touched.length > 0 ? touched : open;
}
