import { join } from 'node:path';
import { errorText } from '../base/errors.ts';
import type { ApprovalDecision, ApprovalRequest } from '../domain/approvals.ts';
import type { RuntimeEvent } from '../domain/events.ts';
import type { UserQuestion } from '../domain/services.ts';
import { JsonlFile } from './jsonl.ts';

export interface GroupLogOptions {
  /** Absolute path; made on first use. */
  readonly folder: string;
  /** Removes secrets from a recorded input. */
  readonly mask: (value: unknown) => unknown;
  /** Whether a group is known and no other window runs it. */
  readonly isOurs: (groupId: string) => boolean;
  /** Hears of every event that could not be written. */
  readonly report: (message: string) => void;
}

/** Keeps each group's events, all but the streamed text, in a file of its own: what restores the panel's history. */
export class GroupLog {
  readonly #options: GroupLogOptions;
  /** Of the groups about which something is left to do. */
  readonly #files = new Map<string, JsonlFile<RuntimeEvent>>();
  readonly #writing = new Map<Promise<void>, string>();

  constructor(options: GroupLogOptions) {
    this.#options = options;
  }

  record(event: RuntimeEvent): void {
    const groupId = groupOf(event);
    if (groupId === undefined) return;
    // Other windows' tasks are told here too; their logs are theirs.
    if (event.type === 'task.changed' && !this.#options.isOurs(groupId)) return;
    const writing = this.#file(groupId, event.type !== 'task.changed')
      .append(this.#recordable(event))
      .catch((error: unknown) => this.#options.report(`Could not record group ${groupId}: ${errorText(error)}`))
      .finally(() => this.#writing.delete(writing));
    this.#writing.set(writing, groupId);
    if (event.type === 'group.delivered') this.#files.delete(groupId);
  }

  /** Resolves when everything recorded so far is written, of one group or of all. */
  async flush(groupId?: string): Promise<void> {
    await Promise.all([...this.#writing].flatMap(([writing, id]) => (groupId === undefined || id === groupId ? [writing] : [])));
  }

  /** A task may change long after its group has ended: then its file isn't kept in mind again. */
  #file(groupId: string, keep: boolean): JsonlFile<RuntimeEvent> {
    const file = this.#files.get(groupId) ?? new JsonlFile<RuntimeEvent>(join(this.#options.folder, `${groupId}.jsonl`));
    if (keep) this.#files.set(groupId, file);
    return file;
  }

  #recordable(event: RuntimeEvent): RuntimeEvent {
    if (event.type === 'tool.called') return { ...event, activity: this.#text(event.activity) };
    if (event.type === 'message.delivered') return { ...event, text: this.#text(event.text) };
    if (event.type === 'permission.denied' || event.type === 'permission.granted' || event.type === 'permission.dry_run') {
      return { ...event, action: this.#text(event.action), why: this.#text(event.why), ...(event.rule !== undefined && { rule: this.#text(event.rule) }) };
    }
    if (!('request' in event)) return event;
    const { request } = event;
    const masked: ApprovalRequest = {
      ...request,
      action: this.#text(request.action),
      why: this.#text(request.why),
      // The narrowest rule for a command may be that very command.
      ...(request.rule !== undefined && { rule: this.#text(request.rule) }),
      input: this.#options.mask(request.input),
      preview: { kind: 'text', text: '' },
      ...(request.question && { question: this.#options.mask(request.question) as UserQuestion }),
    };
    return event.type === 'approval.decided' ? { ...event, request: masked, decision: this.#options.mask(event.decision) as ApprovalDecision } : { ...event, request: masked };
  }

  #text(text: string): string {
    return String(this.#options.mask(text));
  }
}

/** The group whose log an event belongs to; nothing for streamed text and for what concerns no group. */
function groupOf(event: RuntimeEvent): string | undefined {
  switch (event.type) {
    case 'text.delta':
    case 'thinking.delta':
    case 'tool.progress':
    // None outlives its window.
    case 'commands.changed':
    case 'turn.started':
    case 'turn.ended':
    case 'cooldown.started':
    case 'group.refreshed':
    case 'connection.changed':
    case 'definitions.reloaded':
    case 'definitions.refused':
    case 'skills.reloaded':
    // What persons make of changes has a log of its own.
    case 'review.decided':
    case 'review.requested':
    case 'problem':
      return undefined;
    case 'group.accepted':
      return event.group.groupId;
    case 'child.queued':
    case 'child.started':
    case 'child.noted':
    case 'child.settled':
    case 'child.interrupted':
    case 'worktree.created':
    case 'worktree.applied':
    case 'worktree.removed':
    case 'worktree.kept':
    case 'group.settled':
    case 'group.interrupted':
    case 'group.resumed':
    case 'group.delivered':
      return event.groupId;
    case 'task.changed':
      return event.task.groupId;
    case 'approval.wanted':
    case 'approval.decided':
    case 'approval.withdrawn':
      return event.request.agent.kind === 'child' ? event.request.agent.groupId : undefined;
    case 'text.discarded':
    case 'retry.scheduled':
    case 'model.ended':
    case 'context.compacted':
    case 'tool.called':
    case 'tool.ended':
    case 'files.changed':
    case 'permission.denied':
    case 'permission.granted':
    case 'permission.dry_run':
    case 'message.sent':
    case 'message.delivered':
      return event.agent.kind === 'child' ? event.agent.groupId : undefined;
  }
}
