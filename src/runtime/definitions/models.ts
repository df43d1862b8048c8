import { nearNames } from '../base/nearNames.ts';
import type { ReadContext } from './context.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { readList, type Item } from '../frontmatter/lists.ts';
import { readText } from '../frontmatter/fields.ts';
import type { Value } from '../frontmatter/values.ts';
import { INHERIT, readModelName, type NamedModel } from './modelNames.ts';

interface Reading {
  readonly item: Item;
  readonly meaning: NamedModel;
}

/**
 * The model of a definition: a tier, an id, or `inherit`; of a list the first that can be had. A name that can't be
 * stays as it was written: what becomes of it is settled, and told, when the definition is used.
 */
export function readModel(value: Value, context: ReadContext, problems: Problem[]): string | undefined {
  const readings = readNames(value, problems)?.map((item): Reading => ({ item, meaning: readModelName(item.text, context) }));
  const chosen = readings && (readings.find(canBeHad) ?? readings.find(({ meaning }) => meaning.kind === 'gives_way') ?? readings[0]);
  if (!chosen) return undefined;
  const { item, meaning } = chosen;
  switch (meaning.kind) {
    case 'inherit':
      return mapped(INHERIT, item, problems);
    case 'tier':
      return mapped(meaning.tier, item, problems);
    case 'id':
      return meaning.id;
    case 'gives_way':
      problems.push(givesWay(readings, meaning, item));
      return item.text;
    case 'unknown':
      problems.push({ severity: 'warning', code: 'unknown_model', message: `${listed(readings)} is none of the models to choose from: ${context.tiers?.join(', ') ?? ''}. The agent can't run unless its task names one of them.`, at: item.at, data: { kind: 'unknown', of: 'model', word: item.text, near: nearModels(item.text, context) } });
      return item.text;
  }
}

function canBeHad({ meaning }: Reading): boolean {
  return meaning.kind === 'inherit' || meaning.kind === 'tier' || meaning.kind === 'id';
}

function mapped(model: string, { text, at }: Item, problems: Problem[]): string {
  if (model !== text.toLowerCase()) problems.push({ severity: 'information', code: 'mapped', message: `The model \`${text}\` is read as \`${model}\`.`, at, data: { kind: 'mapped', of: 'model', word: text, as: [model] } });
  return model;
}

function givesWay(readings: readonly Reading[], { tier }: Extract<NamedModel, { kind: 'gives_way' }>, { text, at }: Item): Problem {
  const instead = 'so the agent inherits its model';
  if (tier === undefined) return { severity: 'information', code: 'mapped', message: `The model ${listed(readings)} can't be had here, ${instead}.`, at, data: { kind: 'mapped', of: 'model', word: text, as: [INHERIT] } };
  return { severity: 'warning', code: 'unknown_model', message: `The model \`${text}\` stands for \`${tier}\`, which isn't configured, ${instead}.`, at, data: { kind: 'unknown', of: 'model', word: text, near: [INHERIT] } };
}

/** All that there are, since they are few: the nearest first. */
function nearModels(word: string, { tiers = [] }: ReadContext): readonly string[] {
  return [...new Set([...nearNames(word, [...tiers, INHERIT]), ...tiers, INHERIT])];
}

function listed(readings: readonly Reading[]): string {
  return readings.map(({ item }) => `\`${item.text}\``).join(', ');
}

function readNames(value: Value, problems: Problem[]): readonly Item[] | undefined {
  if (value.kind === 'list') return readList('model', value, problems);
  const name = readText('model', value, problems);
  return name === undefined ? undefined : [{ text: name, at: value.at }];
}
