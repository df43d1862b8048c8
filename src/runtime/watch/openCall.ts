import type { FileChange, FileState } from '../domain/tools.ts';
import type { Step } from './watchedTree.ts';

const UNSURE = 'Another subagent ran a command at the same time, so it may have been that one.';

/** A call under way, with what is known so far of what it changed. */
export class OpenCall {
  readonly #changes = new Map<string, Step & { readonly unsure: boolean }>();
  readonly #unseen = new Set<string>();

  add(step: Step, unsure: boolean): void {
    const earlier = this.#changes.get(step.path);
    this.#changes.set(step.path, { ...step, before: earlier?.before ?? step.before, unsure: unsure || earlier?.unsure === true });
  }

  /** Somebody wrote the file who is known: what the call did to it before is part of what was there then. */
  forget(path: string): void {
    this.#changes.delete(path);
  }

  addUnseen(sentence: string): void {
    this.#unseen.add(sentence);
  }

  result(): { readonly changes: readonly FileChange[]; readonly unseen?: string } {
    const changes = [...this.#changes.values()].filter(({ before, after }) => !isSame(before, after)).map(({ unsure, ...step }): FileChange => ({ ...step, kind: kindOf(step), ...(unsure && { unsure: UNSURE }) }));
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
