import { withTimeLimit } from '../../runtime/base/timeLimit.ts';
import { isAppError } from '../../runtime/base/errors.ts';
import { oneLine } from '../../runtime/base/text.ts';
import { listModels, type ListedModel, type ModelList } from '../../runtime/providers/modelList.ts';
import { withoutIcons } from '../../host/messageText.ts';
import type { ModelDeps } from './deps.ts';
import type { Choice, Place } from './dialog.ts';
import { serverOf, type Draft } from './draft.ts';
import { knownKey } from './knownKey.ts';
import { KEY } from './keyQuestion.ts';
import { inert } from './modelWords.ts';
import type { Move, Question } from './questions.ts';
import { toMove } from './toMove.ts';

export const MODEL = 'model';
const LIST_LIMIT_MS = 20_000;

/** The model: of the server's own list where it has one, else typed. */
export function modelQuestion(deps: ModelDeps): Question<Draft> {
  return {
    name: MODEL,
    applies: ({ source }) => source.kind !== 'offline',
    async ask(draft, place) {
      const { dialog, l10n } = deps;
      const seen = draft.source.kind === 'server' ? draft.source.models : undefined;
      if (seen !== undefined && seen.length > 0) return chooseModel(deps, draft, seen, place);
      const answer = await dialog.wait(l10n.t('Asking for the list of models'), (signal) => listFor(deps, draft, signal), place);
      if (answer.kind !== 'answer') return answer;
      const list = answer.value;
      if (list.ok) return list.models.length > 0 ? chooseModel(deps, draft, list.models, place) : noneListed(deps, draft, place);
      if (list.error.failure !== 'auth') return typeModel(deps, draft, l10n.t('The models could not be listed, so type the id of one. {0}', inert(list.error.message)), place);
      return keyRefused(deps, draft, list.error.message, place);
    },
  };
}

async function listFor(deps: ModelDeps, draft: Draft, signal: AbortSignal): Promise<ModelList> {
  const server = serverOf(draft);
  if (server === undefined) return { ok: true, models: await deps.editorModels() };
  const { provider, baseUrl } = server;
  try {
    const key = await knownKey(deps, draft);
    return await withTimeLimit(deps.clock, LIST_LIMIT_MS, signal, (limited) => listModels({ provider, ...(baseUrl !== undefined && { baseUrl }), key }, limited));
  } catch (error) {
    if (!isAppError(error, 'timeout')) throw error;
    return { ok: false, error: { failure: 'timeout', message: error.message } };
  }
}

/** `undefined`: none of the list. */
async function chooseModel(deps: ModelDeps, draft: Draft, models: readonly ListedModel[], place: Place): Promise<Move<Draft>> {
  const { dialog, l10n } = deps;
  const listed = models.map((model): Choice<ListedModel | undefined> => ({ label: withoutIcons(model.displayName ?? model.id), description: model.displayName === undefined ? undefined : withoutIcons(model.id), value: model }));
  const choices = draft.source.kind === 'editor' ? listed : [...listed, { label: l10n.t('Another model…'), detail: l10n.t('Type the id, as the provider writes it'), value: undefined, stays: true }];
  for (;;) {
    const answer = await dialog.choose({ placeholder: l10n.t('Choose the model'), choices, active: choices.find(({ value }) => value !== undefined && value.id === draft.model?.id) }, place);
    if (answer.kind !== 'answer') return answer;
    if (answer.value !== undefined) return { kind: 'next', draft: { ...draft, model: answer.value } };
    const typed = await typeModel(deps, draft, l10n.t('The id of the model, as the provider writes it.'), { ...place, canGoBack: true });
    if (typed.kind !== 'back') return typed;
  }
}

async function noneListed(deps: ModelDeps, draft: Draft, place: Place): Promise<Move<Draft>> {
  const { dialog, l10n } = deps;
  if (draft.source.kind !== 'editor') return typeModel(deps, draft, l10n.t('The server lists no models, so type the id of one.'), place);
  const action = await dialog.trouble({ message: l10n.t('The editor offers no models.'), detail: l10n.t('Sign in to Copilot, or install an extension that brings models, and try again.'), actions: [{ label: l10n.t('Change…'), value: 'change' } as const] });
  return action === undefined ? { kind: 'leave' } : { kind: 'back' };
}

async function keyRefused(deps: ModelDeps, draft: Draft, message: string, place: Place): Promise<Move<Draft>> {
  const { dialog, l10n } = deps;
  const action = await dialog.trouble({
    message: l10n.t('The models could not be listed.'),
    detail: inert(message),
    actions: [{ label: l10n.t('Enter Another Key…'), value: 'key' }, { label: l10n.t('Type the Model’s Id…'), value: 'type' }] as const,
  });
  switch (action) {
    case 'key':
      return { kind: 'to', name: KEY, draft: { ...draft, wantsOtherKey: true } };
    case 'type':
      return typeModel(deps, draft, l10n.t('The id of the model, as the provider writes it.'), place);
    case undefined:
      return { kind: 'leave' };
  }
}

async function typeModel({ dialog, l10n }: ModelDeps, draft: Draft, prompt: string, place: Place): Promise<Move<Draft>> {
  const answer = await dialog.enter({
    prompt,
    value: draft.model?.id,
    problem: (text) => (text === '' || oneLine(text) !== text ? l10n.t('Enter the id of the model.') : undefined),
  }, place);
  return toMove(answer, (id) => ({ ...draft, model: id === draft.model?.id ? draft.model : { id } }));
}
