import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTiming } from '../../src/runtime/agent/timing.ts';
import { SYSTEM_CLOCK, type Clock } from '../../src/runtime/base/clock.ts';
import { childCapabilities } from '../../src/runtime/childCapabilities.ts';
import { createChildRunner } from '../../src/runtime/delegation/childSession.ts';
import { LiveSessions } from '../../src/runtime/delegation/liveSessions.ts';
import type { RunOutcome } from '../../src/runtime/domain/agents.ts';
import type { AgentDefinition } from '../../src/runtime/domain/definitions.ts';
import type { McpServerConfig } from '../../src/runtime/domain/mcp.ts';
import type { ToolDefinition } from '../../src/runtime/domain/tools.ts';
import { Connections } from '../../src/runtime/mcp/connections.ts';
import { openLink } from '../../src/runtime/mcp/openLink.ts';
import { ConnectionPool } from '../../src/runtime/mcp/pool.ts';
import { createGate } from '../../src/runtime/permissions/gate.ts';
import { ApprovalQueue } from '../../src/runtime/permissions/queue.ts';
import { createNodeFiles } from '../../src/runtime/store/nodeFiles.ts';
import { TranscriptStore } from '../../src/runtime/store/transcripts.ts';
import { EventRecorder } from './events.ts';
import { ScriptedModel, type Script } from './scriptedModel.ts';

export interface ConnectedChildrenOptions {
  /** What children are told; each is known by its prompt, which is its name. */
  readonly script: Script;
  readonly servers?: Readonly<Record<string, McpServerConfig>>;
  readonly builtins?: readonly ToolDefinition[];
  readonly deferOver?: number;
  /** Of the servers. */
  readonly clock?: Clock;
}

/** Children of one runtime on real MCP servers, with a scripted model, without the root that would start them. */
export class ConnectedChildren {
  readonly folder: string;
  readonly recorder = new EventRecorder();
  readonly model: ScriptedModel;
  readonly connections: Connections;
  readonly pool: ConnectionPool;
  readonly transcripts: TranscriptStore;
  readonly #runChild: ReturnType<typeof createChildRunner>;

  private constructor(folder: string, { script, servers = {}, builtins = [], deferOver, clock = SYSTEM_CLOCK }: ConnectedChildrenOptions) {
    this.folder = folder;
    this.model = new ScriptedModel(script);
    this.transcripts = new TranscriptStore(join(folder, 'transcripts'));
    this.pool = new ConnectionPool({ clock, open: openLink });
    const { publish } = this.recorder;
    const noteProcess = (): { dispose(): void } => ({ dispose() {} });
    this.connections = new Connections({ acquire: this.pool.acquire, servers: () => servers, resolve: async (_name, config) => config, cwd: folder, onProcess: noteProcess, publish, clock });
    const gate = createGate(new ApprovalQueue({ publish }));
    this.#runChild = createChildRunner({
      services: { publish, gate, files: createNodeFiles(), transcripts: this.transcripts, outputFolder: join(folder, 'output'), roots: () => [folder], timing: createTiming(publish, () => ({})), noteProcess },
      provider: () => this.model,
      sessions: new LiveSessions(),
      unread: () => [],
      builtins: () => builtins,
      resolving: () => (deferOver === undefined ? {} : { deferOver }),
      capabilities: childCapabilities({
        entries: () => ({}),
        unchanged: () => undefined,
        builtins: () => builtins.map(({ name }) => name),
        server: (name) => servers[name],
        acquire: (name, config, signal) => this.connections.acquire(name, config, signal),
        release: (share) => this.connections.release(share),
        skills: async () => ({ skills: [], problems: [] }),
      }),
      layers: () => [{ name: 'user', lists: { allow: ['mcp__*'] } }],
      readsOnly: ({ readOnly }) => readOnly === true,
    });
  }

  static async start(options: ConnectedChildrenOptions): Promise<ConnectedChildren> {
    return new ConnectedChildren(await realpath(await mkdtemp(join(tmpdir(), 'connected-'))), options);
  }

  /** Runs a child of a definition to its outcome. */
  run(name: string, definition: Partial<AgentDefinition>, signal = new AbortController().signal): Promise<RunOutcome> {
    const whole: AgentDefinition = { name: 'worker', description: '', prompt: 'Work.', tools: 'inherit', disallowedTools: [], delegable: true, source: 'directory', ...definition };
    const spec = { agentId: name, displayName: name, definition: whole.name, model: { provider: 'scripted', model: 'm' }, prompt: name, maxTurns: 50, tools: ['FindTool'], round: 1 };
    return this.#runChild({ spec, group: { groupId: 'group', sessionId: 'session', cwd: this.folder, children: [spec] }, definition: whole, goesOn: false, overBudget: () => undefined }, signal);
  }

  async end(): Promise<void> {
    await this.connections.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
