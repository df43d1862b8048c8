import type { Judgement, PermissionLayer, Verdict } from '../domain/permissions.ts';
import { READERS, READY_MADE_ASKS } from './defaults.ts';
import { matches, toolOf, type RuleUse } from './matching.ts';
import { parseRule, type ParsedRule, type Rule } from './rules.ts';
import { isReadOnlyCommand } from './shellReadOnly.ts';
import { programKey } from './shellText.ts';
import { FOLDER_CHANGERS } from './shellWords.ts';
import { unitsOf, type CallSubject, type Unit } from './subject.ts';

const STRICTNESS: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };
const NO_USER_RULES: PermissionLayer = { name: 'user', lists: {} };

/** What people call a layer. */
export const LAYER_NAMES: Readonly<Record<PermissionLayer['name'], string>> = {
  user: 'the user settings',
  workspace: 'the workspace settings',
  parent: 'the parent agent',
  subagentPermission: 'the subagentPermission setting',
  definition: 'the agent definition',
};

/**
 * The joint verdict of all layers on a call. Pure. Each part of the call (path, simple command, URL) is judged by
 * each layer, and the strictest word of all counts. Within a layer deny comes before ask before allow. Without a
 * user layer the defaults hold as if there were an empty one. Where a layer says that the agent never asks, asking
 * becomes denying, and so does a question to a person.
 */
export function judge(subject: CallSubject, layers: readonly PermissionLayer[]): Judgement {
  const voices = layers.some((layer) => layer.name === 'user') ? layers : [NO_USER_RULES, ...layers];
  const judgements = unitsOf(subject).flatMap((unit) => voices.map((layer) => judgeUnit(layer, subject, unit)).filter((each) => each !== undefined));
  const joint = judgements.reduce(stricter);
  const silent = voices.find(({ onAsk }) => onAsk === 'deny');
  if (!silent || joint.verdict === 'deny') return joint;
  if (joint.verdict === 'ask') return { ...joint, verdict: 'deny', neverAsks: true };
  return subject.asksPerson ? { verdict: 'deny', layer: silent.name, why: 'It is a question to the user.', neverAsks: true } : joint;
}

/** Of two equally strict judgements the one with a rule says more. */
function stricter(a: Judgement, b: Judgement): Judgement {
  const difference = STRICTNESS[b.verdict] - STRICTNESS[a.verdict];
  if (difference !== 0) return difference > 0 ? b : a;
  return a.rule === undefined && b.rule !== undefined ? b : a;
}

/** A layer's word on one part of a call; nothing where it abstains. */
function judgeUnit(layer: PermissionLayer, subject: CallSubject, unit: Unit): Judgement | undefined {
  const { name, lists } = layer;
  const where = LAYER_NAMES[name];
  const say = (verdict: Verdict, why: string, rule?: string): Judgement => ({ verdict, layer: name, ...(rule === undefined ? {} : { rule }), why });
  const deny = parsed(lists.deny);
  const ask = parsed(lists.ask);
  const allow = parsed(lists.allow);

  const denying = find(deny, subject, unit, 'restrict');
  if (denying) return say('deny', `The rule ${denying.text} of ${where} denies it.`, denying.text);
  if (name === 'user' && isOutsideWrite(unit) && !isListed(ask, subject, unit) && !isListed(allow, subject, unit)) return say('deny', 'It would write outside the workspace folders.');
  const asking = find(ask, subject, unit, 'restrict');
  if (asking) return say('ask', `The rule ${asking.text} of ${where} asks.`, asking.text);
  if (layer.readOnlyCommands && changesSomething(unit, subject)) return say(layer.readOnlyCommands, `${firstUpper(where)} ${layer.readOnlyCommands === 'ask' ? 'asks for' : 'denies'} every command that isn't known to only read.`);
  const broken = findBroken(deny, subject, unit) ?? findBroken(ask, subject, unit);
  if (broken) return say('ask', `The rule ${JSON.stringify(broken.text)} of ${where} can't be read (${broken.problem}), so it asks.`, broken.text);
  const protective = name === 'user' && !isOwnRead(unit) ? find(readyMadeAsks(), subject, unit, 'restrict') : undefined;
  if (protective) return say('ask', `The built-in rule ${protective.text} asks.`);
  const allowing = find(allow, subject, unit, 'allow');
  if (allowing) return say('allow', `The rule ${allowing.text} of ${where} allows it.`, allowing.text);
  if (name === 'user') return say(...defaultOf(subject, unit));
  // Whoever gave it a folder outside to read knew that the list doesn't cover it.
  // A question asks by itself.
  return lists.allow && !isGranted(unit) && !subject.asksPerson ? say('ask', `The allow list of ${where} doesn't cover it.`) : undefined;
}

