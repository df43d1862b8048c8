import { AppError } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { AgentRef } from '../domain/agents.ts';
import { TASK_STATUSES, type TrackedTask, type TrackedTaskStatus } from '../domain/trackedTasks.ts';
import type { JsonSchema, ToolDefinition, ToolResult } from '../domain/tools.ts';
import type { TaskReading } from './readTools.ts';
import { rootStatusProblem, type RootRules } from './rootRules.ts';
import { taskLine } from './taskText.ts';
import type { TrackedTasks } from './trackedTasks.ts';

export interface TaskChanging extends TaskReading, RootRules {
  readonly tasks: TaskReading['tasks'] & Pick<TrackedTasks, 'create' | 'update'>;
  /** Takes in what subagents of other windows did. Never rejects. */
  readonly refresh: () => Promise<void>;
}

interface CreateInput {
  readonly subject: string;
  readonly description?: string;
  readonly owner?: string;
  readonly blocked_by?: readonly string[];
  readonly blocks?: readonly string[];
}

interface UpdateInput {
  readonly task_id: string;
  readonly status?: TrackedTaskStatus;
  readonly reason?: string;
  readonly subject?: string;
  readonly description?: string;
  readonly owner?: string;
  readonly add_blocked_by?: readonly string[];
  readonly remove_blocked_by?: readonly string[];
  readonly add_blocks?: readonly string[];
  readonly remove_blocks?: readonly string[];
}

const text = (description: string, maxLength: number): JsonSchema => ({ type: 'string', maxLength, description });
const ids = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, maxItems: 100, description });

const TEXTS = {
  subject: text('What is to be done, in a few words.', 200),
  description: text('All that whoever takes it up has to know.', 20_000),
  owner: text('Who is to do it, in a few words; empty for nobody.', 80),
};

/** `TaskCreate`, for the root alone. */
export function createTaskCreateTool({ tasks, child }: TaskChanging): ToolDefinition {
  return {
    name: 'TaskCreate',
    description:
      'Adds a pending task to the list of tracked tasks, which the user sees and which outlives this conversation. For work of several steps, and for work to be handed out later: Agent takes a task on by its task_id, and makes one by itself where none is named.',
    inputSchema: {
      type: 'object',
      properties: { ...TEXTS, blocked_by: ids('Ids of tasks that have to be completed first.'), blocks: ids('Ids of tasks that have to wait for it.') },
      required: ['subject'],
      additionalProperties: false,
    },
    isReadOnly: false,
    actsOnRun: true,
    describe: ({ subject }: CreateInput) => label('Adding the task', subject),
    targets: () => [],
    async execute({ subject, description = '', owner = '', blocked_by = [], blocks = [] }: CreateInput, { agent }) {
      assertRoot(agent);
      const task = await tasks.create({ subject, description, owner, blockedBy: blocked_by, blocks }, 'agent');
      return told('Added', task, { tasks, child });
    },
  };
}

/** `TaskUpdate`, for the root alone: all of a call, or nothing. */
export function createTaskUpdateTool({ tasks, child, refresh, ...rules }: TaskChanging): ToolDefinition {
  return {
    name: 'TaskUpdate',
    description:
      'Changes a tracked task: all that is named, or nothing. Of a task that you do yourself, keep the status true: in_progress while you work, then review, and completed once you have looked at what came of it. The task of a subagent follows the subagent by itself; what you may do is to complete it from review, after you have read the result, and where it changed no file and ran nothing that may have changed something.',
    inputSchema: {
      type: 'object',
      properties: {
        task_id: { type: 'string' },
        status: { type: 'string', enum: [...TASK_STATUSES] },
        reason: text('Why the status changes; required to take up again what is completed, failed or cancelled.', 2000),
        ...TEXTS,
        add_blocked_by: ids('Ids of tasks that have to be completed first.'),
        remove_blocked_by: ids('Ids of tasks that it waits for no more.'),
        add_blocks: ids('Ids of tasks that have to wait for it.'),
        remove_blocks: ids('Ids of tasks that wait for it no more.'),
      },
      required: ['task_id'],
      additionalProperties: false,
    },
    isReadOnly: false,
    actsOnRun: true,
    describe: ({ task_id, status }: UpdateInput) => label('Updating', status === undefined ? task_id : `${task_id} to ${status}`),
    targets: () => [],
    async execute({ task_id, add_blocked_by = [], remove_blocked_by = [], add_blocks = [], remove_blocks = [], ...texts }: UpdateInput, { agent }) {
      assertRoot(agent);
      const update = { ...texts, addBlockedBy: add_blocked_by, removeBlockedBy: remove_blocked_by, addBlocks: add_blocks, removeBlocks: remove_blocks };
      if (texts.status === 'completed') await refresh();
      const task = await tasks.update(task_id, update, 'agent', (stored) => {
        const problem = texts.status === undefined ? undefined : rootStatusProblem(stored, texts.status, agent.sessionId, { child, ...rules });
        if (problem !== undefined) throw new AppError('denied', problem);
      });
      return told('Updated', task, { tasks, child });
    },
  };
}

function told(what: string, task: TrackedTask, { tasks, child }: TaskReading): ToolResult {
  return { content: [{ type: 'text', text: `${what}: ${taskLine(task, (id) => tasks.get(id), child)}` }] };
}

function assertRoot(agent: AgentRef): void {
  if (agent.kind === 'child') throw new AppError('denied', 'A subagent can\'t change the list of tasks. Say in your answer what should change.');
}

function label(verb: string, subject: string): string {
  return truncate(oneLine(`${verb} ${subject}`), 80);
}
