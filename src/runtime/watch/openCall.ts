import type { FileChange } from '../domain/tools.ts';
import { isSame } from './share.ts';
import type { Step } from './watchedTree.ts';

/** A file that a call changed: from one content to another, once for each time that somebody else wrote it in between. */
interface ChangedFile {
  readonly steps: readonly Step[];
  readonly isClosed: boolean;
  readonly doubt?: Doubt;
}

/** Why something may not be the work of the call that it is told of, in a sentence. `oneOf`: the children of whom one it was for certain. */
export interface Doubt {
  readonly why: string;
  readonly oneOf?: readonly string[];
}

/** A call under way, with what is known so far of what it changed. */
export class OpenCall {
  readonly #files = new Map<string, ChangedFile>();
  readonly #unseen = new Set<string>();
  /** Of the child that makes it. */
  readonly agentId: string | undefined;

  constructor(agentId: string | undefined) {
    this.agentId = agentId;
  }

  add(step: Step, doubt: Doubt | undefined): void {
    const { steps = [], isClosed = true, doubt: known } = this.#files.get(step.path) ?? {};
    const last = isClosed ? undefined : steps.at(-1);
    const all = last ? [...steps.slice(0, -1), { ...last, after: step.after }] : [...steps, step];
    this.#files.set(step.path, { steps: all, isClosed: false, ...doubtIn(known, doubt) });
  }

  /** Somebody else made this of the file. Where the call had changed it before, nobody can tell their parts apart any more. */
  follow(step: Step, doubt: Doubt): void {
    if (!this.#files.has(step.path)) return;
    this.add(step, doubt);
    this.close(step.path, doubt);
  }

  /** Somebody else wrote the file: what the call changes from now on is told by itself, and all of it as unsure. */
  close(path: string, doubt: Doubt): void {
    const file = this.#files.get(path);
    if (file) this.#files.set(path, { ...file, isClosed: true, ...doubtIn(file.doubt, doubt) });
  }

  addUnseen(sentence: string): void {
    this.#unseen.add(sentence);
  }

  result(): { readonly changes: readonly FileChange[]; readonly unseen?: string } {
    const changes = [...this.#files.values()].flatMap(({ steps, doubt }) => {
      const changed = steps.filter(({ before, after }) => !isSame(before, after));
      return changed.map((step): FileChange => ({ ...step, kind: kindOf(step), ...(doubt && { unsure: doubt.why }), ...(doubt?.oneOf && { oneOf: doubt.oneOf }) }));
    });
    return { changes, ...(this.#unseen.size > 0 && { unseen: [...this.#unseen].join(' ') }) };
  }
}

/** Two doubts about a file as one: who it was is certain only as far as both know. */
function doubtIn(known: Doubt | undefined, doubt: Doubt | undefined): { readonly doubt?: Doubt } {
  if (!known || !doubt) return known || doubt ? { doubt: (known ?? doubt)! } : {};
  return { doubt: { why: known.why, ...(known.oneOf && doubt.oneOf && { oneOf: [...new Set([...known.oneOf, ...doubt.oneOf])].sort() }) } };
}

function kindOf({ before, after }: Step): FileChange['kind'] {
  if (before.kind === 'absent') return 'created';
  return after.kind === 'absent' ? 'deleted' : 'edited';
}
