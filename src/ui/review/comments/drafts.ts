import { fieldOf } from '../../../runtime/base/errors.ts';
import type { LineRange } from '../../../runtime/domain/reviews.ts';
import type { Anchor } from './lines.ts';

/** Key of the drafts in the workspace's state. */
const KEY = 'review.drafts';

/** A comment that its writer hasn't sent yet. */
export interface Draft {
  readonly id: string;
  /** Whom it is for; absent while the writer hasn't said. */
  readonly agentId?: string;
  /** Absolute real path. */
  readonly path: string;
  readonly lines: LineRange;
  /** How the lines are found in a file that changed while nobody watched. */
  readonly anchor: Anchor;
  readonly text: string;
}

/** What the drafts are kept in, such as a memento. */
export interface DraftMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Keeps the drafts of a workspace. What it holds counts at once; writing it down follows. */
export class Drafts {
  readonly #memory: DraftMemory;
  readonly #onFailure: (error: unknown) => void;
  #all: readonly Draft[];

  /** @param onFailure is told when the drafts could not be written down */
  constructor(memory: DraftMemory, onFailure: (error: unknown) => void) {
    this.#memory = memory;
    this.#onFailure = onFailure;
    this.#all = readDrafts(memory.get(KEY));
  }

  /** Oldest first. */
  list(): readonly Draft[] {
    return this.#all;
  }

  /** Those for a child, by file and line. */
  of(agentId: string): readonly Draft[] {
    return this.#all.filter((draft) => draft.agentId === agentId).sort((a, b) => (a.path === b.path ? a.lines.start - b.lines.start : a.path < b.path ? -1 : 1));
  }

  get(id: string): Draft | undefined {
    return this.#all.find((draft) => draft.id === id);
  }

  add(draft: Draft): void {
    this.#set([...this.#all, draft]);
  }

  /** Does nothing for a draft that is gone. */
  change(id: string, change: Partial<Omit<Draft, 'id' | 'path'>>): void {
    this.#set(this.#all.map((draft) => (draft.id === id ? { ...draft, ...change } : draft)));
  }

  remove(ids: readonly string[]): void {
    this.#set(this.#all.filter((draft) => !ids.includes(draft.id)));
  }

  /** Removes what was sent. A draft that was written anew or readdressed meanwhile was not sent, and stays. */
  removeSent(agentId: string, sent: readonly Pick<Draft, 'id' | 'text'>[]): void {
    this.remove(this.of(agentId).filter(({ id, text }) => sent.some((comment) => comment.id === id && comment.text === text)).map(({ id }) => id));
  }

  #set(drafts: readonly Draft[]): void {
    this.#all = drafts;
    Promise.resolve(this.#memory.update(KEY, drafts.length === 0 ? undefined : drafts)).catch(this.#onFailure);
  }
}

/** The drafts in what was stored; what isn't one is left out. */
function readDrafts(stored: unknown): readonly Draft[] {
  return Array.isArray(stored) ? stored.map(draftOf).filter((draft) => draft !== undefined) : [];
}

function draftOf(value: unknown): Draft | undefined {
  const [id, agentId, path, text] = ['id', 'agentId', 'path', 'text'].map((name) => fieldOf(value, name));
  const [start, end] = ['start', 'end'].map((name) => fieldOf(fieldOf(value, 'lines'), name));
  const [above, lines, below] = ['above', 'lines', 'below'].map((name) => textsOf(fieldOf(fieldOf(value, 'anchor'), name)));
  if (typeof id !== 'string' || typeof path !== 'string' || typeof text !== 'string' || !isLine(start) || !isLine(end) || above === undefined || lines === undefined || below === undefined) return undefined;
  return { id, path, text, lines: { start, end: Math.max(start, end) }, anchor: { above, lines, below }, ...(typeof agentId === 'string' && { agentId }) };
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item): item is string => typeof item === 'string') ? value : undefined;
}
