import type { AgentRef } from './agents.ts';
import type { Verdict } from './permissions.ts';
import type { UserQuestion } from './services.ts';
import type { ToolPreview } from './tools.ts';

/** A call that waits for a person. */
export interface ApprovalRequest {
  readonly id: string;
  readonly agent: AgentRef;
  readonly callId: string;
  readonly tool: string;
  /** What it would do, in one line for people: the command, `edit src/a.ts`, the host. */
  readonly action: string;
  /** The exact input that runs if allowed. */
  readonly input: unknown;
  readonly preview: ToolPreview;
  /** Why it asks: the rule, or that none allows it. */
  readonly why: string;
  /** The narrowest rule that would cover it from now on, such as `Bash(npm test:*)`. Absent where no rule can be offered. */
  readonly rule?: string;
  /** False where an `ask` rule of the user matched: then "always" isn't offered. */
  readonly canAlways: boolean;
  readonly requestedAt: number;
  /** Present where no permission is wanted but an answer. */
  readonly question?: UserQuestion;
}

/** `allow_group` remembers the request's rule for the group in memory, `allow_always` writes it as a user rule. */
export type ApprovalDecision =
  | { readonly kind: 'allow_once' }
  | { readonly kind: 'allow_group' }
  | { readonly kind: 'allow_always' }
  | { readonly kind: 'deny'; readonly message?: string }
  /** To a question, and to nothing else. `text`: what the person wrote or chose. */
  | { readonly kind: 'answer'; readonly text: string };

/** Who or what decided. */
export type DecidedBy = 'person' | 'group_rule' | 'no_handler';

/** A call of a child that was refused, and that a person may allow once after all: no rule is against it. */
export interface RefusedCall {
  readonly agent: Extract<AgentRef, { kind: 'child' }>;
  readonly callId: string;
  readonly tool: string;
  /** As a request's. */
  readonly action: string;
  readonly why: string;
}

/** What became of a call that wasn't simply allowed, as it is kept. Secrets are masked in every text. */
export interface DecisionRecord {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly agent: AgentRef;
  readonly callId: string;
  readonly tool: string;
  readonly action: string;
  /** With `dry_run`: what it would have been; the call ran. */
  readonly verdict: Verdict;
  readonly by: DecidedBy | 'rule' | 'dry_run';
  /** How long an allowed call stays allowed. */
  readonly lasts?: 'once' | 'group' | 'always';
  /** The rule that decided; for what a person allowed for longer, the rule that is remembered. */
  readonly rule?: string;
  readonly why: string;
  /** What the person told the agent with a denial; the answer to a question. */
  readonly message?: string;
  /** True for a question: `allow` is then that it was answered. */
  readonly isQuestion?: true;
}
