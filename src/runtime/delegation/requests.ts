import type { ToolLists } from '../agent/toolLists.ts';
import type { TaskAuthor } from '../domain/liteAgent.ts';
import type { GroupWait } from './groupWait.ts';

/** The root that delegates, from which its children inherit. */
export interface Delegator {
  readonly sessionId: string;
  /** Its own lists of tools, where they are those of one request. */
  readonly parent?: ToolLists;
}

/** A delegation call. `tasks` as the model or a person wrote them; `others`: further fields of the model's call, checked too. */
export interface DispatchRequest extends Delegator {
  /** Absolute. */
  readonly cwd: string;
  readonly tasks: unknown;
  readonly others?: Readonly<Record<string, unknown>>;
  /** A person may also pick definitions that are hidden from the model. Default `model`. */
  readonly by?: TaskAuthor;
  /** The call that waits for the results; without one they come to the conversation by themselves. */
  readonly wait?: GroupWait;
}

/** With what a child goes on. */
export interface ResumeOptions {
  readonly prompt?: string;
  /** A name as a task's. */
  readonly model?: string;
}
