import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { abortError, isAbort, isInterruption } from '../base/abort.ts';
import { mapLimited } from '../base/async.ts';
import { AppError, errorText } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { AgentRef } from '../domain/agents.ts';
import type { Publish } from '../domain/events.ts';
import type { GateAnswer, ToolGate } from '../domain/gate.ts';
import type { ContentPart, ToolCallPart, ToolResultPart } from '../domain/messages.ts';
import type { PermissionLayer } from '../domain/permissions.ts';
import type { FilePort, PathScope } from '../domain/ports.ts';
import type { RuntimeServices } from '../domain/services.ts';
import type { BackgroundCommands, FileChange, ReadLedger, ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { resolveJudged, resolveTarget } from '../permissions/paths.ts';
import { createReadFilter } from '../permissions/readFilter.ts';
import { fileChanges } from '../tools/fileChanges.ts';
import { noBackground } from '../tools/noBackground.ts';
import { limitOutput } from '../tools/output.ts';
import { checkedResult } from '../tools/result.ts';
import { validateInput } from '../tools/schema.ts';
import type { AgentTools } from './agentTools.ts';
import { missingTool } from './missingTool.ts';
import type { CallClock } from './stepClock.ts';
import { interruptedResult, stoppedText } from './stoppedCall.ts';
import { changesUnsaid, unwatched, watchCall, type CallWatch } from './watchedCall.ts';

/** Read-only calls of one turn that run side by side. */
const PARALLEL_READS = 8;
/** Characters of what a call says that it does. */
const ACTIVITY_LENGTH = 200;

export interface ToolPhaseOptions {
  readonly agent: AgentRef;
  /** See `GatedCall`. */
  readonly owner?: string;
  readonly tools: AgentTools;
  readonly gate: ToolGate;
  /** The rules as they are now; asked for at each call. */
  readonly layers: () => readonly PermissionLayer[];
  readonly scope: PathScope;
  readonly files: FilePort;
  readonly reads: ReadLedger;
  /** Keeps contents of files that calls change. Absent: nothing is kept. */
  readonly keep?: ToolContext['keep'];
  /** Finds out what calls change that don't say so themselves. Absent: nobody asks. */
  readonly watch?: CallWatch;
  readonly spill: (name: string, text: string) => Promise<string>;
  readonly publish: Publish;
  readonly clock: CallClock;
  readonly noteProcess: ToolContext['noteProcess'];
  /** Of the host, as they are now. Default none. */
  readonly services?: RuntimeServices;
  /** Absent: no command of it may run in the background. */
  readonly background?: BackgroundCommands;
}

/**
 * Runs the tool calls of one turn: neighbouring read-only ones side by side, all others one by one, in order. Never
 * throws; each call gets exactly one result in its place, also when it is unknown, invalid, denied, cancelled or throws.
 */
export async function runToolPhase(calls: readonly ToolCallPart[], options: ToolPhaseOptions): Promise<ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  for (const batch of batches(calls, options.tools)) {
    // Not spread into one `push`: of very many calls that overflows the stack.
    for (const result of await mapLimited(batch, PARALLEL_READS, (call) => runToolCall(call, options))) results.push(result);
  }
  return results;
}

function batches(calls: readonly ToolCallPart[], tools: AgentTools): ToolCallPart[][] {
  const reads = (call: ToolCallPart): boolean => tools.find(call.name)?.isReadOnly === true;
  const all: ToolCallPart[][] = [];
  for (const call of calls) {
    const last = all.at(-1);
    if (last?.[0] && reads(last[0]) && reads(call)) last.push(call);
    else all.push([call]);
  }
  return all;
}

