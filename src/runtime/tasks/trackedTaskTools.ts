import type { ToolDefinition } from '../domain/tools.ts';
import { createTaskCreateTool, createTaskUpdateTool, type TaskChanging } from './changeTools.ts';
import { createTaskGetTool, createTaskListTool } from './readTools.ts';

/** The tools of a task list, which count as built in. */
export interface TrackedTaskTools {
  readonly root: readonly ToolDefinition[];
  /** What children may inherit: they look, and change nothing. */
  readonly children: readonly ToolDefinition[];
}

/** Makes the tools once for all agents, so that their schemas are compiled once. */
export function createTrackedTaskTools(options: TaskChanging): TrackedTaskTools {
  const children = [createTaskGetTool(options), createTaskListTool(options)];
  return { root: [createTaskCreateTool(options), createTaskUpdateTool(options), ...children], children };
}
