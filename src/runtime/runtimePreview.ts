import type { Clock } from './base/clock.ts';
import { AppError, isAppError } from './base/errors.ts';
import { durationText } from './base/text.ts';
import { withTimeLimit } from './base/timeLimit.ts';
import { childCapabilities, type ChildCapabilitySources } from './childCapabilities.ts';
import type { DefinitionRegistry } from './definitions/registry.ts';
import type { Inheritance } from './delegation/childSetup.ts';
import { previewAgent, type PreviewParts } from './delegation/preview.ts';
import type { Delegator } from './delegation/requests.ts';
import type { LiteAgent } from './domain/liteAgent.ts';
import type { RuntimeState } from './runtimeState.ts';

/** What children of the runtime are made from. */
export interface PreviewSources extends Pick<PreviewParts, 'builtins' | 'resolving' | 'readsOnly' | 'refresh' | 'layers' | 'worktrees' | 'timing'> {
  readonly state: RuntimeState;
  readonly definitions: DefinitionRegistry;
  /** What of a child is its own. */
  readonly sources: ChildCapabilitySources;
  readonly inheritance: (from: Delegator) => Inheritance;
}

/** Milliseconds that a preview waits for the servers of its definition. */
const PATIENCE = 10_000;
/** It belongs to no conversation, so the root's options count as they are. */
const NOBODY: Delegator = { sessionId: '' };

/** The previews of one runtime. */
export function createPreview({ state, definitions, sources, inheritance, ...parts }: PreviewSources): LiteAgent['preview'] {
  const patient = childCapabilities({ ...sources, acquire: patientAcquire(sources.acquire, parts.timing.clock) });
  const withoutServers = childCapabilities({ ...sources, acquire: refuseServers });
  return (name, options = {}) =>
    previewAgent(name, options, {
      ...parts,
      found: () => definitions.found(),
      inheritance: () => inheritance(NOBODY),
      capabilities: (definition, connects, signal) => (connects ? patient : withoutServers)(definition, signal),
      permissionMode: () => state.options.permissions?.mode ?? 'enforce',
      budget: () => state.options.budget,
      isHosts: (tool) => state.options.builtinTools?.includes(tool) ?? false,
      cwd: () => state.options.cwd,
    });
}

/** For whoever only looks: a server that takes long isn't waited for. */
function patientAcquire(acquire: ChildCapabilitySources['acquire'], clock: Clock): ChildCapabilitySources['acquire'] {
  return async (name, config, signal) => {
    try {
      return await withTimeLimit(clock, PATIENCE, signal, (limited) => acquire(name, config, limited));
    } catch (error) {
      if (!isAppError(error, 'timeout')) throw error;
      throw new AppError('unavailable', `The MCP server ${name} didn't answer within ${durationText(PATIENCE)}, so what it offers isn't known. A subagent waits longer for it.`, { cause: error });
    }
  };
}

function refuseServers(name: string): Promise<never> {
  return Promise.reject(new AppError('unavailable', `The MCP server ${name} is not connected, so what it offers isn't known.`));
}
