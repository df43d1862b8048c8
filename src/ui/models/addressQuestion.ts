import { readAddress } from '../../host/endpoints.ts';
import type { ModelDeps } from './deps.ts';
import type { Draft } from './draft.ts';
import type { Question } from './questions.ts';
import { toMove } from './toMove.ts';

export const ADDRESS = 'address';

/** The address of a server that isn't in the list. */
export function addressQuestion({ dialog, l10n }: ModelDeps): Question<Draft> {
  return {
    name: ADDRESS,
    applies: ({ source }) => source.kind === 'address',
    async ask(draft, place) {
      const provider = draft.source.kind === 'address' ? draft.source.provider : 'openai';
      const answer = await dialog.enter({
        prompt: l10n.t('The address of the server. Most serve under /v1.'),
        placeholder: provider === 'openai' ? 'https://gateway.example/v1' : 'https://gateway.example',
        value: draft.address,
        problem(text) {
          const address = readAddress(provider, text);
          if (text === '') return l10n.t('Enter an address.');
          if (address.kind !== 'bad') return undefined;
          return address.problem === 'not_an_address' ? l10n.t('An address starts with http:// or https://, and has neither “?” nor “#”.') : l10n.t('An address must not hold a user name or password; the key comes next.');
        },
      }, place);
      // Another address has another key and other models.
      return toMove(answer, (address) => (address === draft.address ? draft : { source: draft.source, address }));
    },
  };
}
