import type { ReasoningEffort } from '../../runtime/domain/models.ts';
import type { ModelDeps } from './deps.ts';
import type { Choice } from './dialog.ts';
import { serverOf, type Draft } from './draft.ts';
import type { Question } from './questions.ts';
import { toMove } from './toMove.ts';

/** How hard the model is to think. Asked before it is tried out, since many models refuse one. */
export function effortQuestion({ dialog, l10n }: ModelDeps): Question<Draft> {
  return {
    name: 'effort',
    applies: (draft) => serverOf(draft) !== undefined,
    async ask(draft, place) {
      const choices: readonly Choice<ReasoningEffort | undefined>[] = [
        { label: l10n.t('Default'), description: l10n.t('whatever the model does by itself'), value: undefined },
        { label: l10n.t('Low'), value: 'low' },
        { label: l10n.t('Medium'), value: 'medium' },
        { label: l10n.t('High'), description: l10n.t('slower and more costly'), value: 'high' },
      ];
      const answer = await dialog.choose({ placeholder: l10n.t('Choose how hard the model thinks before it answers'), choices, active: choices.find(({ value }) => value === draft.effort) }, place);
      return toMove(answer, (effort) => ({ ...draft, effort }));
    },
  };
}