async function runToolCall(call: ToolCallPart, options: ToolPhaseOptions): Promise<ToolResultPart> {
  const failed = async (message: string): Promise<ToolResultPart> => resultOf(call, (await failure(message, options)).content, true);
  const { signal } = options.clock;
  if (signal.aborted) return isInterruption(signal) ? interruptedResult(call, 'nothing') : failed(stoppedText(signal, 'nothing'));
  const tool = options.tools.find(call.name);
  if (!tool) return failed(missingTool(call.name, options.agent, options.tools));
  const valid = await validateInput(tool.inputSchema, call.arguments);
  if (!valid.ok) return failed(`Invalid input for ${call.name}: ${valid.message}`);

  const { agent, publish } = options;
  announce(call, tool, valid.input, options);
  let reached: 'nothing' | 'running' = 'nothing';
  let startedAt: number | undefined;
  let onlyReads = false;
  const onStart = (answer: Extract<GateAnswer, { allowed: true }>): void => {
    reached = 'running';
    startedAt = performance.now();
    onlyReads = answer.onlyReads === true;
  };
  const result = await judgeAndExecute(call, tool, valid.input, options, onStart)
    .catch((error: unknown): Promise<JudgedResult> => failure(signal.aborted && isAbort(error) ? stoppedText(signal, reached) : errorText(error), options));
  tellChanges(call, result.changes, options);
  const { isError = false, isDenied = false } = result;
  // How long a person took to allow it says nothing of the call.
  const durationMs = startedAt === undefined ? undefined : Math.round(performance.now() - startedAt);
  const changedNothing = changesUnsaid(tool) && (onlyReads || reached === 'nothing');
  publish({ type: 'tool.ended', agent, callId: call.id, tool: tool.name, isError, isDenied, durationMs: durationMs ?? 0, ...(changedNothing && { changedNothing }) });
  // What ended by itself in spite of the abort has its own result.
  const wasInterrupted = isError && isInterruption(signal);
  return { ...resultOf(call, result.content, isError), ...(isDenied && { isDenied }), ...(result.delivers !== undefined && { delivers: result.delivers }), ...(wasInterrupted && { wasInterrupted }), ...(durationMs !== undefined && { durationMs }) };
}

/** What came of a call that was judged: its own result, or that it was refused. */
type JudgedResult = ToolResult & { readonly isDenied?: boolean };

async function judgeAndExecute(call: ToolCallPart, tool: ToolDefinition, input: unknown, options: ToolPhaseOptions, onStart: (answer: Extract<GateAnswer, { allowed: true }>) => void): Promise<JudgedResult> {
  const { agent, scope, clock, watch, publish } = options;
  const judged = judgedPart(tool);
  const answer = await judge(call, tool, input, options);
  if (!answer.allowed) return { ...(await failure(answer.message, options)), isDenied: true };
  if (clock.signal.aborted) throw abortError();

  const ready = contextOf(call, options, (path) => resolveJudged(path, scope, answer.realPaths), answer.realPaths);
  const watching = watch && !answer.onlyReads && changesUnsaid(tool) ? watch : undefined;
  const context = { ...ready, ...(answer.seesAll && { mayRead: () => true }), ...(watching && { files: watching.files, background: unwatched(ready.background, watching) }) };
  const run = async (): Promise<unknown> => {
    if (clock.signal.aborted) throw abortError();
    assertStill(call.name, judged, options);
    onStart(answer);
    // What a person takes is not the run's time.
    const paused = tool.asksPerson ? clock.pause() : undefined;
    return clock.timeCall(tool.name, (heard) => {
      const progress = (text: string): void => {
        heard();
        context.progress(String(text));
      };
      return tool.execute(input as never, { ...context, progress });
    }).finally(() => paused?.dispose());
  };
  if (!watching) return checkedResult(await run(), tool, options);
  let seen: readonly FileChange[] = [];
  const tell = (changes: readonly FileChange[]): void => {
    seen = changes;
    publish({ type: 'files.changed', agent, callId: call.id, changes });
  };
  const result = await checkedResult(await watchCall(watching, { folders: [...scope.roots, scope.cwd], clock, run, tell }), tool, options);
  // Of these more is known than the tool says.
  return result.changes ? { ...result, changes: fileChanges(result.changes).filter(({ path }) => !seen.some((change) => change.path === path)) } : result;
}

/** What a call was judged by of its tool. */
function judgedPart({ name, isReadOnly, actsOnRun, asksPerson, inputSchema }: ToolDefinition): unknown {
  return { name, isReadOnly, actsOnRun: actsOnRun === true, asksPerson: asksPerson === true, inputSchema };
}

