import type { RuntimeEvent, RuntimeEventType } from '../domain/events.ts';
import { isAgentRef, isChildSpec, isDefinition, isNumber, isOutcome, isRecord, isText, isUsage, listOf, optional, withFields, type Check } from './shapes.ts';

const ofGroup = { sessionId: isText, groupId: isText };
const ofChild = { ...ofGroup, agentId: isText };
const ofAgent = withFields({ agent: isAgentRef });
const ofRequest = withFields({ request: withFields({ id: isText, agent: isAgentRef }) });
const isSomeChildren: Check = (value) => listOf(isChildSpec)(value) && Array.isArray(value) && value.length > 0;
const isTrue: Check = (value) => value === true;
const neverStored: Check = () => true;

const isFileState = withFields({ kind: isText, hash: optional(isText), mode: optional(isNumber), why: optional(isText) });
const isRange = withFields({ start: isNumber, end: isNumber });
const isDecided: Check = (value) => value === 'all' || listOf(isRange)(value);

/** What is read of each kind of event. */
const CHECKS: Readonly<Record<RuntimeEventType, Check>> = {
  'group.accepted': withFields({ group: withFields({ ...ofGroup, cwd: isText, children: isSomeChildren }), hostId: isText, definitions: optional(listOf(isDefinition)) }),
  'child.queued': withFields({ ...ofChild, spec: optional(isChildSpec) }),
  'child.started': withFields(ofChild),
  'child.noted': withFields({ ...ofChild, text: isText, unrecorded: optional(isTrue) }),
  'child.settled': withFields({ ...ofChild, outcome: isOutcome }),
  'child.interrupted': withFields(ofChild),
  'group.settled': withFields({ ...ofGroup, status: isText }),
  'group.interrupted': withFields({ ...ofGroup, hostId: optional(isText) }),
  'group.resumed': withFields({ ...ofGroup, hostId: isText }),
  'group.delivered': withFields(ofGroup),
  'approval.wanted': ofRequest,
  'approval.decided': ofRequest,
  'approval.withdrawn': ofRequest,
  'task.changed': withFields({ task: withFields({ id: isText, status: isText, agentId: optional(isText) }) }),
  'retry.scheduled': withFields({ agent: isAgentRef, attempt: isNumber, until: isNumber, failure: isText, message: isText }),
  'model.ended': withFields({ agent: isAgentRef, usage: isUsage }),
  'context.compacted': withFields({ agent: isAgentRef, how: isText, tokensBefore: isNumber, tokensAfter: isNumber }),
  'tool.called': withFields({ agent: isAgentRef, callId: isText, activity: isText }),
  'tool.ended': withFields({ agent: isAgentRef, callId: isText }),
  'files.changed': withFields({ agent: isAgentRef, changes: listOf(withFields({ path: isText, before: optional(isFileState), after: optional(isFileState) })) }),
  'worktree.created': withFields({ ...ofChild, worktree: withFields({ path: isText, base: isText }) }),
  'worktree.applied': withFields({ ...ofChild, paths: listOf(isText) }),
  'worktree.removed': withFields(ofChild),
  'worktree.kept': withFields({ ...ofChild, why: isText }),
  'review.decided': withFields({ ...ofChild, decision: withFields({ id: isText, path: isText, verdict: isText, content: isFileState, lines: isDecided }) }),
  'review.requested': withFields({ ...ofChild, asks: withFields({ id: isText, round: isNumber, text: isText, comments: listOf(withFields({ id: isText, path: isText, lines: isRange, content: isFileState, text: isText })) }) }),
  'text.delta': ofAgent,
  'thinking.delta': ofAgent,
  'text.discarded': ofAgent,
  'tool.progress': ofAgent,
  'message.sent': withFields({ agent: isAgentRef, id: isText, text: isText }),
  'message.delivered': ofAgent,
  'permission.denied': ofAgent,
  'permission.granted': ofAgent,
  'permission.dry_run': ofAgent,
  'turn.started': neverStored,
  'turn.ended': neverStored,
  'commands.changed': neverStored,
  'cooldown.started': neverStored,
  'group.refreshed': neverStored,
  'connection.changed': neverStored,
  'definitions.reloaded': neverStored,
  'definitions.refused': neverStored,
  'skills.reloaded': neverStored,
  problem: neverStored,
};

/** Whether a line of a log is an event that can be applied. One of a kind that only a later version knows is: it changes nothing here. */
export function isStoredEvent(value: unknown): value is RuntimeEvent {
  if (!isRecord(value) || !isNumber(value['at'])) return false;
  const { type } = value;
  return typeof type === 'string' && (!isKnown(type) || CHECKS[type](value));
}

function isKnown(type: string): type is RuntimeEventType {
  return Object.hasOwn(CHECKS, type);
}
