import { abortError, isAbort, throwIfAborted } from '../base/abort.ts';
import { AppError, errorText } from '../base/errors.ts';
import type { JudgedCall, Publish } from '../domain/events.ts';
import type { GateAnswer, GatedCall, ToolGate } from '../domain/gate.ts';
import type { Judgement, PermissionLayer, PermissionMode } from '../domain/permissions.ts';
import type { PathScope } from '../domain/ports.ts';
import type { ToolDefinition } from '../domain/tools.ts';
import { reachOut } from './confinement.ts';
import { judge, onlyReads } from './judge.ts';
import { narrowestRule } from './narrowestRule.ts';
import { resolveTarget } from './paths.ts';
import type { ApprovalQueue, WantedApproval } from './queue.ts';
import { SecondChances } from './secondChances.ts';
import type { ReadCommand } from './shell.ts';
import type { CallSubject, ShellFile, SubjectTarget } from './subject.ts';
import { actionOf, deniedByPerson, deniedByRule, deniedUnattended, previewOf, rawAction } from './wording.ts';

export interface GateOptions {
  /** Reads shell commands; by default by the grammar of bash. */
  readonly readCommand?: ReadCommand;
  /** Hears of every call that is refused without asking, and in a dry run of every one that would be. */
  readonly publish?: Publish;
  /** What was refused and may be allowed once after all. */
  readonly chances?: SecondChances;
  /** Whether all agents share a tool, so that what is allowed for a group counts for all in it. Default: none is shared. */
  readonly isShared?: (tool: ToolDefinition) => boolean;
  /** Asked for at each call; default `enforce`. */
  readonly mode?: () => PermissionMode;
}

type GateParts = Required<GateOptions> & { readonly queue: ApprovalQueue };

/** What reads commands is loaded for the first one. */
const readByGrammar: ReadCommand = async (command) => (await import('./shell.ts')).readCommand(command);

/** The gate in front of every tool call: rules first, then what was allowed for the group, then a person. */
export function createGate(queue: ApprovalQueue, options: GateOptions = {}): ToolGate {
  const parts: GateParts = { queue, readCommand: readByGrammar, publish: () => undefined, chances: new SecondChances(), isShared: () => false, mode: () => 'enforce', ...options };
  return async (call) => {
    try {
      throwIfAborted(call.context.signal);
      return await decide(parts, call);
    } catch (error) {
      if (call.context.signal.aborted || isAbort(error)) throw abortError();
      const action = rawAction(call.tool.name, call.input);
      parts.publish({ type: 'permission.denied', ...head(call), action, why: errorText(error) });
      return { allowed: false, action, message: `Denied: ${errorText(error)}` };
    }
  };
}

async function decide(parts: GateParts, call: GatedCall): Promise<GateAnswer> {
  const { queue, readCommand, chances } = parts;
  const subject: CallSubject = { ...(await subjectOf(call, readCommand)), ...(call.owner !== undefined && !parts.isShared(call.tool) && { owner: call.owner }) };
  const { worktree, cwd } = call.scope;
  const why = worktree && (await reachOut(subject, worktree, cwd));
  if (why !== undefined) return deniedBy(parts, call, subject, { verdict: 'deny', layer: 'user', why });
  const judgement = judge(subject, call.layers);
  if (parts.mode() === 'dry-run') return letThrough(parts, call, subject, judgement);
  const isAsking = judgement.verdict === 'ask' || judgement.neverAsks === true;
  if (isAsking && chances.take(call, allPathsOf(subject))) return allowed(subject);
  switch (judgement.verdict) {
    case 'allow':
      return allowed(subject);
    case 'deny':
      if (judgement.neverAsks) chances.refused(call, allPathsOf(subject), { action: actionOf(call, subject), why: judgement.why });
      return deniedBy(parts, call, subject, judgement);
    case 'ask':
      break;
  }
  if (queue.groupAllows(call.agent, subject)) return allowed(subject);
  const wanted = await wantedFor(call, subject, judgement);
  // Both may have changed while the preview was made.
  if (queue.groupAllows(call.agent, subject)) return allowedStill(parts, call, subject);
  const { attended } = queue;
  const decision = await queue.request(wanted, call.context.signal, subject);
  if (decision.kind === 'deny') {
    chances.refused(call, allPathsOf(subject), { action: wanted.action, why: judgement.why });
    return { allowed: false, action: wanted.action, message: attended ? deniedByPerson(decision.message) : deniedUnattended(judgement.why) };
  }
  return allowedStill(parts, call, subject);
}

