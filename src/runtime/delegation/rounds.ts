import type { ErrorReason } from '../base/errors.ts';
import { findDefinition } from '../definitions/names.ts';
import type { ChildView, RunOutcome } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import { isSameEndpoint, type ModelRef } from '../domain/models.ts';
import { onSameProvider } from './childSetup.ts';
import { failureText } from './outcomes.ts';
import type { PastRun } from './pastRun.ts';

/** A settled child that can go on. */
export interface ResumableRun {
  readonly view: ChildView;
  readonly past: PastRun;
}

/** Whether a child can go on in a new round, or why not, as a sentence. */
export type ResumeAnswer = { readonly ok: true; readonly run: ResumableRun } | { readonly ok: false; readonly reason: ErrorReason; readonly problem: string };

/** How things are today, for a run that began earlier. */
export interface Today {
  readonly definitions: readonly AgentDefinition[];
  /** Names of the tools that a child may have at all. */
  readonly tools: readonly string[];
  readonly model: ModelRef;
  /** For definitions that don't say. */
  readonly maxTurns: number;
  readonly isReachable: (model: ModelRef) => boolean;
}

/** With what a run goes on, or which field of the task keeps it from that. */
export type RoundSetup =
  | { readonly ok: true; readonly model: ModelRef; readonly maxTurns: number; readonly tools: readonly string[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly field: string; readonly problem: string };

/** Model, limit and tools of a new round: as the run had them, unless the task names a model; what can't be so any more is noted. */
export function resolveRound({ past }: ResumableRun, named: string | undefined, today: Today): RoundSetup {
  const model = resumedModel(past.latest.model, named, today.model);
  if (!today.isReachable(model)) return { ok: false, field: 'model', problem: unreachable(model) };
  const tools = past.first.tools.filter((name) => today.tools.includes(name));
  return { ok: true, model, maxTurns: past.definition.maxTurns ?? today.maxTurns, tools, notes: notes(past, model, tools, today) };
}

/** The model of a run that goes on: its own, or a model that is named, on the provider of today. */
export function resumedModel(own: ModelRef, named: string | undefined, inherited: ModelRef): ModelRef {
  if (named === undefined) return own;
  const { reasoningEffort } = own;
  const model = named === 'inherit' ? inherited : onSameProvider(inherited, named);
  return reasoningEffort === undefined ? model : { ...model, reasoningEffort };
}

/** What a run can do whose model can't be reached any more. */
export function unreachable({ provider, model, baseUrl }: ModelRef): string {
  const where = baseUrl === undefined ? provider : `${provider} at ${baseUrl}`;
  return `its model ${model} of ${where} can't be reached any more. Set that provider up again, or name a model of the present one.`;
}

/** What a run is told that goes on without words of anybody's. */
export function defaultPrompt(outcome: RunOutcome | undefined): string {
  return `${lastEnd(outcome)} Finish the task that you were given. Start from what you have done so far, and give the whole result in your last message.`;
}

/** How the model of an interrupted run changes, in a sentence; nothing where it stays. */
export function modelNote(before: ModelRef, now: ModelRef): readonly string[] {
  if (before.model === now.model && isSameEndpoint(before, now)) return [];
  return [`It runs on ${name(now)}; it began on ${name(before)}.`];
}

/** Which tools a run has no more as it goes on, in a sentence; nothing where it has all. */
export function toolsNote(before: readonly string[], now: readonly string[]): readonly string[] {
  const gone = before.filter((tool) => !now.includes(tool));
  return gone.length > 0 ? [`Tools that it had and that aren't there any more: ${gone.join(', ')}.`] : [];
}

function notes({ first, definition }: PastRun, model: ModelRef, tools: readonly string[], { definitions }: Today): readonly string[] {
  return [...modelNote(first.model, model), ...toolsNote(first.tools, tools), ...definitionNote(definition, findDefinition(definitions, definition.name))];
}

function definitionNote(before: AgentDefinition, today: AgentDefinition | undefined): readonly string[] {
  if (!today) return [`The definition ${before.name} is gone; it keeps the one that it began with.`];
  const isSame = today.hash === before.hash && today.path === before.path && today.prompt === before.prompt;
  return isSame ? [] : [`The definition ${before.name} has changed; it keeps the one that it began with, and the permission rules of both count.`];
}

function lastEnd(outcome: RunOutcome | undefined): string {
  switch (outcome?.status) {
    case undefined:
    case 'completed':
      return 'Your last run has ended.';
    case 'failed':
      return `Your last run failed before it was done: ${failureText(outcome).replace(/\.?$/, '.')}`;
    case 'cancelled':
      return 'Your last run was stopped before it was done.';
  }
}

function name({ provider, model }: ModelRef): string {
  return `${model} (${provider})`;
}
