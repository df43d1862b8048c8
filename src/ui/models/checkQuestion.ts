import { checkModel } from '../../host/liveCheck.ts';
import { AppError } from '../../runtime/base/errors.ts';
import type { ModelError, ModelProvider, ModelRef } from '../../runtime/domain/models.ts';
import { ADDRESS } from './addressQuestion.ts';
import type { ModelDeps } from './deps.ts';
import { chosenModel, serverOf, type Draft } from './draft.ts';
import { KEY } from './keyQuestion.ts';
import { knownKey } from './knownKey.ts';
import { MODEL } from './modelQuestion.ts';
import { inert, modelWords } from './modelWords.ts';
import type { Move, Question } from './questions.ts';

/** Tries the model out, with the key that isn't stored yet. Where it fails, the person decides what comes of it. */
export function checkQuestion(deps: ModelDeps): Question<Draft> {
  const { dialog, clock, l10n } = deps;
  return {
    name: 'check',
    isSilent: true,
    applies: ({ source }) => source.kind !== 'offline',
    async ask(draft, place) {
      const model = chosenModel(draft);
      const name = inert(modelWords(model, l10n));
      for (;;) {
        const answer = await dialog.wait(l10n.t('Trying out {0}', name), async (signal) => checkModel(providerFor(deps, draft, model), model, clock, signal), place);
        if (answer.kind !== 'answer') return answer;
        if (answer.value.ok) return { kind: 'next', draft };
        const { error } = answer.value;
        const action = await dialog.trouble({
          message: l10n.t('{0} did not answer.', name),
          detail: inert(error.message),
          actions: [{ label: l10n.t('Try Again'), value: 'again' }, { label: l10n.t('Change…'), value: 'change' }, { label: l10n.t('Save Anyway'), value: 'save' }] as const,
        });
        if (action === undefined) return { kind: 'leave' };
        if (action === 'save') return { kind: 'next', draft };
        if (action === 'change') return change(draft, error);
      }
    },
  };
}

/** One of its own, so that what fails here makes nothing wait that runs. */
function providerFor({ factories, keys }: ModelDeps, draft: Draft, { provider, baseUrl }: ModelRef): ModelProvider {
  const create = Object.hasOwn(factories, provider) ? factories[provider] : undefined;
  if (create === undefined) throw new AppError('unavailable', `There is no model provider named ${provider}. Choose another.`);
  return create({ ...(baseUrl !== undefined && { baseUrl }), apiKey: () => knownKey({ keys }, draft) });
}

/** Back to what is most likely wrong. */
function change(draft: Draft, { failure }: ModelError): Move<Draft> {
  if (failure === 'auth' && serverOf(draft) !== undefined) return { kind: 'to', name: KEY, draft: { ...draft, wantsOtherKey: true } };
  const isLost = failure === 'network' || failure === 'timeout';
  return { kind: 'to', name: isLost && draft.source.kind === 'address' ? ADDRESS : MODEL, draft };
}
