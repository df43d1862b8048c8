import { AppError } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import { NO_SUBAGENTS } from '../agent/missingTool.ts';
import type { AgentRef, GroupSpec } from '../domain/agents.ts';
import { INHERIT } from '../definitions/modelNames.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { Tier } from '../domain/models.ts';
import type { JsonSchema, ToolDefinition } from '../domain/tools.ts';
import type { DispatchRequest } from './requests.ts';

const LABEL_LENGTH = 80;

/** What every tool that delegates works with. */
export interface DelegatingOptions {
  readonly dispatch: (request: DispatchRequest) => Promise<GroupSpec>;
  /** Those that a model may be offered, as of now. */
  readonly definitions: () => readonly AgentDefinition[];
  readonly maxTasks: () => number;
  /** Tracked tasks are on: a task may name one. */
  readonly tasks: boolean;
  /** The tiers of the catalog, as of now; absent without a catalog. */
  readonly tiers?: () => readonly Tier[] | undefined;
}

/** What is left of a call once its schema has let it through; the fields of its tasks are checked at dispatch. */
export type CallInput = Readonly<Record<string, unknown>>;

/** The session in which a root delegates. Throws `denied` for a child. */
export function delegatingSession(agent: AgentRef): string {
  if (agent.kind === 'child') throw new AppError('denied', NO_SUBAGENTS);
  return agent.sessionId;
}

/** What the tasks of an unchecked call are called, for people. */
export function taskNames(tasks: unknown): readonly string[] {
  if (!Array.isArray(tasks)) return [];
  return tasks.map((task: unknown) => {
    const name: unknown = typeof task === 'object' && task !== null && 'display_name' in task ? task.display_name : undefined;
    return (typeof name === 'string' && truncate(oneLine(name), LABEL_LENGTH)) || 'unnamed task';
  });
}

/**
 * A task. Leaves required fields, limits and unknown fields to the dispatch: a schema would name the first problem only.
 * `tiers`: for a model to read; what a call is checked against leaves them to the dispatch too.
 */
export function taskSchema(tasks: boolean, tiers?: readonly Tier[]): JsonSchema {
  const text = (description: string): JsonSchema => ({ type: 'string', description });
  return {
    type: 'object',
    properties: {
      display_name: text('Required. What the user sees this task called, in a few words.'),
      subagent_type: text('The kind of subagent. Default: general-purpose.'),
      prompt: text('Required. All that the subagent will see: goal, context, paths, form of the answer.'),
      model: { ...text('Another model than the one that the kind of subagent runs on. Leave out unless there is a reason.'), ...(tiers && { enum: [...tiers, INHERIT] }) },
      resume: text('The agentId of a subagent that has ended, to go on with its whole conversation and this prompt. Its kind and its task stay; leave them out.'),
      ...(tasks && { task_id: text('A tracked task that this subagent takes on. Left out: a new one is made.') }),
    },
  };
}

/** The tasks of one group. */
export function tasksSchema(tasks: boolean, tiers?: readonly Tier[]): JsonSchema {
  return { type: 'array', description: 'The tasks of the group, one subagent each.', items: taskSchema(tasks, tiers) };
}

/** Checked schema and the one that a model reads, with the tiers of that moment. */
export function taskSchemas({ tasks, tiers }: DelegatingOptions, schemaOf: (tasks: boolean, tiers?: readonly Tier[]) => JsonSchema): Pick<ToolDefinition, 'inputSchema' | 'schemaFor'> {
  return { inputSchema: schemaOf(tasks), schemaFor: () => schemaOf(tasks, tiers?.()) };
}
