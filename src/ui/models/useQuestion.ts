import type { ModelUse } from '../../host/modelUpdates.ts';
import { isRecord } from '../../host/records.ts';
import { isText } from '../../host/settingValue.ts';
import { SETTINGS } from '../../ids.ts';
import { TIERS, type Tier } from '../../runtime/domain/models.ts';
import type { ModelDeps } from './deps.ts';
import type { Choice } from './dialog.ts';
import type { Draft } from './draft.ts';
import { inert, modelWords } from './modelWords.ts';
import type { Question } from './questions.ts';
import { toMove } from './toMove.ts';

/** What the model is for. The one model and the catalog exclude each other, so each choice says what it takes the place of. */
export function useQuestion(deps: ModelDeps): Question<Draft> {
  const { dialog, l10n } = deps;
  return {
    name: 'use',
    applies: () => true,
    async ask(draft, place) {
      const choices = useChoices(deps);
      const answer = await dialog.choose({ placeholder: l10n.t('Choose what this model is for'), choices }, place);
      return toMove(answer, (use) => ({ ...draft, use }));
    },
  };
}

function useChoices({ present, l10n }: ModelDeps): readonly Choice<ModelUse>[] {
  const { model, models, written } = present();
  const now = (words: string): string => l10n.t('now: {0}', inert(words));
  // As they are written, since what can't be used is removed as well.
  const tiers = Object.keys(recordOf(written(SETTINGS.models)));
  const one = written(SETTINGS.model);
  const single: Choice<ModelUse> = {
    label: l10n.t('The one model for everything'),
    description: models === undefined ? now(modelWords(model, l10n)) : undefined,
    detail: tiers.length > 0 ? l10n.t('Takes the place of the models {0}, which are removed from the settings', inert(tiers.join(', '))) : undefined,
    value: { kind: 'single' },
  };
  const tierChoices = TIERS.map((tier): Choice<ModelUse> => {
    const taken = models?.[tier];
    return {
      label: l10n.t('The model “{0}”', tier),
      description: taken === undefined ? undefined : now(modelWords(taken, l10n)),
      detail: isText(one) && one.trim() !== '' ? l10n.t('Takes the place of the one model {0}, which is removed from the settings', inert(one)) : tierWords(tier, l10n),
      value: { kind: 'tier', tier },
    };
  });
  return tiers.length === 0 ? [single, ...tierChoices] : [...tierChoices, single];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function tierWords(tier: Tier, l10n: ModelDeps['l10n']): string {
  switch (tier) {
    case 'simple':
      return l10n.t('For small, clear tasks; a fast and cheap model');
    case 'medium':
      return l10n.t('For everyday work');
    case 'complex':
      return l10n.t('For hard tasks; a strong model');
  }
}
