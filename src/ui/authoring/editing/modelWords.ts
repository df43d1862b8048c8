import { INHERIT } from '../../../runtime/definitions/modelNames.ts';
import { TIERS, type ModelRef } from '../../../runtime/domain/models.ts';
import type { L10n } from '../../l10n.ts';
import type { AuthoringFacts } from './facts.ts';
import type { Named } from './names.ts';

/** A model with who offers it, and nothing of how it is reached. */
export function modelText({ provider, model, displayName }: ModelRef): string {
  return displayName === undefined ? `${model} (${provider})` : `${displayName} (${provider}, ${model})`;
}

/** The models that a definition can name. */
export function modelWords({ tiers, model }: AuthoringFacts, l10n: L10n): readonly Named[] {
  const inherit: Named = { name: INHERIT, detail: l10n.t('The model of whoever delegates'), docs: '' };
  if (tiers) {
    return [inherit, ...TIERS.flatMap((tier) => {
      const ref = tiers[tier];
      return ref ? [{ name: tier, detail: modelText(ref), docs: '' }] : [];
    })];
  }
  return [inherit, ...(model ? [{ name: model.model, detail: modelText(model), docs: '' }] : [])];
}
