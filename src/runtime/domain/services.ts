import type { Disposable } from '../base/lifecycle.ts';
import type { AgentRef } from './agents.ts';

/**
 * Services of the host: the very same objects in the root, all its children, and every tool. One that is absent means
 * that the tool which needs it isn't offered.
 */
export interface RuntimeServices {
  readonly askUser?: AskUser;
  readonly config?: ConfigService;
  readonly webFetch?: WebFetch | undefined;
  readonly webSearch?: WebSearch | undefined;
  readonly cron?: CronService;
}

/** The services as a host gives them. `'approvals'`: questions to the user are items of the agent's approval queue, which `decide` answers. */
export interface ServiceOptions extends Omit<RuntimeServices, 'askUser'> {
  readonly askUser?: AskUser | 'approvals';
}

/** What an agent wants to know of its user. All texts come from a model. */
export interface UserQuestion {
  readonly question: string;
  /** Answers to choose from; the user may always write another. Default none. */
  readonly options?: readonly { readonly label: string; readonly description?: string }[];
  /** Whether several options may be chosen. Default false. */
  readonly multiple?: boolean;
}

/** `declined`: the user wants to give no answer, and perhaps says why. */
export type UserAnswer = { readonly kind: 'answered'; readonly text: string } | { readonly kind: 'declined'; readonly message?: string };

/**
 * Asks the user on behalf of an agent. Rejects with the abort error when the signal aborts, and then shows the question
 * no more; with `unavailable` where nobody is there to answer.
 */
export type AskUser = (question: UserQuestion, from: { readonly agent: AgentRef; readonly callId: string }, signal: AbortSignal) => Promise<UserAnswer>;

/** The host's configuration, for tools of the host. The runtime itself asks for nothing. */
export interface ConfigService {
  /** The value under a key as it is now; nothing for an unknown one. Never a secret. */
  get(key: string): unknown;
}

/** A page as a model can read it. */
export interface WebPage {
  /** Where it was found at last. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case, such as `text/html`. */
  readonly mediaType: string;
  readonly title?: string;
  /** Markdown of an HTML page, else the text as it is. */
  readonly text: string;
  /** True where it was longer than what is taken. */
  readonly isCut: boolean;
}

/** What came of an address: a page, or that it leads to another host, where nothing was fetched. */
export type WebAnswer = { readonly kind: 'page'; readonly page: WebPage } | { readonly kind: 'elsewhere'; readonly url: string };

/** Fetches a page by `http` or `https`. Rejects with an `AppError` that says what is wrong with the address or the answer, and with the abort error. */
export interface WebFetch {
  (url: string, signal: AbortSignal): Promise<WebAnswer>;
  /** Rejects as fetching would where the address alone says so; asks no server and looks up no name. */
  readonly check?: (url: string) => Promise<void>;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** Searches the web, best hits first. Rejects with an `AppError` that names the backend and what to do, never its key. */
export type WebSearch = (query: string, limit: number, signal: AbortSignal) => Promise<readonly SearchHit[]>;

/** A prompt that is sent to a session at set times. */
export interface ScheduledPrompt {
  readonly id: string;
  readonly sessionId: string;
  /** A cron expression of five fields, or a moment in ISO 8601, at which it is sent once. Local time, where a moment names no other. */
  readonly schedule: string;
  /** The first time of its schedule is the only one. */
  readonly once?: true;
  readonly prompt: string;
  /** Milliseconds since the epoch, as all times. */
  readonly createdAt: number;
  /** Absent where it is not sent any more. */
  readonly nextAt?: number;
}

/** Holds scheduled prompts beyond the life of this process. Several processes may share one; each prompt is due in one of them. */
export interface CronService {
  /** Rejects with `invalid_input` for a schedule that can't be read or is never due, and for an empty prompt; `conflict` where there are too many. */
  create(prompt: { readonly sessionId: string; readonly schedule: string; readonly prompt: string; readonly once?: boolean }): Promise<ScheduledPrompt>;
  /** Of a session, or of all; soonest first. */
  list(sessionId?: string): Promise<readonly ScheduledPrompt[]>;
  /** False for an unknown id, or another session's. */
  remove(id: string, sessionId?: string): Promise<boolean>;
  /** From now on prompts that are due are handed over, once each; those that came due while nobody listened at once. Disposing stops that and leaves no timer. */
  listen(receiver: PromptReceiver): PromptListening;
}

/** Who sends prompts that are due. */
export interface PromptReceiver {
  /**
   * Resolves once the prompt stands in its conversation. `isWanted`: asked right before that; false where it was deleted
   * meanwhile, and then it isn't sent. Rejects with `closed` where it was not sent and a later listener should do it,
   * which ends this listening, with `not_found` where the conversation is gone, which drops all its prompts, and with
   * anything else where it failed, which is told.
   */
  send(prompt: ScheduledPrompt, isWanted: () => Promise<boolean>): Promise<void>;
  /** Whether the conversation is open here: then it is this receiver's before it is another's. Default false. */
  holds?(sessionId: string): boolean;
  /** Hears of what went wrong with prompts, in a sentence. */
  report(message: string): void;
}

export interface PromptListening extends Disposable {
  /** Resolves when what was handed over is dealt with, and that is stored. Never rejects. */
  idle(): Promise<void>;
}
