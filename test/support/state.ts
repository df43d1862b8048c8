import type * as vscode from 'vscode';

export interface FakeState extends Pick<vscode.Memento, 'get' | 'update' | 'keys'> {
  readonly values: Map<string, unknown>;
}

/** A memento in memory. As VS Code's, it forgets what is set to nothing. */
export function fakeState(values = new Map<string, unknown>()): FakeState {
  return {
    values,
    get: <T>(key: string, otherwise?: T): T | undefined => (values.has(key) ? (values.get(key) as T) : otherwise),
    update: async (key, value) => void (value === undefined ? values.delete(key) : values.set(key, value)),
    keys: () => [...values.keys()],
  };
}
