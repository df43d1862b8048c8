import { foundTools } from '../agent/agentTools.ts';
import { AnswerForm } from '../agent/answerForm.ts';
import type { AgentServices } from '../agent/services.ts';
import { openCommands, toolRunner } from '../agent/services.ts';
import { AgentSession, type RunSetup } from '../agent/session.ts';
import { childTiming } from '../agent/timing.ts';
import { isInterruption } from '../base/abort.ts';
import { AppError, isAppError } from '../base/errors.ts';
import { nameKey } from '../definitions/names.ts';
import type { AgentRef, RunOutcome, UnreadMessage } from '../domain/agents.ts';
import { withoutSecrets, type AgentDefinition } from '../domain/definitions.ts';
import { textMessage, type Message } from '../domain/messages.ts';
import type { ModelProvider, ModelRef } from '../domain/models.ts';
import type { PermissionLayer } from '../domain/permissions.ts';
import type { WorktreeGuard } from '../domain/ports.ts';
import type { BackgroundCommands } from '../domain/tools.ts';
import type { TranscriptWriter } from '../domain/transcripts.ts';
import { createReadLedger } from '../store/readLedger.ts';
import type { ChildCapabilities, PrepareCapabilities } from './capabilities.ts';
import { withCommands } from './childCommands.ts';
import { childSystem, childTools, type ToolSources } from './childParts.ts';
import type { ChildTurn, RunChild } from './childRun.ts';
import type { LiveSessions } from './liveSessions.ts';
import { pastRun, type PastRun } from './pastRun.ts';
import { watchRefusals } from './refusals.ts';
import { inWorktree, leaveBranch, tellChanged, type ChildWorktrees } from './ownWorktree.ts';

export interface ChildSessionOptions extends ToolSources {
  readonly services: AgentServices;
  /** As it is when a child starts. Throws `unavailable` where the model can't be reached any more. */
  readonly provider: (model: ModelRef) => ModelProvider;
  /** Holds the session of each child while it runs. */
  readonly sessions: LiveSessions;
  /** What was said to a child that it has not read yet. */
  readonly unread: (agentId: string) => readonly UnreadMessage[];
  readonly capabilities: PrepareCapabilities;
  /** Asked for at each call. */
  readonly layers: (definition: AgentDefinition) => readonly PermissionLayer[];
  /** Absent: no child has a worktree. */
  readonly worktrees?: ChildWorktrees;
}

/** With what is one run's own. */
interface RunOptions extends ChildSessionOptions {
  /** Of a child with a worktree: that, and the folder in it. */
  readonly worktree?: WorktreeGuard & { readonly folder: string };
  readonly commands?: BackgroundCommands;
}

/** What runs a child to its outcome, from its prompt or from where its transcript ends, in a session that knows nothing of its parent's. */
export function createChildRunner(options: ChildSessionOptions): RunChild {
  return async (turn, signal) => {
    const { agentId, round } = turn.spec;
    const past = turn.goesOn || round > 1 ? await readPast(options.services, agentId) : undefined;
    const transcript = options.services.transcripts.writer(agentId);
    const refusals = watchRefusals(options.services.gate);
    const work = async (guard?: WorktreeGuard): Promise<RunOutcome> => {
      const limits = await guard?.limits();
      const services = guard && limits ? inWorktree(options.services, limits, guard) : options.services;
      const commands = openCommands(services, agentOf(turn));
      const own: RunOptions = { ...options, ...(guard && limits && { worktree: { ...guard, folder: limits.folder } }), ...(commands && { commands }), services: { ...services, gate: refusals.gate } };
      const running = (): Promise<RunOutcome> => (past ? goOn(past, turn, transcript, own, signal) : begin(turn, transcript, own, signal));
      return commands ? withCommands(commands, running, (text) => tellNotes(turn, [text], transcript, options), signal) : running();
    };
    const outcome = refusals.added(await withWorktree(turn, past === undefined, transcript, options, work, signal));
    // An interrupted run has no end yet.
    if (outcome.status !== 'cancelled' || !isInterruption(signal)) await transcript.append({ type: 'ended', at: Date.now(), outcome });
    return outcome;
  };
}

/** Works in the child's worktree, which nobody else takes meanwhile. A child without one works in the folder of its group. */
async function withWorktree(turn: ChildTurn, isNew: boolean, transcript: TranscriptWriter, options: ChildSessionOptions, work: (guard?: WorktreeGuard) => Promise<RunOutcome>, signal: AbortSignal): Promise<RunOutcome> {
  const { spec, group } = turn;
  const { worktrees } = options;
  if (!spec.worktree) return work();
  if (!worktrees) throw new AppError('unavailable', `${spec.agentId} works in a git worktree, and there are none here.`);
  const guard = await worktrees.open(spec, spec.worktree, group, isNew, signal);
  try {
    return await work(guard).finally(() => endWorktree(turn, guard, transcript, options));
  } finally {
    await worktrees.leave(spec.agentId);
  }
}

/** Nothing of the run works in it any more: takes it off a branch that it is on, and says what differs in it. */
async function endWorktree(turn: ChildTurn, guard: WorktreeGuard, transcript: TranscriptWriter, options: ChildSessionOptions): Promise<void> {
  const note = await leaveBranch(guard);
  if (note !== undefined) await tellNotes(turn, [note], transcript, options);
  await tellChanged(turn, options);
}

