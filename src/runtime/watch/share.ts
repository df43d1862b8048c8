import type { FileState } from '../domain/tools.ts';
import type { KnownWrite } from './knownWrites.ts';
import type { Step } from './watchedTree.ts';

/** Why something may not be the work of the call that it is told of. */
export const OTHER_COMMAND = 'Another subagent ran a command at the same time, so it may have been that one.';
const OTHER_WRITER: Readonly<Record<KnownWrite['by'], string>> = {
  tool: 'Another subagent, or you in a review, wrote this file while the command ran, so a part of the change may not be the work of this one.',
  user: 'You saved this file while the command ran, so a part of the change may be your own.',
};

/** A part of a step. */
export interface Share {
  /** True where it is the work of others who are known. */
  readonly isOthers: boolean;
  readonly step: Step;
  /** Why it may not be the work of who it is told of, in a sentence. */
  readonly unsure?: string;
}

/**
 * Takes what others wrote out of a step. Where they wrote on what had stood there, all that came after is the calls'.
 * Where something had changed before, that can't be told apart any more: it is told with what they wrote, as unsure.
 * What a user saves isn't known to have stood on anything: it is the user's as long as nobody changes it.
 * @param writes in the order in which they were made
 */
export function sharesOf(step: Step, writes: readonly KnownWrite[]): readonly Share[] {
  if (writes.length === 0) return [{ isOthers: false, step }];
  let stood = step.before;
  const gaps = new Set<KnownWrite['by']>();
  for (const { by, before, after } of writes) {
    // An earlier look has seen it already.
    if (isSame(stood, after)) continue;
    if (!isSame(stood, before)) gaps.add(by);
    stood = after;
  }
  const [unsure, isWhole] = [doubtOf(writes), isSame(stood, step.after)];
  if (gaps.has('user') && !gaps.has('tool')) return [{ isOthers: isWhole, step, unsure }];
  const first = { isOthers: !gaps.has('tool'), step: { ...step, after: stood }, unsure };
  return isWhole ? [first] : [first, { isOthers: false, step: { ...step, before: stood }, ...(gaps.has('tool') && { unsure }) }];
}

/** Why nobody can tell the part of a call that had changed the file before these. */
export function doubtOf(writes: readonly KnownWrite[]): string {
  return OTHER_WRITER[writes.some(({ by }) => by === 'tool') ? 'tool' : 'user'];
}

/** Whether they are known to be the same. */
export function isSame(a: FileState, b: FileState): boolean {
  return a.kind === 'kept' && b.kind === 'kept' ? a.hash === b.hash : a.kind === 'absent' && b.kind === 'absent';
}
