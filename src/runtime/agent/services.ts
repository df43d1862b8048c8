import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentRef } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { ToolGate } from '../domain/gate.ts';
import type { PermissionLayer } from '../domain/permissions.ts';
import type { ChangeWatch, Checkpoints, FilePort, PathScope, WorktreeGuard } from '../domain/ports.ts';
import type { RuntimeServices } from '../domain/services.ts';
import type { BackgroundCommands, ReadLedger, ToolContext } from '../domain/tools.ts';
import { createSpill } from '../store/spill.ts';
import type { TranscriptStore } from '../store/transcripts.ts';
import type { OwnedCommands } from '../tools/backgroundCommands.ts';
import type { CommandOwners } from '../tools/commandOwners.ts';
import type { AgentTools } from './agentTools.ts';
import type { RunSetup } from './session.ts';
import type { SharedTiming } from './timing.ts';
import { runToolPhase } from './toolPhase.ts';
import type { CallWatch } from './watchedCall.ts';

/** What all agents of one runtime share, by reference. */
export interface AgentServices {
  readonly publish: Publish;
  readonly gate: ToolGate;
  readonly files: FilePort;
  /** Keeps what children change in files. Absent: nothing is kept. */
  readonly checkpoints?: Checkpoints;
  /** Finds out what calls of children change that don't say so themselves. Absent: nobody asks. */
  readonly watch?: ChangeWatch;
  /** The same files as `files` for calls that are watched: what they write is theirs, and nobody else's that the watch knows of. Default `files`. */
  readonly filesOfWatched?: FilePort;
  readonly transcripts: TranscriptStore;
  /** Long tool output goes here, in a folder for each agent. */
  readonly outputFolder: string;
  /** The workspace folders as they are now. */
  readonly roots: () => readonly string[];
  readonly timing: SharedTiming;
  readonly noteProcess: ToolContext['noteProcess'];
  /** Holds the background commands of all agents. Absent: none can run. */
  readonly commands?: CommandOwners;
  /** The services of the host as they are now: the same objects for all. Default none. */
  readonly host?: () => RuntimeServices;
}

/** What the tools of one agent work with. */
export interface Toolbox {
  readonly agent: AgentRef;
  /** The name of its definition. Absent: the root. */
  readonly owner?: string;
  readonly tools: AgentTools;
  /** Asked for at each call: an "always" counts for the next one, and so does a rule that forbids. */
  readonly layers: () => readonly PermissionLayer[];
  readonly cwd: string;
  /** Of a child with a worktree of its own. The workspace folders are protected besides what stands in there. */
  readonly worktree?: Pick<WorktreeGuard, 'limits'>;
  readonly reads: ReadLedger;
  /** Absent: no command of it may run in the background. */
  readonly background?: BackgroundCommands;
  /** Folders besides its own output that the agent may read without asking. */
  readonly readable?: readonly string[];
}

/** The tool phase of an agent, ready for its session. */
export function toolRunner(services: AgentServices, toolbox: Toolbox): RunSetup['runTools'] {
  const { agent, owner, tools, layers, cwd, worktree, reads, background, readable = [] } = toolbox;
  const output = outputOf(services, agent);
  const spill = createSpill(output);
  const { checkpoints } = services;
  const watch = watchOf(services, agent);
  return async (calls, clock) =>
    runToolPhase(calls, {
      agent,
      ...(owner !== undefined && { owner }),
      tools,
      layers,
      reads,
      ...(checkpoints && agent.kind === 'child' && { keep: (content) => checkpoints.keep(content) }),
      ...(watch && { watch }),
      spill,
      clock,
      gate: services.gate,
      files: services.files,
      publish: services.publish,
      noteProcess: services.noteProcess,
      services: services.host?.() ?? {},
      ...(background && { background }),
      scope: { cwd, ...(await rootsOf(services.roots(), worktree)), ownFolders: [output, ...readable], readFolders: await withRealPaths(skillFolders(tools)) },
    });
}

/** What of an agent runs in the background; whoever asks for it closes it with the agent. Nothing where that isn't possible. */
export function openCommands(services: AgentServices, agent: AgentRef): OwnedCommands | undefined {
  return services.commands?.open(outputOf(services, agent), (running) => services.publish({ type: 'commands.changed', agent, running }));
}

/** The agent's own output folder. Absolute. */
export function outputOf({ outputFolder }: Pick<AgentServices, 'outputFolder'>, agent: AgentRef): string {
  return join(outputFolder, agent.kind === 'root' ? agent.sessionId : agent.agentId);
}

/** The workspace stays readable for a child with a worktree. */
async function rootsOf(folders: readonly string[], guard: Toolbox['worktree']): Promise<Pick<PathScope, 'roots' | 'worktree'>> {
  const roots = await withRealPaths(folders);
  if (!guard) return { roots };
  const worktree = await guard.limits();
  return { roots: [worktree.folder, ...roots], worktree: { ...worktree, protects: await withRealPaths([...roots, ...worktree.protects]) } };
}

/** Only of children it is kept what they change. What can't be known is noted with the child, each sentence once. */
function watchOf({ watch, publish, files, filesOfWatched = files }: AgentServices, agent: AgentRef): CallWatch | undefined {
  if (!watch || agent.kind === 'root') return undefined;
  const { sessionId, groupId, agentId } = agent;
  const told = new Set<string>();
  return {
    files: filesOfWatched,
    begin: (folders) => watch.begin(folders, agent.agentId),
    tellUnseen(text) {
      if (!told.has(text)) publish({ type: 'child.noted', sessionId, groupId, agentId, text, unrecorded: true });
      told.add(text);
    },
  };
}

/** A skill's instructions point at the files beside them. They aren't the run's own: what keeps secrets back in the workspace does so in there too. */
function skillFolders(tools: AgentTools): readonly string[] {
  return tools.current().skills.flatMap(({ folder }) => (folder === undefined ? [] : [folder]));
}

/** The folders as they are named and as they really are: a workspace may itself be a link. */
async function withRealPaths(folders: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real])];
}
