import { isKey, type KeySource } from '../../host/apiKeys.ts';
import type { L10n } from '../../l10n.ts';
import type { ModelDeps } from './deps.ts';
import { mayNeedKey, needsKey, serverOf, type Draft } from './draft.ts';
import type { Question } from './questions.ts';
import { toMove } from './toMove.ts';

export const KEY = 'key';

/** The key, where none is known yet or another is wanted. It is kept in mind only, until all is answered. */
export function keyQuestion({ dialog, keys, l10n }: ModelDeps): Question<Draft> {
  return {
    name: KEY,
    applies(draft) {
      const server = serverOf(draft);
      return server !== undefined && (draft.wantsOtherKey === true || (mayNeedKey(draft, server) && keys.sourceOf(server.endpoint).kind === 'none'));
    },
    async ask(draft, place) {
      const server = serverOf(draft);
      if (server === undefined) return { kind: 'next', draft };
      const { origin } = server.endpoint;
      const isNeeded = needsKey(server);
      const answer = await dialog.enter({
        prompt: isNeeded ? l10n.t('The key for {0}. It is stored in this computer’s secret storage.', origin) : l10n.t('The key for {0}, or nothing if it wants none. It is stored in this computer’s secret storage.', origin),
        isSecret: true,
        problem(text) {
          if (text === '') return isNeeded ? l10n.t('Enter a key.') : undefined;
          return isKey(text) ? undefined : l10n.t('This is no key: it has spaces or characters that can’t be sent. Copy it again.');
        },
      }, place);
      return toMove(answer, (key) => ({ ...draft, key }));
    },
  };
}

export function keySourceWords(source: KeySource, l10n: L10n): string {
  switch (source.kind) {
    case 'stored':
      return l10n.t('A key is stored');
    case 'environment':
      return l10n.t('The key of the environment variable {0} is used', source.variable);
    case 'none':
      return l10n.t('No key');
  }
}
