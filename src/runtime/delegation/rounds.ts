import type { ErrorReason } from '../base/errors.ts';
import { chooseModel, modelLabel, unreachable, type ModelChoice, type ModelChoices } from '../agent/modelChoice.ts';
import { findDefinition } from '../definitions/names.ts';
import type { ChildView, RunOutcome } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import { isSameEndpoint, type ModelRef } from '../domain/models.ts';
import type { ChildSetup } from './childSetup.ts';
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
  readonly models: ModelChoices;
  /** For definitions that don't say. */
  readonly maxTurns: number;
}

/** Model, limit and tools of a new round: as the run had them, unless the task names a model; what can't be so any more is noted. */
export function resolveRound({ past }: ResumableRun, named: string | undefined, today: Today): ChildSetup {
  const choice = resumedModel(past.latest.model, past.definition, named, today.models);
  if (!choice.ok) return { ok: false, field: 'model', problem: choice.problem };
  const { model } = choice;
  const tools = past.first.tools.filter((name) => today.tools.includes(name));
  return { ok: true, model, maxTurns: past.definition.maxTurns ?? today.maxTurns, tools, notes: [...choice.notes, ...notes(past, model, tools, today)] };
}

/**
 * The model of a run that goes on: its own as it was, or one that is named, as for a new task. A tier brings its own
 * effort; any other model keeps that of the run. `definition`: the one that it began with, where that is known.
 */
export function resumedModel(own: ModelRef, definition: AgentDefinition | undefined, named: string | undefined, choices: ModelChoices): ModelChoice {
  if (named === undefined) return choices.isReachable(own) ? { ok: true, model: own, notes: [] } : { ok: false, reason: 'unavailable', problem: unreachable(own) };
  const { name = 'this subagent', source = 'builtin', effort: defined } = definition ?? {};
  const effort = choices.catalog ? defined : own.reasoningEffort;
  return chooseModel(named, { name, source, ...(effort && { effort }) }, choices);
}

/** What a run is told that goes on without words of anybody's. */
export function defaultPrompt(outcome: RunOutcome | undefined): string {
  return `${lastEnd(outcome)} Finish the task that you were given. Start from what you have done so far, and give the whole result in your last message.`;
}

/** How model and effort of a run change, in a sentence; nothing where they stay. */
export function modelNote(before: ModelRef, now: ModelRef): readonly string[] {
  const hasSameEffort = before.reasoningEffort === now.reasoningEffort;
  if (before.model === now.model && isSameEndpoint(before, now) && hasSameEffort) return [];
  const label = (model: ModelRef): string => (hasSameEffort ? modelLabel(model) : `${modelLabel(model)} with ${model.reasoningEffort ?? 'its own'} effort`);
  return [`It runs on ${label(now)}; it began on ${label(before)}.`];
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
