import type { SecretStore } from '../../src/host/apiKeys.ts';

export interface FakeSecrets extends SecretStore {
  readonly values: Map<string, string>;
  /** What the storage fails with, if it does. */
  failure: Error | undefined;
}

/** A secret storage in memory that tells of changes as VS Code does: also of one's own. */
export function fakeSecrets(values = new Map<string, string>()): FakeSecrets {
  const listeners = new Set<(change: { readonly key: string }) => unknown>();
  const secrets: FakeSecrets = {
    values,
    failure: undefined,
    get: async (name) => values.get(name),
    keys: async () => {
      if (secrets.failure) throw secrets.failure;
      return [...values.keys()];
    },
    store: async (name, value) => change(name, () => values.set(name, value)),
    delete: async (name) => change(name, () => values.delete(name)),
    onDidChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  function change(key: string, write: () => unknown): void {
    if (secrets.failure) throw secrets.failure;
    write();
    for (const listener of listeners) listener({ key });
  }
  return secrets;
}
