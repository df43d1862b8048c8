import { isDeepStrictEqual } from 'node:util';
import { environmentAddress, KEYED_PROVIDERS, ownEndpoint, PROVIDER_NAMES } from '../../host/endpoints.ts';
import type { LocalServer } from '../../host/localServers.ts';
import { EDITOR_PROVIDER } from '../../runtime/domain/models.ts';
import { withoutIcons } from '../../host/messageText.ts';
import type { ModelDeps } from './deps.ts';
import type { Choice } from './dialog.ts';
import { EMPTY_DRAFT, type Draft, type Source } from './draft.ts';
import { keySourceWords } from './keyQuestion.ts';
import type { Question } from './questions.ts';
import { toMove } from './toMove.ts';

/** So many models of a server are named before it is chosen. */
const NAMED = 3;

/** Where the model comes from. What listens on this computer is looked for while the list is open, and at no other time. */
export function sourceQuestion(deps: ModelDeps): Question<Draft> {
  return {
    name: 'source',
    applies: () => true,
    async ask(draft, place) {
      const choices = sourceChoices(deps);
      const answer = await deps.dialog.choose({
        placeholder: deps.l10n.t('Choose where the model comes from'),
        choices,
        active: draft === EMPTY_DRAFT ? undefined : choices.find(({ value }) => isDeepStrictEqual(value, draft.source)),
        more: async (signal) => (await deps.findServers(signal)).map((server) => localChoice(server, deps)),
      }, place);
      // Another source makes everything that was answered after it meaningless.
      return toMove(answer, (source) => (isDeepStrictEqual(source, draft.source) ? draft : { source }));
    },
  };
}

function sourceChoices({ keys, env, factories, l10n }: ModelDeps): readonly Choice<Source>[] {
  const own = KEYED_PROVIDERS.map((provider): Choice<Source> => {
    const endpoint = ownEndpoint(provider);
    return { label: PROVIDER_NAMES[provider], description: endpoint.origin, detail: keySourceWords(keys.sourceOf(endpoint), l10n), value: { kind: 'server', provider, wantsKey: true } };
  });
  const named = KEYED_PROVIDERS.flatMap((provider): Choice<Source>[] => {
    const address = environmentAddress(provider, env);
    if (address.kind !== 'other') return [];
    return [{ label: l10n.t('{0} compatible', PROVIDER_NAMES[provider]), description: address.baseUrl, detail: l10n.t('The address of an environment variable'), value: { kind: 'server', provider, baseUrl: address.baseUrl, wantsKey: true } }];
  });
  const editor: Choice<Source> = { label: l10n.t('The editor’s models'), detail: l10n.t('What VS Code itself offers, such as Copilot’s models; needs no key'), value: { kind: 'editor' } };
  return [
    ...own,
    ...named,
    { label: l10n.t('OpenAI compatible address…'), detail: l10n.t('A gateway or a server, such as OpenRouter, Azure, Ollama, LM Studio, vLLM or llama.cpp'), value: { kind: 'address', provider: 'openai' } },
    { label: l10n.t('Anthropic compatible address…'), detail: l10n.t('A gateway or a server that speaks the Messages API'), value: { kind: 'address', provider: 'anthropic' } },
    ...(Object.hasOwn(factories, EDITOR_PROVIDER) ? [editor] : []),
    { label: l10n.t('Offline demo (not an AI)'), detail: l10n.t('A script, to try things out; needs no key and no network'), value: { kind: 'offline' } },
  ];
}

function localChoice({ name, port, baseUrl, models, wantsKey }: LocalServer, { l10n }: ModelDeps): Choice<Source> {
  const names = withoutIcons(models.slice(0, NAMED).map(({ id }) => id).join(', '));
  const more = models.length - NAMED;
  const listed = more > 0 ? l10n.t('{0} and {1} more', names, more) : names || l10n.t('It has no models yet');
  return { label: l10n.t('{0} on this computer', name), description: `127.0.0.1:${port}`, detail: wantsKey ? l10n.t('It wants a key') : listed, value: { kind: 'server', provider: 'openai', baseUrl, models, wantsKey } };
}
