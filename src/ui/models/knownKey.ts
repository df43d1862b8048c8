import type { ModelDeps } from './deps.ts';
import { serverOf, type Draft } from './draft.ts';

/** The key to ask with: the one that was just entered, else the one that is known for this address. */
export async function knownKey({ keys }: Pick<ModelDeps, 'keys'>, draft: Draft): Promise<string | undefined> {
  const server = serverOf(draft);
  if (draft.key !== undefined && draft.key !== '') return draft.key;
  return server === undefined ? undefined : keys.get(server.endpoint);
}
