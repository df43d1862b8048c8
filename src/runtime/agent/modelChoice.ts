import { oneLine, truncate } from '../base/text.ts';
import { SOURCE_FORMATS } from '../definitions/interop.ts';
import { INHERIT, readModelName, type NamedModel } from '../definitions/modelNames.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { ModelOrigin } from '../domain/effectiveAgent.ts';
import { EDITOR_PROVIDER, isVendorModel, type ModelCatalog, type ModelRef } from '../domain/models.ts';
import { tierModel, tiersOf, type IsReachable } from './currentModel.ts';
import { samplingBesideEffort } from './modelChecks.ts';

/** Among which models a child's is chosen, as of now. */
export interface ModelChoices {
  /** What `inherit` means, and whoever names nothing: see `inheritedModel`. */
  readonly inherited: ModelRef;
  readonly catalog?: ModelCatalog;
  readonly isReachable: IsReachable;
}

/** What counts of a definition as its child's model is chosen. */
export type ChoosingDefinition = Pick<AgentDefinition, 'name' | 'source' | 'model' | 'effort'>;

/** A child's model, with what is to be said of it; or why there is none, as a sentence for whoever delegates. */
export type ModelChoice =
  | { readonly ok: true; readonly model: ModelRef; readonly notes: readonly string[] }
  | { readonly ok: false; readonly reason: 'invalid_input' | 'unavailable'; readonly problem: string };

const NAME_LENGTH = 80;

/**
 * The model of a child: what its task names, else what its definition names, else the inherited one. A name that
 * doesn't resolve is refused; a model that its definition's own product has and that can't be had here gives way to the
 * inherited one, with a note. No other model stands in for one that can't be reached. The definition's effort wins over
 * the model's own.
 * @param named the model of the task, which is not empty.
 */
export function chooseModel(named: string | undefined, definition: ChoosingDefinition, choices: ModelChoices): ModelChoice {
  const { inherited, catalog } = choices;
  const { name, meaning } = wantedModel(named, definition, choices);
  const who = named === undefined ? `the definition ${definition.name} runs on ${quoted(name)}, which` : quoted(name);
  if (meaning.kind === 'unknown') {
    const advice = named === undefined ? 'Name one of them as the model of the task.' : 'Name one of them, or leave it out.';
    return { ok: false, reason: 'invalid_input', problem: `${who} is none of the models to choose from: ${(catalog ? tiersOf(catalog) : []).join(', ')}. ${advice}` };
  }
  if (meaning.kind === 'id' && inherited.provider === EDITOR_PROVIDER && !isVendorModel(meaning.id)) {
    const advice = named === undefined ? 'Name one as the model of the task, or inherit.' : 'Name one, or leave it out.';
    return { ok: false, reason: 'invalid_input', problem: `${who} is no model of the editor: those are written as vendor/id, such as ${inherited.model}. ${advice}` };
  }
  const notes = meaning.kind === 'gives_way' ? [`${quoted(name)} unavailable, using ${modelLabel(inherited)}.`] : [];
  return fitted(modelOf(meaning, choices), definition, notes, choices);
}

/** Whose word `chooseModel` goes by. */
export function modelOrigin(named: string | undefined, definition: ChoosingDefinition, choices: ModelChoices): ModelOrigin {
  const { meaning } = wantedModel(named, definition, choices);
  switch (meaning.kind) {
    case 'tier':
    case 'id':
      return named === undefined ? 'definition' : 'task';
    case 'inherit':
    case 'gives_way':
    case 'unknown':
      return choices.inherited.tier === undefined ? 'root' : 'tier';
  }
}

/** What is named first, and what that means here. */
function wantedModel(named: string | undefined, definition: ChoosingDefinition, { inherited, catalog }: ModelChoices): { readonly name: string; readonly meaning: NamedModel } {
  const name = named ?? (definition.model?.trim() || INHERIT);
  const tiers = catalog && tiersOf(catalog);
  // Behind another address stand other models, whatever the protocol.
  const vendor = inherited.baseUrl === undefined ? inherited.provider : undefined;
  return { name, meaning: readModelName(name, { format: named === undefined ? SOURCE_FORMATS[definition.source] : 'task', ...(tiers && { tiers }), ...(vendor !== undefined && { vendor }) }) };
}

/** Why no child of any kind can run on a model of that name; nothing when one can. */
export function modelProblem(named: string, choices: ModelChoices): string | undefined {
  const choice = chooseModel(named, { name: 'any', source: 'builtin' }, choices);
  return choice.ok ? undefined : choice.problem;
}

function modelOf(meaning: Exclude<NamedModel, { kind: 'unknown' }>, { inherited, catalog }: ModelChoices): ModelRef {
  switch (meaning.kind) {
    case 'inherit':
    case 'gives_way':
      return inherited;
    case 'tier':
      return tierModel(catalog, meaning.tier) ?? inherited;
    case 'id':
      return meaning.id === inherited.model ? inherited : otherModel(inherited, meaning.id);
  }
}

function fitted(chosen: ModelRef, { name, effort }: ChoosingDefinition, notes: readonly string[], { isReachable }: ModelChoices): ModelChoice {
  const model = effort === undefined ? chosen : { ...chosen, reasoningEffort: effort };
  const sampling = samplingBesideEffort(model);
  if (sampling.length > 0) {
    const where = model.tier === undefined ? `the model ${model.model}` : `the tier ${model.tier}`;
    return { ok: false, reason: 'invalid_input', problem: `\`effort\` of the definition ${name} and \`${sampling.join('`, `')}\` of ${where} can't be set together. Name another model, or remove one of them.` };
  }
  if (!isReachable(model)) return { ok: false, reason: 'unavailable', problem: unreachable(model) };
  return { ok: true, model, notes };
}

/** Another model of the same provider, at the same address, asked in the same way. What tells of the one that it replaces stays behind. */
function otherModel({ displayName: _name, price: _price, tier: _tier, ...inherited }: ModelRef, model: string): ModelRef {
  return { ...inherited, model };
}

/** What to do about a model that can't be reached. */
export function unreachable({ provider, model, baseUrl, tier }: ModelRef): string {
  const where = baseUrl === undefined ? provider : `${provider} at ${baseUrl}`;
  if (tier !== undefined) return `the tier ${tier} is unavailable: ${model} of ${where} can't be reached. Set that provider up, or name another tier.`;
  return `its model ${model} of ${where} can't be reached any more. Set that provider up again, or name a model of the present one.`;
}

/** A model in a note. */
export function modelLabel({ provider, model }: ModelRef): string {
  return `${model} (${provider})`;
}

function quoted(name: string): string {
  return `"${truncate(oneLine(name), NAME_LENGTH)}"`;
}
