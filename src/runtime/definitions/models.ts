import type { ReadContext } from './context.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { INHERITING, MODEL_FAMILIES, VENDOR_MODELS } from './interop.ts';
import { readList, type Item } from '../frontmatter/lists.ts';
import { readText } from '../frontmatter/fields.ts';
import type { Value } from '../frontmatter/values.ts';

const INHERIT = 'inherit';

/**
 * The model of a definition: a tier, an id, or `inherit`. Of a list the first that resolves. In another product's file
 * a model that can't be had here gives way to the inherited one, since its id means nothing to this provider; with a
 * catalog nothing gives way, and what isn't in it is refused when the definition is used.
 */
export function readModel(value: Value, context: ReadContext, problems: Problem[]): string | undefined {
  const wanted = readNames(value, problems);
  const first = wanted?.[0];
  if (!wanted || !first) return undefined;
  for (const item of wanted) {
    const model = resolve(item.text, context);
    if (model === undefined) continue;
    if (model.toLowerCase() !== item.text.toLowerCase()) report(problems, item, `is read as \`${model}\``);
    return model;
  }
  const names = wanted.map((item) => `\`${item.text}\``).join(', ');
  if (context.tiers) {
    problems.push({ severity: 'warning', code: 'unknown_model', message: `${names} is none of the models to choose from: ${context.tiers.join(', ')}.`, at: first.at });
    return first.text;
  }
  report(problems, { ...first, text: wanted.map((item) => item.text).join(', ') }, 'can\'t be had here, so the agent inherits its model');
  return INHERIT;
}

/** Nothing for a name that means no model here. */
function resolve(name: string, { format, tiers, vendor }: ReadContext): string | undefined {
  const lower = name.toLowerCase();
  if (INHERITING.includes(lower)) return INHERIT;
  const tier = tiers?.find((known) => known.toLowerCase() === lower);
  if (tier !== undefined) return tier;
  const family = familyOf(lower, format === 'own');
  if (tiers) return tiers.find((known) => known === family);
  if (format === 'own') return family === undefined ? name : INHERIT;
  const ids = vendor !== undefined && Object.hasOwn(VENDOR_MODELS, vendor) ? VENDOR_MODELS[vendor] : undefined;
  return ids?.test(name) ? name : undefined;
}

/** The tier of a model's family: from its short name, or, in another product's file, from any name that holds it. */
function familyOf(name: string, shortOnly: boolean): string | undefined {
  const short = name.replace(/\[1m\]$/, '');
  const found = Object.keys(MODEL_FAMILIES).find((family) => (shortOnly ? short === family : name.includes(family)));
  return found === undefined ? undefined : MODEL_FAMILIES[found];
}

function readNames(value: Value, problems: Problem[]): readonly Item[] | undefined {
  if (value.kind === 'list') return readList('model', value, problems);
  const name = readText('model', value, problems);
  return name === undefined ? undefined : [{ text: name, at: value.at }];
}

function report(problems: Problem[], { text, at }: Item, what: string): void {
  problems.push({ severity: 'information', code: 'mapped', message: `The model \`${text}\` ${what}.`, at });
}
