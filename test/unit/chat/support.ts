import type { ChildView, GroupView, RunOutcome } from '../../../src/runtime/domain/agents.ts';
import type { RuntimeEvent, RuntimeEventBody } from '../../../src/runtime/domain/events.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import type { ChatIds } from '../../../src/ui/chat/chatIds.ts';
import type { ChatOutput } from '../../../src/ui/chat/turnRenderer.ts';
import { chatWords, type ChatWords } from '../../../src/ui/chat/words.ts';
import { english } from '../ui/fakes.ts';

export const IDS: ChatIds = { participant: 'ext.me', vendor: 'ext', showGroup: 'ext.show', cancelGroup: 'ext.cancel', resumeGroup: 'ext.resume', reviewGroup: 'ext.review', reviewPending: 'ext.pending', reviewDefinitions: 'ext.definitions', continueInBackground: 'ext.background' };

/** Words that show where they come from; what children came to in those of the product. */
export const WORDS: ChatWords = {
  ...chatWords(english),
  showInPanel: () => 'Show',
  cancel: () => 'Cancel',
  resume: () => 'Resume',
  review: () => 'Review',
  started: (name) => `started ${name}`,
  wants: (name, action) => `wants ${name}: ${action}`,
  rootWants: (action) => `wants: ${action}`,
  asks: (name, question) => `asks ${name}: ${question}`,
  rootAsks: (question) => `asks: ${question}`,
  showPending: () => 'Pending',
  ended: (name, end) => `ended ${name}: ${end}`,
  background: () => 'in the background',
  saidAgain: () => 'AGAIN',
  retrying: (failure, milliseconds) => `retrying after ${failure} in ${milliseconds} ms`,
  scheduled: (title) => `SCHEDULED ${title}`,
  turnFailed: (message) => `FAILED ${message}`,
};

export function child(agentId: string, change: Partial<ChildView> = {}): ChildView {
  return {
    agentId,
    displayName: `Name of ${agentId}`,
    definition: 'researcher',
    model: { provider: 'p', model: 'm' },
    prompt: 'do it',
    maxTurns: 5,
    tools: [],
    round: 1,
    groupId: 'bg_1',
    roundGroupId: 'bg_1',
    sessionId: 's1',
    status: 'queued',
    queuedAt: 0,
    lastActivityAt: 0,
    approvals: [],
    turns: 0,
    toolCalls: 0,
    denials: 0,
    usage: NO_USAGE,
    changedFiles: [],
    ...change,
  };
}

export function group(children: readonly ChildView[], change: Partial<GroupView> = {}): GroupView {
  return { groupId: 'bg_1', sessionId: 's1', cwd: '/w', status: 'running', createdAt: 0, children, usage: NO_USAGE, isRound: false, isElsewhere: false, ...change };
}

export function event(body: RuntimeEventBody): RuntimeEvent {
  return { at: 0, ...body };
}

export const rootText = (text: string, sessionId = 's1'): RuntimeEvent => event({ type: 'text.delta', agent: { kind: 'root', sessionId }, text });

const DONE: RunOutcome = { status: 'completed', text: 'done' };

export const userTurn = {
  started: (turnId: string) => event({ type: 'turn.started', sessionId: 's1', turnId, cause: { kind: 'user' } }),
  ended: (turnId: string, outcome: RunOutcome = DONE) => event({ type: 'turn.ended', sessionId: 's1', turnId, cause: { kind: 'user' }, outcome }),
};

export const completionTurn = {
  started: (turnId: string, groupId = 'bg_1') => event({ type: 'turn.started', sessionId: 's1', turnId, cause: { kind: 'completion', groupId } }),
  ended: (turnId: string, groupId = 'bg_1', outcome: RunOutcome = DONE) => event({ type: 'turn.ended', sessionId: 's1', turnId, cause: { kind: 'completion', groupId }, outcome }),
};

const SCHEDULED = { kind: 'scheduled', promptId: 'cron-1', title: 'Look' } as const;
export const scheduledTurn = {
  started: (turnId: string, cause = SCHEDULED) => event({ type: 'turn.started', sessionId: 's1', turnId, cause }),
  ended: (turnId: string, outcome: RunOutcome = DONE) => event({ type: 'turn.ended', sessionId: 's1', turnId, cause: SCHEDULED, outcome }),
};

/** Keeps what was written, one entry a part: `text:…`, `block:…`, `pending:…`, `progress:…`, `file:…`. */
export class RecordedOutput implements ChatOutput {
  readonly parts: string[] = [];

  text(markdown: string): void {
    this.parts.push(`text:${markdown}`);
  }
  block(markdown: string): void {
    this.parts.push(`block:${markdown}`);
  }
  pending(markdown: string): void {
    this.parts.push(`pending:${markdown}`);
  }
  progress(markdown: string): void {
    this.parts.push(`progress:${markdown}`);
  }
  file(path: string): void {
    this.parts.push(`file:${path}`);
  }
}