/** Throws unless the agent still has the tool, as it was judged: servers change theirs while a person thinks. */
function assertStill(calledName: string, judged: unknown, { tools }: ToolPhaseOptions): void {
  const now = tools.find(calledName);
  if (!now) throw new AppError('denied', `${calledName} isn't among your tools any more, so this call did not run. Go on without it.`);
  if (!isDeepStrictEqual(judgedPart(now), judged)) throw new AppError('denied', `${calledName} has changed since this call was judged, so it did not run. If it is still what you want, call it again as it is now.`);
}

/** Asks the gate, and with it perhaps a person, whose time is not the run's. */
async function judge(call: ToolCallPart, tool: ToolDefinition, input: unknown, options: ToolPhaseOptions): Promise<GateAnswer> {
  const { agent, owner, gate, layers, scope, clock } = options;
  const context = contextOf(call, options, async (path) => (await resolveTarget(path, scope)).real);
  const paused = clock.pause();
  try {
    if (tool.check) await clock.unlessStuck(tool.check(input as never, context));
    return await clock.unlessStuck(gate({ agent, callId: call.id, tool, ...(owner !== undefined && { owner }), input, scope, layers: layers(), layersNow: layers, context }));
  } catch (error) {
    // However the judging ended: the call itself never ran.
    throw clock.signal.aborted ? abortError() : error;
  } finally {
    paused.dispose();
  }
}

/** What went wrong, for the model. Errors repeat what the model wrote, which may be of any length. */
async function failure(message: string, { spill }: ToolPhaseOptions): Promise<ToolResult> {
  const text = message.trim() === '' ? 'It failed, and did not say why.' : message;
  return { isError: true, content: [{ type: 'text', text: await limitOutput(text, 'error', { spill }) }] };
}

function contextOf(call: ToolCallPart, options: ToolPhaseOptions, resolvePath: ToolContext['resolvePath'], granted: readonly string[] = []): ToolContext {
  const { agent, scope, layers, clock, files, reads, keep = keepNothing, spill, publish, tools, noteProcess, services = {}, background = NO_BACKGROUND } = options;
  return {
    agent,
    callId: call.id,
    cwd: scope.cwd,
    signal: clock.signal,
    files,
    reads,
    resolvePath,
    mayRead: createReadFilter(layers(), scope, granted, call.name),
    keep,
    changed: (change) => tellChanges(call, [change], options),
    spill,
    progress: (text) => publish({ type: 'tool.progress', agent, callId: call.id, text }),
    skills: tools.current().skills,
    deferred: tools.deferred,
    noteProcess,
    services,
    background,
    ...(scope.worktree && { worktree: scope.worktree }),
  };
}

const NO_BACKGROUND = noBackground();
const keepNothing: ToolContext['keep'] = async () => ({ kind: 'unknown', why: 'Contents of files are not kept.' });

function tellChanges(call: ToolCallPart, told: unknown, { agent, keep, publish }: ToolPhaseOptions): void {
  const known = fileChanges(told);
  // Where nothing is kept, nothing is said of contents.
  const changes = keep ? known : known.map(({ before: _, after: __, ...change }) => change);
  if (changes.length > 0) publish({ type: 'files.changed', agent, callId: call.id, changes });
}

/** `describe` and `targets` are the tool's own code: a defect there must not cost the call its result. */
function announce(call: ToolCallPart, tool: ToolDefinition, input: unknown, { agent, scope, publish }: ToolPhaseOptions): void {
  let activity = tool.name;
  let paths: readonly string[] = [];
  try {
    const described: unknown = tool.describe(input as never);
    if (typeof described !== 'string') throw new TypeError('its description is no text.');
    activity = truncate(oneLine(described), ACTIVITY_LENGTH) || tool.name;
    paths = tool.targets(input as never).flatMap((target) => (target.kind === 'path' ? [resolve(scope.cwd, target.path)] : []));
  } catch (error) {
    publish({ type: 'problem', message: `${tool.name} could not describe its call: ${errorText(error)}` });
  }
  publish({ type: 'tool.called', agent, callId: call.id, tool: tool.name, activity, paths, ...(changesUnsaid(tool) && { mayChange: true }) });
}

function resultOf(call: ToolCallPart, content: readonly ContentPart[], isError: boolean): ToolResultPart {
  return { callId: call.id, name: call.name, content, isError };
}
