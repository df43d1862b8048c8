import type { FileChange, FileState } from '../domain/tools.ts';
import type { Step } from './watchedTree.ts';

/** Why something may not be the work of the call alone. */
export const UNSURE = {
  otherCall: 'Another subagent ran a command at the same time, so it may have been that one.',
  fileTool: 'The file was also written by a file tool while the command ran, so it can\'t be told which part is whose.',
} as const;

/** A call under way, with what is known so far of what it changed. */
export class OpenCall {
  readonly #changes = new Map<string, Step & { readonly unsure: string | undefined }>();
  readonly #unseen = new Set<string>();

  /** `unsure`: see `FileChange`. */
  add(step: Step, unsure?: string): void {
    const earlier = this.#changes.get(step.path);
    this.#changes.set(step.path, { ...step, before: earlier?.before ?? step.before, unsure: unsure ?? earlier?.unsure });
  }

  /** Somebody wrote the file who is known: what the call did to it before is part of what was there then. */
  forget(path: string): void {
    this.#changes.delete(path);
  }

  addUnseen(sentence: string): void {
    this.#unseen.add(sentence);
  }

  result(): { readonly changes: readonly FileChange[]; readonly unseen?: string } {
    const changes = [...this.#changes.values()].filter(({ before, after }) => !isSame(before, after)).map(({ unsure, ...step }): FileChange => ({ ...step, kind: kindOf(step), ...(unsure !== undefined && { unsure }) }));
    return { changes, ...(this.#unseen.size > 0 && { unseen: [...this.#unseen].join(' ') }) };
  }
}

/** Whether they are known to be the same. */
export function isSame(a: FileState, b: FileState): boolean {
  return a.kind === 'kept' && b.kind === 'kept' ? a.hash === b.hash : a.kind === 'absent' && b.kind === 'absent';
}

function kindOf({ before, after }: Step): FileChange['kind'] {
  if (before.kind === 'absent') return 'created';
  return after.kind === 'absent' ? 'deleted' : 'edited';
}
