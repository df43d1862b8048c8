import { AppError } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import { TASK_STATUSES } from '../domain/trackedTasks.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import type { FindChild } from './rootRules.ts';
import { taskIn } from './taskList.ts';
import { taskLine, taskText } from './taskText.ts';
import type { TrackedTasks } from './trackedTasks.ts';

export interface TaskReading {
  readonly tasks: Pick<TrackedTasks, 'load' | 'list' | 'get'>;
  readonly child: FindChild;
}

interface GetInput {
  readonly task_id: string;
}

interface ListInput {
  readonly status?: string;
}

/** `TaskGet`: one task with all that is known of it. Its words are few, since they stand in each request of every child. */
export function createTaskGetTool({ tasks, child }: TaskReading): ToolDefinition {
  return {
    name: 'TaskGet',
    description: 'All of a tracked task.',
    inputSchema: { type: 'object', properties: { task_id: { type: 'string' } }, required: ['task_id'] },
    isReadOnly: true,
    actsOnRun: true,
    describe: ({ task_id }: GetInput) => truncate(oneLine(`Looking at ${task_id}`), 80),
    targets: () => [],
    async execute({ task_id }: GetInput) {
      await tasks.load();
      return { content: [{ type: 'text', text: taskText(taskIn(tasks.list(), task_id), tasks.list(), child) }] };
    },
  };
}

/** `TaskList`: one line for each task, what waits for somebody first. */
export function createTaskListTool({ tasks, child }: TaskReading): ToolDefinition {
  return {
    name: 'TaskList',
    description: 'The tracked tasks.',
    inputSchema: { type: 'object', properties: { status: { type: 'string' } } },
    isReadOnly: true,
    actsOnRun: true,
    describe: () => 'Looking at the tasks',
    targets: () => [],
    async execute({ status = '' }: ListInput) {
      const statuses = TASK_STATUSES.filter((each) => status === '' || each === status);
      if (statuses.length === 0) throw new AppError('invalid_input', `There is no status ${JSON.stringify(truncate(status, 80))}. Allowed: ${TASK_STATUSES.join(', ')}; left out: all.`);
      await tasks.load();
      const lines = statuses.flatMap((each) => tasks.list().filter((task) => task.status === each)).map((task) => taskLine(task, (id) => tasks.get(id), child));
      return { content: [{ type: 'text', text: lines.join('\n') || '[There are none.]' }] };
    },
  };
}