async function begin(turn: ChildTurn, transcript: TranscriptWriter, options: RunOptions, signal: AbortSignal): Promise<RunOutcome> {
  const { spec, group, definition } = turn;
  const { sessionId, groupId, cwd } = group;
  if (spec.round > 1) throw new AppError('not_found', `The transcript of ${spec.agentId} is gone, so it can't go on. Delegate its work anew.`);
  // Today's of that name may be another one, which nobody has looked at.
  if (!definition) throw new AppError('not_found', `${spec.agentId} had not started, and the definition ${spec.definition} that it was to start on is not stored with it. Delegate its work anew.`);
  const start = async (notes: readonly string[]): Promise<string> => {
    const system = childSystem(definition, { ...spec, cwd }, notes);
    await transcript.append({ type: 'started', at: Date.now(), run: { kind: 'child', sessionId, groupId, spec, definition: withoutSecrets(definition), system } });
    // Its row shows them already.
    for (const text of spec.notes ?? []) await transcript.append({ type: 'note', at: Date.now(), text });
    return system;
  };
  const task = textMessage(turn.prompt === undefined ? spec.prompt : `${spec.prompt}\n\n${turn.prompt}`);
  let hasStarted = false;
  const run = withCapabilities(definition, options, signal, async (own) => {
    hasStarted = true;
    const system = await start(own.notes);
    await tellNotes(turn, own.notes, transcript, options);
    const { session, setup } = prepare(turn, { definition, system, messages: [], view: [] }, own, transcript, options);
    return session.run(task, setup, signal);
  });
  return run.catch(async (error: unknown) => {
    // One that ended while its servers connected can go on like any other.
    if (!hasStarted) {
      await start([]);
      await transcript.append({ type: 'message', at: Date.now(), message: task });
    }
    throw error;
  });
}

async function goOn(past: PastRun, turn: ChildTurn, transcript: TranscriptWriter, options: RunOptions, signal: AbortSignal): Promise<RunOutcome> {
  const { spec, group, prompt } = turn;
  const isNewRound = spec.round > past.latest.round;
  const { messages, outcome } = isNewRound ? { messages: [], outcome: undefined } : past.round;
  // It had ended when its host died, only nobody had heard of it.
  if (outcome && outcome.status !== 'cancelled' && prompt === undefined) return outcome;
  return withCapabilities(past.definition, options, signal, async (own) => {
    const { session, setup } = prepare(turn, past, own, transcript, options, messages);
    await transcript.append({ type: 'resumed', at: Date.now(), groupId: group.groupId, spec });
    await tellNotes(turn, own.notes, transcript, options);
    if (messages.length === 0) return session.run(textMessage(prompt === undefined ? spec.prompt : `${spec.prompt}\n\n${prompt}`), setup, signal);
    if (prompt !== undefined) return session.run(textMessage(prompt), setup, signal);
    return session.resume(setup, signal);
  });
}

/** Runs with what is the child's own, and gives it back however the run ends. */
async function withCapabilities(
  definition: AgentDefinition,
  { capabilities }: ChildSessionOptions,
  signal: AbortSignal,
  run: (own: ChildCapabilities) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const own = await capabilities(definition, signal);
  try {
    if (own.refusal) throw own.refusal;
    return await run(own);
  } finally {
    await own.release();
  }
}

/** What is missing stands in the transcript, and with the child's row. */
async function tellNotes({ spec, group: { sessionId, groupId } }: ChildTurn, notes: readonly string[], transcript: TranscriptWriter, { services }: ChildSessionOptions): Promise<void> {
  for (const text of notes) {
    await transcript.append({ type: 'note', at: Date.now(), text });
    services.publish({ type: 'child.noted', sessionId, groupId, agentId: spec.agentId, text });
  }
}

function prepare(
  turn: ChildTurn,
  { definition, system, messages, view }: Pick<PastRun, 'definition' | 'system' | 'messages' | 'view'>,
  { capabilities }: ChildCapabilities,
  transcript: TranscriptWriter,
  { services, provider, sessions, unread, layers, worktree, commands: background, ...sources }: RunOptions,
  round: readonly Message[] = [],
): { readonly session: AgentSession; readonly setup: RunSetup } {
  const { spec, group, overBudget } = turn;
  const cwd = worktree?.folder ?? group.cwd;
  const agent = agentOf(turn);
  const session = new AgentSession(agent, transcript, services.publish, { messages, view }, () => unread(spec.agentId));
  sessions.add(spec.agentId, session);
  const { tools } = childTools({ definition, granted: spec.tools, capabilities, report: (message) => services.publish({ type: 'problem', message }), found: foundTools(messages) }, sources);
  const setup: RunSetup = {
    provider: provider(spec.model),
    model: spec.model,
    system,
    tools: () => tools.schemas(),
    maxTurns: spec.maxTurns,
    turnsTaken: round.filter(isWholeTurn).length,
    task: [...messages.slice(0, 1), ...round.slice(0, 1)],
    timing: childTiming(services.timing, definition),
    overBudget,
    ...(definition.resultSchema && { form: new AnswerForm(definition.resultSchema, round) }),
    runTools: toolRunner(services, { agent, owner: nameKey(definition.name), tools, cwd, ...(worktree && { worktree }), layers: () => layers(definition), reads: createReadLedger(), ...(background && { background }) }),
  };
  return { session, setup };
}

function agentOf({ spec: { agentId, displayName }, group: { sessionId, groupId } }: ChildTurn): AgentRef {
  return { kind: 'child', sessionId, groupId, agentId, displayName };
}

function isWholeTurn(message: Message): boolean {
  return message.role === 'assistant' && message.stop !== 'aborted' && message.stop !== 'error';
}

async function readPast(services: AgentServices, agentId: string): Promise<PastRun | undefined> {
  try {
    return pastRun(await services.transcripts.read(agentId));
  } catch (error) {
    if (isAppError(error, 'not_found')) return undefined;
    throw error;
  }
}
