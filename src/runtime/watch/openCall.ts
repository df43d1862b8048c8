import type { FileChange } from '../domain/tools.ts';
import { isSame } from './share.ts';
import type { Step } from './watchedTree.ts';

/** A file that a call changed: from one content to another, once for each time that somebody else wrote it in between. */
interface ChangedFile {
  readonly steps: readonly Step[];
  readonly isClosed: boolean;
  readonly unsure?: string;
}

/** A call under way, with what is known so far of what it changed. */
export class OpenCall {
  readonly #files = new Map<string, ChangedFile>();
  readonly #unseen = new Set<string>();

  /** @param unsure why it may have been somebody else, in a sentence */
  add(step: Step, unsure: string | undefined): void {
    const { steps = [], isClosed = true, unsure: known = unsure } = this.#files.get(step.path) ?? {};
    const last = isClosed ? undefined : steps.at(-1);
    const all = last ? [...steps.slice(0, -1), { ...last, after: step.after }] : [...steps, step];
    this.#files.set(step.path, { steps: all, isClosed: false, ...(known !== undefined && { unsure: known }) });
  }

  /** Somebody else made this of the file. Where the call had changed it before, nobody can tell their parts apart any more. */
  follow(step: Step, unsure: string): void {
    if (!this.#files.has(step.path)) return;
    this.add(step, unsure);
    this.close(step.path, unsure);
  }

  /** Somebody else wrote the file: what the call changes from now on is told by itself, and all of it as unsure. */
  close(path: string, unsure: string): void {
    const file = this.#files.get(path);
    if (file) this.#files.set(path, { ...file, isClosed: true, unsure: file.unsure ?? unsure });
  }

  addUnseen(sentence: string): void {
    this.#unseen.add(sentence);
  }

  result(): { readonly changes: readonly FileChange[]; readonly unseen?: string } {
    const changes = [...this.#files.values()].flatMap(({ steps, unsure }) => {
      const changed = steps.filter(({ before, after }) => !isSame(before, after));
      return changed.map((step): FileChange => ({ ...step, kind: kindOf(step), ...(unsure !== undefined && { unsure }) }));
    });
    return { changes, ...(this.#unseen.size > 0 && { unseen: [...this.#unseen].join(' ') }) };
  }
}

function kindOf({ before, after }: Step): FileChange['kind'] {
  if (before.kind === 'absent') return 'created';
  return after.kind === 'absent' ? 'deleted' : 'edited';
}
