import { throwIfAborted } from '../base/abort.ts';
import { AppError } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { GroupSpec } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { JsonSchema, ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import type { DispatchRequest } from './delegation.ts';
import { shortLabel } from './groupLabel.ts';
import { acceptedText, agentToolDescription } from './modelText.ts';

const LABEL_LENGTH = 80;

export interface AgentToolOptions {
  readonly dispatch: (request: DispatchRequest) => Promise<GroupSpec>;
  readonly definitions: () => readonly AgentDefinition[];
  readonly maxTasks: () => number;
  /** False: every call fails, since nothing may run in the background here. */
  readonly background: boolean;
  /** Tracked tasks are on: a task may name one. */
  readonly tasks: boolean;
  /** A sentence on the models to choose from. */
  readonly models?: () => string | undefined;
}

/** What is left of a call once its schema has let it through; the fields of its tasks are checked at dispatch. */
type AgentInput = Readonly<Record<string, unknown>>;

/** The `Agent` tool. Its description is made anew each time it is read, so that it names the definitions of that moment. */
export function createAgentTool(options: AgentToolOptions): ToolDefinition {
  return {
    name: 'Agent',
    get description() {
      return agentToolDescription(options.definitions(), options.maxTasks(), options.models?.());
    },
    inputSchema: schema(options.tasks),
    isReadOnly: false,
    actsOnRun: true,
    describe: (input: AgentInput) => `Delegating: ${shortLabel(taskNames(input))}`,
    targets: () => [],
    execute: (input: AgentInput, context) => delegate(input, context, options),
  };
}

async function delegate(input: AgentInput, { agent, cwd, signal }: ToolContext, options: AgentToolOptions): Promise<ToolResult> {
  if (agent.kind === 'child') throw new AppError('denied', "A subagent can't start subagents. Do the work yourself, or say in your answer what should be delegated.");
  if (!options.background) throw new AppError('unavailable', 'Background work is switched off for this session, so subagents can\'t be started. Do the work yourself.');
  throwIfAborted(signal);
  const { tasks, ...others } = input;
  // The signal stops at this line on purpose: the children outlive the turn that started them.
  const group = await options.dispatch({ sessionId: agent.sessionId, cwd, tasks, others });
  return { content: [{ type: 'text', text: acceptedText(group) }] };
}

function taskNames({ tasks }: AgentInput): readonly string[] {
  if (!Array.isArray(tasks)) return [];
  return tasks.map((task: unknown) => {
    const name: unknown = typeof task === 'object' && task !== null && 'display_name' in task ? task.display_name : undefined;
    return (typeof name === 'string' && truncate(oneLine(name), LABEL_LENGTH)) || 'unnamed task';
  });
}

/** Leaves required fields, limits and unknown fields to the dispatch: a schema would name the first problem only. */
function schema(tasks: boolean): JsonSchema {
  const text = (description: string): JsonSchema => ({ type: 'string', description });
  return {
    type: 'object',
    properties: {
      tasks: {
        type: 'array',
        description: 'The tasks of the group, one subagent each.',
        items: {
          type: 'object',
          properties: {
            display_name: text('Required. What the user sees this task called, in a few words.'),
            subagent_type: text('The kind of subagent. Default: general-purpose.'),
            prompt: text('Required. All that the subagent will see: goal, context, paths, form of the answer.'),
            model: text('Another model than the one that the kind of subagent runs on. Leave out unless there is a reason.'),
            resume: text('The agentId of a subagent that has ended, to go on with its whole conversation and this prompt. Its kind and its task stay; leave them out.'),
            ...(tasks && { task_id: text('A tracked task that this subagent takes on. Left out: a new one is made.') }),
          },
        },
      },
      run_in_background: { type: 'boolean', description: 'Changes nothing: a group always runs in the background.' },
    },
    required: ['tasks'],
  };
}
