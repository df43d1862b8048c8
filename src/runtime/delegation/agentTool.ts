import { throwIfAborted } from '../base/abort.ts';
import { AppError } from '../base/errors.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { shortLabel } from './groupLabel.ts';
import { acceptedText, agentToolDescription } from './modelText.ts';
import { delegatingSession, taskNames, taskSchemas, tasksSchema, type CallInput, type DelegatingOptions } from './taskInput.ts';

export interface AgentToolOptions extends DelegatingOptions {
  /** False: every call fails, since nothing may run in the background here. */
  readonly background: boolean;
}

/** The `Agent` tool. Its description is made anew each time it is read, so that it names the definitions of that moment. */
export function createAgentTool(options: AgentToolOptions): ToolDefinition {
  return {
    name: 'Agent',
    get description() {
      return agentToolDescription(options.definitions(), options.maxTasks(), options.tiers?.());
    },
    ...taskSchemas(options, (tracked, tiers) => ({
      type: 'object',
      properties: {
        tasks: tasksSchema(tracked, tiers),
        run_in_background: { type: 'boolean', description: 'Changes nothing: a group always runs in the background.' },
      },
      required: ['tasks'],
    })),
    isReadOnly: false,
    actsOnRun: true,
    describe: ({ tasks }: CallInput) => `Delegating: ${shortLabel(taskNames(tasks))}`,
    targets: () => [],
    execute: (input: CallInput, context) => delegate(input, context, options),
  };
}

async function delegate(input: CallInput, { agent, cwd, signal }: ToolContext, options: AgentToolOptions): Promise<ToolResult> {
  const sessionId = delegatingSession(agent);
  if (!options.background) throw new AppError('unavailable', 'Background work is switched off for this session, so subagents can\'t be started. Do the work yourself.');
  throwIfAborted(signal);
  const { tasks, ...others } = input;
  // The signal stops at this line on purpose: the children outlive the turn that started them.
  const group = await options.dispatch({ sessionId, cwd, tasks, others });
  return { content: [{ type: 'text', text: acceptedText(group) }] };
}