/** Names everything that the call touches as it really is. Throws `denied` for a path that no tool may touch. */
async function subjectOf({ tool, input, scope }: GatedCall, readCommand: ReadCommand): Promise<CallSubject> {
  // The input was validated against the schema of this very tool.
  const targets = await Promise.all(
    tool.targets(input as never).map(async (target): Promise<SubjectTarget> => {
      switch (target.kind) {
        case 'path':
          return { kind: 'path', access: target.access, path: await resolveTarget(target.path, scope) };
        case 'command':
          return commandTarget(target.command, scope, readCommand);
        case 'url':
          return target;
      }
    }),
  );
  return { tool: tool.name, isReadOnly: tool.isReadOnly, actsOnRun: tool.actsOnRun === true, ...(tool.asksPerson === true && { asksPerson: true }), targets, input };
}

/** A dry run: says what would have been, and stops nothing. */
function letThrough({ publish }: GateParts, call: GatedCall, subject: CallSubject, judgement: Judgement): GateAnswer {
  const { verdict } = judgement;
  if (verdict !== 'allow') publish({ type: 'permission.dry_run', verdict, ...judgedCall(call, subject, judgement) });
  return { ...allowed(subject), seesAll: true };
}

function head({ agent, callId, tool }: GatedCall): Pick<JudgedCall, 'agent' | 'callId' | 'tool'> {
  return { agent, callId, tool: tool.name };
}

function judgedCall(call: GatedCall, subject: CallSubject, { why, rule }: Judgement): JudgedCall {
  return { ...head(call), action: actionOf(call, subject), why, ...(rule === undefined ? {} : { rule }) };
}

async function commandTarget(command: string, scope: PathScope, readCommand: ReadCommand): Promise<SubjectTarget> {
  const reading = await readCommand(command);
  const parts = reading.ok ? reading.parts.filter((part) => part.kind === 'file') : [];
  // To the shell `~` and `file:` at the start of a quoted name mean nothing.
  const files = parts.map(async ({ access, path }): Promise<ShellFile> => ({ access, path: await resolveTarget(path.startsWith('/') ? path : `./${path}`, scope) }));
  return { kind: 'command', command, reading, files: await Promise.all(files) };
}

async function wantedFor(call: GatedCall, subject: CallSubject, { why }: Judgement): Promise<WantedApproval> {
  const { agent, callId, tool, input, layers } = call;
  const rule = narrowestRule(subject);
  return {
    agent,
    callId,
    tool: tool.name,
    action: actionOf(call, subject),
    input,
    preview: await previewOf(call),
    why,
    ...(rule === undefined ? {} : { rule }),
    canAlways: rule !== undefined && judge(subject, withUserRule(layers, rule)).verdict === 'allow',
  };
}

/** "Always" is worth offering only where the new rule would really have allowed this call. */
function withUserRule(layers: readonly PermissionLayer[], rule: string): readonly PermissionLayer[] {
  const user = layers.find(({ name }) => name === 'user')?.lists ?? {};
  return [{ name: 'user', lists: { ...user, allow: [...(user.allow ?? []), rule] } }, ...layers.filter(({ name }) => name !== 'user')];
}

function allowed(subject: CallSubject): Extract<GateAnswer, { allowed: true }> {
  return { allowed: true, realPaths: pathsOf(subject), ...(onlyReads(subject) && { onlyReads: true }) };
}

function deniedBy({ publish }: GateParts, call: GatedCall, subject: CallSubject, judgement: Judgement): GateAnswer {
  publish({ type: 'permission.denied', ...judgedCall(call, subject, judgement) });
  return { allowed: false, action: actionOf(call, subject), message: deniedByRule(judgement) };
}

/** After a wait: the same call must still mean the same files, and no rule that came meanwhile may deny it. */
async function allowedStill(parts: GateParts, call: GatedCall, subject: CallSubject): Promise<GateAnswer> {
  const before = allPathsOf(subject);
  const now = allPathsOf(await subjectOf(call, parts.readCommand));
  if (before.length !== now.length || before.some((each, index) => each !== now[index])) throw new AppError('denied', 'A file or link of this call changed while it waited for the approval.');
  const judgement = judge(subject, call.layersNow?.() ?? call.layers);
  if (judgement.verdict === 'deny') return deniedBy(parts, call, subject, judgement);
  throwIfAborted(call.context.signal);
  return allowed(subject);
}

function pathsOf({ targets }: CallSubject): readonly string[] {
  return targets.flatMap((target) => (target.kind === 'path' ? [target.path.real] : []));
}

/** With the files that a command line opens. */
function allPathsOf({ targets }: CallSubject): readonly string[] {
  return targets.flatMap((target) => {
    switch (target.kind) {
      case 'path':
        return [target.path.real];
      case 'command':
        return target.files.map(({ path }) => path.real);
      case 'url':
        return [];
    }
  });
}
