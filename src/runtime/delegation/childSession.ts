import { childPrompt } from '../agent/prompt.ts';
import type { AgentServices } from '../agent/services.ts';
import { toolRunner } from '../agent/services.ts';
import { AgentSession } from '../agent/session.ts';
import { childTools } from '../agent/toolPool.ts';
import type { AgentRef } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import { textMessage } from '../domain/messages.ts';
import type { ModelProvider } from '../domain/models.ts';
import type { PermissionLayer } from '../domain/permissions.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { createReadLedger } from '../store/readLedger.ts';
import type { RunChild } from './childRun.ts';
import { watchRefusals } from './refusals.ts';

export interface ChildSessionOptions {
  readonly services: AgentServices;
  /** As they are when a child starts. */
  readonly provider: () => ModelProvider;
  readonly builtins: () => readonly ToolDefinition[];
  /** Asked for at each call. */
  readonly layers: (definition: AgentDefinition) => readonly PermissionLayer[];
}

/** What runs a child from its prompt to its outcome, in a session that knows nothing of its parent's. */
export function createChildRunner({ services, provider, builtins, layers }: ChildSessionOptions): RunChild {
  return async (spec, group, definition, signal) => {
    const { sessionId, groupId, cwd } = group;
    const agent: AgentRef = { kind: 'child', sessionId, groupId, agentId: spec.agentId, displayName: spec.displayName };
    const transcript = services.transcripts.writer(spec.agentId);
    const system = childPrompt(definition, cwd);
    const tools = childTools(builtins(), definition);
    await transcript.append({ type: 'started', at: Date.now(), run: { kind: 'child', sessionId, groupId, spec, definition, system } });

    const session = new AgentSession(agent, transcript, services.publish);
    const refusals = watchRefusals(services.gate);
    const runTools = toolRunner({ ...services, gate: refusals.gate }, { agent, tools, cwd, layers: () => layers(definition), reads: createReadLedger() });
    const setup = { provider: provider(), model: spec.model.model, system, tools, maxTurns: spec.maxTurns, runTools };
    const outcome = refusals.added(await session.run(textMessage(spec.prompt), setup, signal));
    await transcript.append({ type: 'ended', at: Date.now(), outcome });
    return outcome;
  };
}
