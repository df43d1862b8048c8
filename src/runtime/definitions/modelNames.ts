import { TIERS, type Tier } from '../domain/models.ts';
import { INHERITING, MODEL_FAMILIES, VENDOR_MODELS, type DefinitionFormat } from './interop.ts';

/** What the name of a model means. */
export type NamedModel =
  | { readonly kind: 'inherit' }
  | { readonly kind: 'tier'; readonly tier: Tier }
  /** An id on the inherited provider. */
  | { readonly kind: 'id'; readonly id: string }
  /** It can't be had here, and the inherited one takes its place. `tier`: the one of the catalog that it stands for, which isn't configured. */
  | { readonly kind: 'gives_way'; readonly tier?: Tier }
  /** None of the catalog. */
  | { readonly kind: 'unknown' };

export interface NameContext {
  /** Who wrote the name: the call of a tool, or a definition in one of the formats. */
  readonly format: DefinitionFormat | 'task';
  /** See `ReadContext`, as the next one. */
  readonly tiers?: readonly Tier[];
  readonly vendor?: string;
}

export const INHERIT = 'inherit';

/**
 * Reads the name of a model. With a catalog that is a tier, in any case, or in a definition a family of models that
 * stands for one; nothing else. Without one it is an id, but for tiers and for names whose ids mean nothing to the
 * inherited provider: these give way.
 */
export function readModelName(name: string, { format, tiers, vendor }: NameContext): NamedModel {
  const lower = name.trim().toLowerCase();
  if (lower === INHERIT || (format !== 'task' && INHERITING.includes(lower))) return { kind: 'inherit' };
  const tier = TIERS.find((known) => known === lower);
  const family = format === 'task' ? undefined : familyOf(lower, format === 'own');
  if (tiers) {
    const wanted = tier ?? family;
    if (wanted !== undefined && tiers.includes(wanted)) return { kind: 'tier', tier: wanted };
    return family === undefined ? { kind: 'unknown' } : { kind: 'gives_way', tier: family };
  }
  if (tier !== undefined) return { kind: 'gives_way' };
  if (format === 'task') return { kind: 'id', id: name.trim() };
  const isOurs = format === 'own' ? family === undefined : isOf(vendor, name);
  return isOurs ? { kind: 'id', id: name.trim() } : { kind: 'gives_way' };
}

/** The tier of a model's family: from its short name, or, in another product's file, from any name that holds it. */
function familyOf(name: string, shortOnly: boolean): Tier | undefined {
  const short = name.replace(/\[1m\]$/, '');
  const found = Object.keys(MODEL_FAMILIES).find((family) => (shortOnly ? short === family : name.includes(family)));
  return found === undefined ? undefined : MODEL_FAMILIES[found];
}

function isOf(vendor: string | undefined, name: string): boolean {
  const ids = vendor !== undefined && Object.hasOwn(VENDOR_MODELS, vendor) ? VENDOR_MODELS[vendor] : undefined;
  return ids?.test(name.trim()) ?? false;
}
