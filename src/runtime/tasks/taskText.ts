import { oneLine, truncate } from '../base/text.ts';
import type { TrackedTask, TrackedTaskChange } from '../domain/trackedTasks.ts';
import { blockedTasks, openBlockers } from './dependencies.ts';
import type { FindChild } from './rootRules.ts';
import type { FindTask } from './taskList.ts';

const SUBJECT_LENGTH = 120;
const OWNER_LENGTH = 80;

/** A task in one line, as a model reads it in a list. */
export function taskLine(task: TrackedTask, find: FindTask, child: FindChild): string {
  const waitsFor = task.status === 'pending' ? openBlockers(task, find).map(({ id }) => id) : [];
  const facts = [
    ...(task.owner === undefined ? [] : [`owner: ${truncate(oneLine(task.owner), OWNER_LENGTH)}`]),
    ...(task.agentId === undefined ? [] : [`subagent: ${subagent(task.agentId, child)}`]),
    ...(waitsFor.length === 0 ? [] : [`waits for ${waitsFor.join(', ')}`]),
  ];
  return `${task.id} [${task.status}] ${subjectOf(task)}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`;
}

/** All of a task, as a model reads it. The description comes last, so that nothing in it passes for more. */
export function taskText(task: TrackedTask, tasks: readonly TrackedTask[], child: FindChild): string {
  const find: FindTask = (id) => tasks.find((other) => other.id === id);
  const line = (other: TrackedTask): string => `- ${other.id} [${other.status}] ${subjectOf(other)}`;
  const blockedBy = (task.blockedBy ?? []).flatMap((id) => find(id) ?? []);
  const blocks = blockedTasks(task.id, tasks);
  return [
    taskLine(task, find, child),
    ...(blockedBy.length === 0 ? [] : ['Blocked by:', ...blockedBy.map(line)]),
    ...(blocks.length === 0 ? [] : ['Blocks:', ...blocks.map(line)]),
    'History:',
    ...task.history.map(changeLine),
    'Description:',
    task.description === '' ? '(none)' : task.description,
  ].join('\n');
}

function changeLine({ to, by, at, reason }: TrackedTaskChange): string {
  return `- ${new Date(at).toISOString()} ${to}, by the ${by}${reason === undefined ? '' : `: ${oneLine(reason)}`}`;
}

function subagent(agentId: string, child: FindChild): string {
  const name = child(agentId)?.displayName;
  return name === undefined ? agentId : `${oneLine(name)}, ${agentId}`;
}

function subjectOf({ subject }: TrackedTask): string {
  return truncate(oneLine(subject), SUBJECT_LENGTH);
}
