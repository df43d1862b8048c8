import { oneLine, truncate } from '../base/text.ts';
import type { GroupSpec } from '../domain/agents.ts';
import { delegableDefinitions } from '../definitions/names.ts';
import { INHERIT } from '../definitions/modelNames.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { Tier } from '../domain/models.ts';

const DESCRIPTION_LENGTH = 400;
/** What a root has to know of a kind before it counts on its changes. */
const APART = ' (works in a git worktree of its own: its changes are in the workspace only once the user accepts them)';

/** What the model reads about the `Agent` tool. `tiers`: those of the catalog, where there is one. */
export function agentToolDescription(definitions: readonly AgentDefinition[], maxTasks: number, tiers?: readonly Tier[]): string {
  return [
    'Hands independent or context-heavy work to subagents that run in the background, each isolated, at the same time. Use it when the user asks for it, or for work that would fill your context; not for what one or two reads answer.',
    `A call starts one group of up to ${maxTasks} tasks. It returns at once with ids and no results. When every subagent of the group has ended, you get all their results in one later message, in the order of the tasks. Until then you know nothing of what they find: don't wait for it, don't ask for it, and never invent it.`,
    `${ISOLATED} Give tasks of one group no files in common to change.`,
    `${RESUMABLE} The answer comes as the result of a new group.`,
    kindsText(definitions),
    ...tiersText(tiers),
  ].join('\n\n');
}

/** What the model reads about the `Task` tool. `tiers` as above. */
export function taskToolDescription(definitions: readonly AgentDefinition[], tiers?: readonly Tier[]): string {
  return [
    'Hands one piece of independent or context-heavy work to a subagent and waits for it: the call returns its final text. Use it when the user asks for it, or for work that would fill your context; not for what one or two reads answer.',
    `A subagent that fails or is cancelled is an error with its reason. ${MOVES}`,
    ISOLATED,
    `${RESUMABLE} The call returns its next answer.`,
    kindsText(definitions),
    ...tiersText(tiers),
  ].join('\n\n');
}

/** What the model reads about the `MultiTask` tool. `tiers` as above. */
export function multiTaskToolDescription(definitions: readonly AgentDefinition[], maxTasks: number, tiers?: readonly Tier[]): string {
  return [
    'Hands several pieces of independent or context-heavy work to subagents, each isolated, at the same time, and waits for all of them. Use it when the user asks for it, or for work that would fill your context; not for what one or two reads answer.',
    `A call starts one group of up to ${maxTasks} tasks. Once every subagent has ended, it returns all their results, each under a heading, in the order of the tasks; a subagent that failed or was cancelled has its reason there. ${MOVES}`,
    `${ISOLATED} Give tasks of one group no files in common to change.`,
    `${RESUMABLE} The call returns its next answer.`,
    kindsText(definitions),
    ...tiersText(tiers),
  ].join('\n\n');
}

const ISOLATED =
  'A subagent sees nothing but its prompt: not this conversation, not the other subagents. Write into each prompt the goal, the context, the paths, what must not be done, and the form of the answer that you need. Only its final text comes back.';
const RESUMABLE = 'A subagent that has ended can go on: give its agentId as resume and say in the prompt what it is to do next. It still knows all that it was told, did and found; its kind stays.';
const MOVES = "Where the user stops you while you wait, the work goes on in the background and its results come in a later message: then don't start it again, and never invent what it finds.";

function kindsText(definitions: readonly AgentDefinition[]): string {
  const kinds = delegableDefinitions(definitions).map(({ name, description, isolation }) => `- ${name}: ${truncate(oneLine(description), DESCRIPTION_LENGTH)}${isolation ? APART : ''}`);
  return `Kinds of subagents (subagent_type):\n${kinds.join('\n') || '- none'}`;
}

/** Tiers alone: which models they are is for people. */
function tiersText(tiers: readonly Tier[] | undefined): readonly string[] {
  if (!tiers) return [];
  return [`Models (model), for light to hard work: ${tiers.join(', ')}. Left out: the model of the task's kind, else the current one. ${INHERIT}: the current one.`];
}

/** The answer to a call that was accepted: ids, and no word that could pass for a result. */
export function acceptedText({ groupId, children }: GroupSpec): string {
  return [
    `Accepted group ${groupId}. Its subagents run in the background:`,
    ...unfinishedLines(children),
    'There is no result yet. All results come together in one later message, once every subagent has ended. Don\'t wait for them, don\'t start the same work again, and don\'t guess or invent what they will say. Go on with other work, or end your turn by telling the user what you delegated.',
  ].join('\n');
}

/** The answer to a call that waited for a group and was stopped: ids, and no word that could pass for a result. */
export function movedText({ groupId, children }: GroupSpec): string {
  return [
    `Stopped before the results were there. Group ${groupId} moved to the background:`,
    ...unfinishedLines(children),
    'There is no result yet. All results come together in one later message, once every subagent has ended. Don\'t start the same work again, and don\'t guess or invent what they will say.',
  ].join('\n');
}

function unfinishedLines(children: GroupSpec['children']): readonly string[] {
  return children.map(({ displayName, agentId }) => `- ${displayName} (agentId: ${agentId}; status: not finished)`);
}
