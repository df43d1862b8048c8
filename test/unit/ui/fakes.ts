import type { ChildView, GroupView } from '../../../src/runtime/domain/agents.ts';
import type { ApprovalRequest } from '../../../src/runtime/domain/approvals.ts';
import type { FileReview, Hunk, ReviewAccess } from '../../../src/runtime/domain/reviews.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import type { L10n } from '../../../src/ui/l10n.ts';

/** English, as VS Code gives it without a bundle. */
export const english: L10n = {
  t: (message, ...args) => message.replace(/\{(\d+)\}/g, (_all, index: string) => String(args[Number(index)])),
};

export function child(patch: Partial<ChildView> = {}): ChildView {
  return {
    agentId: 'agent-1', displayName: 'Docs review', definition: 'general-purpose', model: { provider: 'p', model: 'm' }, prompt: 'Do it.', maxTurns: 50, tools: ['Read'],
    round: 1, groupId: 'g1', roundGroupId: 'g1', sessionId: 's1', status: 'running', queuedAt: 0, startedAt: 1000, lastActivityAt: 1000, approvals: [], turns: 1, toolCalls: 2, denials: 0, usage: NO_USAGE, changedFiles: [], ...patch,
  };
}

export function group(children: readonly ChildView[], patch: Partial<GroupView> = {}): GroupView {
  return { groupId: 'g1', sessionId: 's1', cwd: '/w', status: 'running', createdAt: 0, children, usage: NO_USAGE, isRound: false, isElsewhere: false, ...patch };
}

export function request(patch: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: 'r1', agent: { kind: 'child', sessionId: 's1', groupId: 'g1', agentId: 'agent-1', displayName: 'Docs review' }, callId: 'c1', tool: 'Bash', action: 'npm test',
    input: { command: 'npm test' }, preview: { kind: 'command', command: 'npm test', cwd: '/w' }, why: 'No rule allows it.', rule: 'Bash(npm test:*)', canAlways: true, requestedAt: 0, ...patch,
  };
}

/** A question that waits for an answer. */
export function question(patch: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const asked = { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue', description: 'as the sky' }] };
  const { rule: _, ...rest } = request();
  return { ...rest, id: 'q1', tool: 'AskUser', action: asked.question, input: asked, preview: { kind: 'text', text: asked.question }, why: 'It asks the user.', canAlways: false, question: asked, ...patch };
}

export function hunk(patch: Partial<Hunk> = {}): Hunk {
  return { id: 'h1', lines: { start: 2, end: 4 }, before: ['old'], now: ['new', 'newer'], ...patch };
}

export function file(patch: Partial<FileReview> = {}): FileReview {
  return { path: '/w/src/a.ts', kind: 'edited', state: 'open', added: 2, removed: 1, isBinary: false, hunks: [hunk()], sharedWith: [], ...patch };
}

/** Answers what is given, and fails a test that asks for anything else. */
export function strictReviews(given: Partial<ReviewAccess>): ReviewAccess {
  return new Proxy(given as ReviewAccess, {
    get(target, name) {
      if (!Reflect.has(target, name)) throw new Error(`Nobody expected reviews.${String(name)}.`);
      return Reflect.get(target, name) as unknown;
    },
  });
}