/** True for a call that is nothing but commands which are known to only read. In doubt false. */
export function onlyReads(subject: CallSubject): boolean {
  const { targets } = subject;
  return targets.length > 0 && targets.every(({ kind }) => kind === 'command') && !unitsOf(subject).some((unit) => changesSomething(unit, subject));
}

/** True for a part of a command line that isn't known to only read. */
function changesSomething(unit: Unit, subject: CallSubject): boolean {
  switch (unit.kind) {
    case 'command':
      return !isReadOnlyCommand(unit.words) || (unit.words[0] === 'git' && unitsOf(subject).some(changesFolder));
    case 'opaque':
      return true;
    case 'path':
      return unit.as === 'Write';
    case 'url':
    case 'call':
      return false;
  }
}

/** After it git may find a repository whose settings run programs. */
function changesFolder(unit: Unit): boolean {
  return (unit.kind === 'command' || unit.kind === 'opaque') && FOLDER_CHANGERS.has(programKey(unit.words[0] ?? ''));
}

function firstUpper(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What holds where no rule of the user says anything. */
function defaultOf(subject: CallSubject, unit: Unit): [Verdict, string] {
  switch (unit.kind) {
    case 'call':
      return subject.actsOnRun ? ['allow', 'It acts on the run itself.'] : ['ask', 'No rule allows it.'];
    case 'opaque':
      return ['ask', `What the command runs can't be told for certain: ${unit.why}.`];
    case 'command':
    case 'url':
      return ['ask', 'No rule allows it.'];
    case 'path':
      if (isOwnRead(unit)) return ['allow', "It reads the run's own output."];
      if (!unit.path.inside && !isGranted(unit)) return ['ask', 'It is outside the workspace folders.'];
      if (unit.access === 'read' && (unit.as === 'Read' || subject.isReadOnly) && READERS.includes(toolOf(unit, subject.tool))) return ['allow', unit.path.inside ? 'It reads inside the workspace.' : 'It reads in a folder that it was given to read.'];
      return ['ask', 'No rule allows it.'];
  }
}

let readyMade: readonly ParsedRule[] | undefined;

/** Compiled when first needed, not while the product starts. */
function readyMadeAsks(): readonly ParsedRule[] {
  return (readyMade ??= parsed(READY_MADE_ASKS));
}

function parsed(texts: readonly string[] = []): readonly ParsedRule[] {
  return texts.map(parseRule);
}

function find(rules: readonly ParsedRule[], subject: CallSubject, unit: Unit, use: RuleUse): Rule | undefined {
  for (const each of rules) if (each.ok && matches(each.rule, subject.tool, unit, use, subject.input)) return each.rule;
  return undefined;
}

/** A limit that can't be read asks for the whole tool that it names: ignoring it would allow more than its author meant. */
function findBroken(limits: readonly ParsedRule[], subject: CallSubject, unit: Unit): Extract<ParsedRule, { ok: false }> | undefined {
  for (const each of limits) if (!each.ok && matches(each.guard, subject.tool, unit, 'restrict', subject.input)) return each;
  return undefined;
}

function isOutsideWrite(unit: Unit): boolean {
  return unit.kind === 'path' && unit.access === 'write' && !unit.path.inside;
}

/** Outside the workspace, in a folder that the run or this very call was given to read. */
function isGranted(unit: Unit): boolean {
  return unit.kind === 'path' && unit.access === 'read' && !unit.path.inside && unit.path.granted === true;
}

function isOwnRead(unit: Unit): boolean {
  return unit.kind === 'path' && unit.access === 'read' && unit.path.own;
}

/** Only a rule that names the place lifts the default for writes outside; one for the whole tool doesn't. */
function isListed(rules: readonly ParsedRule[], subject: CallSubject, unit: Unit): boolean {
  return rules.some((each) => each.ok && each.rule.pattern?.kind === 'path' && each.rule.pattern.absolute && matches(each.rule, subject.tool, unit, 'allow', subject.input));
}
