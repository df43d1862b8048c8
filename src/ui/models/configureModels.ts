import { modelUpdates, type ModelUse } from '../../host/modelUpdates.ts';
import { addressQuestion } from './addressQuestion.ts';
import { checkQuestion } from './checkQuestion.ts';
import type { ModelDeps } from './deps.ts';
import { chosenModel, EMPTY_DRAFT, serverOf, type Draft } from './draft.ts';
import { effortQuestion } from './effortQuestion.ts';
import { keyQuestion } from './keyQuestion.ts';
import { modelQuestion } from './modelQuestion.ts';
import { inert, modelWords } from './modelWords.ts';
import { askAll } from './questions.ts';
import { sourceQuestion } from './sourceQuestion.ts';
import { useQuestion } from './useQuestion.ts';

/** Asks for a model step by step, tries it out, and writes it to the user's settings. Nothing is written before the last question is answered. Rejects when it can't be written. */
export async function configureModels(deps: ModelDeps): Promise<void> {
  await deps.keys.load();
  const questions = [sourceQuestion, addressQuestion, keyQuestion, modelQuestion, effortQuestion, checkQuestion, useQuestion].map((create) => create(deps));
  const draft = await askAll(questions, EMPTY_DRAFT);
  if (draft?.use !== undefined) await save(deps, draft, draft.use);
}

async function save(deps: ModelDeps, draft: Draft, use: ModelUse): Promise<void> {
  const { keys, present, change, env, l10n, say } = deps;
  const server = serverOf(draft);
  // First, so that the model never stands there without it.
  const hasKey = server !== undefined && draft.key !== undefined && draft.key !== '';
  if (hasKey) await keys.store(server.endpoint, draft.key);
  const chosen = chosenModel(draft);
  await change(modelUpdates(chosen, use, present(), env));
  const name = inert(modelWords(chosen, l10n));
  const saved = use.kind === 'single' ? l10n.t('Saved: {0} answers from now on. What runs keeps its model.', name) : l10n.t('Saved: the model “{0}” is {1}. What runs keeps its model.', use.tier, name);
  say(hasKey ? `${saved} ${l10n.t('The key for {0} is stored.', server.endpoint.origin)}` : saved);
}
