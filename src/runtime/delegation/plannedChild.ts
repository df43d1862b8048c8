import type { PlannedChild } from '../domain/agents.ts';
import { withoutSecrets } from '../domain/definitions.ts';
import type { ValidTask } from './validate.ts';

/** A task that can start, as the child that it would be. One that goes on keeps the name by which people know it. */
export function plannedChild({ task, definition, model, tools, notes, run }: ValidTask): PlannedChild {
  return {
    displayName: run?.view.displayName ?? task.display_name,
    prompt: task.prompt,
    definition: withoutSecrets(definition),
    model,
    tools,
    notes,
    ...(run && { resume: run.view.agentId }),
  };
}
