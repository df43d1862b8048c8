import { onAbort, throwIfAborted } from '../base/abort.ts';
import { truncate } from '../base/text.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { aggregateText, answerText, type CompletionOptions, type SettledChild } from './completionText.ts';
import { GroupWait } from './groupWait.ts';
import { movedText, multiTaskToolDescription, taskToolDescription } from './modelText.ts';
import { delegatingSession, taskNames, taskSchema, taskSchemas, tasksSchema, type CallInput, type DelegatingOptions } from './taskInput.ts';

const ACTIVITY_LENGTH = 200;

export interface TaskToolOptions extends DelegatingOptions {
  readonly results: CompletionOptions;
}

/** The `Task` tool: delegates one task and waits for it. The call returns the child's final text. */
export function createTaskTool(options: TaskToolOptions): ToolDefinition {
  return {
    name: 'Task',
    get description() {
      return taskToolDescription(options.definitions(), options.tiers?.());
    },
    ...taskSchemas(options, taskSchema),
    isReadOnly: false,
    actsOnRun: true,
    describe: (task: CallInput) => waitingFor(taskNames([task])),
    targets: () => [],
    execute: (task: CallInput, context) => delegateAndWait([task], {}, context, options, oneResult),
  };
}

/** The `MultiTask` tool: delegates several tasks and waits for all. The call returns all their results, in the order of the tasks. */
export function createMultiTaskTool(options: TaskToolOptions): ToolDefinition {
  return {
    name: 'MultiTask',
    get description() {
      return multiTaskToolDescription(options.definitions(), options.maxTasks(), options.tiers?.());
    },
    ...taskSchemas(options, (tracked, tiers) => ({ type: 'object', properties: { tasks: tasksSchema(tracked, tiers) }, required: ['tasks'] })),
    isReadOnly: false,
    actsOnRun: true,
    describe: ({ tasks }: CallInput) => waitingFor(taskNames(tasks)),
    targets: () => [],
    execute: ({ tasks, ...others }: CallInput, context) => delegateAndWait(tasks, others, context, options, allResults),
  };
}

type ResultOf = (children: readonly SettledChild[], options: CompletionOptions) => ToolResult;

async function delegateAndWait(tasks: unknown, others: CallInput, context: ToolContext, { dispatch, results }: TaskToolOptions, resultOf: ResultOf): Promise<ToolResult> {
  const { agent, cwd, signal } = context;
  const sessionId = delegatingSession(agent);
  throwIfAborted(signal);
  const wait = new GroupWait();
  // The turn's end is the end of the wait alone: the children outlive it, even where they are being started just now.
  const listening = onAbort(signal, () => wait.giveUp());
  try {
    const group = await dispatch({ sessionId, cwd, tasks, others, wait });
    context.progress(waitingFor(group.children.map(({ displayName }) => displayName)));
    const settled = await wait.results;
    return settled ? { ...resultOf(settled.children, results), delivers: group.groupId } : textResult(movedText(group));
  } finally {
    listening.dispose();
  }
}

/** Of a child that didn't succeed, what is known of its end, under a heading that names it: it can go on by its id. */
function oneResult(children: readonly SettledChild[], options: CompletionOptions): ToolResult {
  const [child] = children;
  const answer = child && answerText(child, options);
  return answer === undefined ? { ...textResult(aggregateText(children, options)), isError: true } : textResult(answer);
}

function allResults(children: readonly SettledChild[], options: CompletionOptions): ToolResult {
  const isError = children.every(({ outcome }) => outcome.status !== 'completed');
  return { ...textResult(aggregateText(children, options)), isError };
}

function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

function waitingFor(names: readonly string[]): string {
  return truncate(`Waiting for: ${names.join(', ')}`, ACTIVITY_LENGTH);
}
