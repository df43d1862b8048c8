import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentRef } from '../../src/runtime/domain/agents.ts';
import type { RuntimeEventBody } from '../../src/runtime/domain/events.ts';
import type { GatedCall } from '../../src/runtime/domain/gate.ts';
import type { PermissionLayer } from '../../src/runtime/domain/permissions.ts';
import type { PathScope } from '../../src/runtime/domain/ports.ts';
import type { ToolDefinition, ToolTarget } from '../../src/runtime/domain/tools.ts';
import { ApprovalQueue, type ApprovalQueueOptions, type WantedApproval } from '../../src/runtime/permissions/queue.ts';

/** A temporary folder, by its real path, removed with everything in it. */
export async function tempFolder(): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'permissions-')));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export const ROOT: AgentRef = { kind: 'root', sessionId: 's' };

export function child(agentId: string, groupId = 'g'): AgentRef {
  return { kind: 'child', sessionId: 's', groupId, agentId, displayName: `Child ${agentId}` };
}

/** A tool whose calls touch what their input says. */
export function tool(name: string, overrides: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: '',
    inputSchema: { type: 'object' },
    isReadOnly: ['Read', 'Grep', 'Glob'].includes(name),
    describe: () => name,
    targets: (input: { readonly targets?: readonly ToolTarget[] }) => input.targets ?? [],
    execute: async () => ({ content: [] }),
    ...overrides,
  };
}

export const writes = (target: string): ToolTarget => ({ kind: 'path', access: 'write', path: target });
export const readsFile = (target: string): ToolTarget => ({ kind: 'path', access: 'read', path: target });
export const command = (text: string): ToolTarget => ({ kind: 'command', command: text });

export interface CallOptions {
  readonly agent?: AgentRef;
  readonly owner?: string;
  readonly scope?: Partial<PathScope>;
  readonly layers?: readonly PermissionLayer[];
  readonly signal?: AbortSignal;
  readonly tool?: ToolDefinition;
}

export function call(folder: string, name: string, targets: readonly ToolTarget[], options: CallOptions = {}): GatedCall {
  const agent = options.agent ?? ROOT;
  const unused = (): never => {
    throw new Error('not for the gate');
  };
  return {
    agent,
    callId: 'c',
    tool: options.tool ?? tool(name),
    ...(options.owner !== undefined && { owner: options.owner }),
    input: Object.freeze({ targets }),
    scope: { cwd: folder, roots: [folder], ownFolders: [], ...options.scope },
    layers: options.layers ?? [{ name: 'user', lists: {} }],
    context: {
      agent,
      callId: 'c',
      cwd: folder,
      signal: options.signal ?? new AbortController().signal,
      files: { stat: unused, read: unused, write: unused, remove: unused },
      reads: { seen: unused, last: unused },
      mayRead: () => true,
      resolvePath: unused,
      keep: unused,
      changed: unused,
      spill: unused,
      progress() {},
      skills: [],
      deferred: { list: unused, activate: unused },
      noteProcess: unused,
      services: {},
      background: { start: unused, list: unused, output: unused, kill: unused },
    },
  };
}

/** A queue that keeps what it published, and a wait for the moment when so many requests are pending. */
export class WatchedQueue extends ApprovalQueue {
  readonly events: RuntimeEventBody[];
  readonly #watchers: (() => void)[];

  constructor(options: Omit<ApprovalQueueOptions, 'publish'> = {}) {
    const events: RuntimeEventBody[] = [];
    const watchers: (() => void)[] = [];
    super({
      ...options,
      publish: (event) => {
        events.push(event);
        for (const watch of [...watchers]) watch();
      },
    });
    this.events = events;
    this.#watchers = watchers;
  }

  async whenPending(count: number): Promise<void> {
    if (this.pending().length === count) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watchers.push(() => {
      if (this.pending().length === count) resolve();
    });
    await promise;
  }
}

/** A request; `rule: undefined` is one without a rule. */
export function wanted(overrides: Partial<Omit<WantedApproval, 'rule'>> & { readonly rule?: string | undefined } = {}): WantedApproval {
  const { rule, ...rest } = { rule: 'Bash(npm test:*)', ...overrides };
  const base = { agent: child('a'), callId: 'c', tool: 'Bash', action: 'npm test', input: { command: 'npm test' }, why: 'No rule allows it.', canAlways: true };
  return { ...base, preview: { kind: 'text', text: '' }, ...rest, ...(rule === undefined ? {} : { rule }) };
}
