import type * as vscode from 'vscode';
import { AppError } from '../runtime/base/errors.ts';
import type { AgentDefinition } from '../runtime/domain/definitions.ts';
import type { DefinitionApprovals } from '../runtime/domain/liteAgent.ts';

/** Versions of one file that stay approved, so that going back and forth between branches doesn't ask again. */
const VERSIONS_KEPT = 50;

/**
 * What the user has approved of a workspace folder's definitions: hashes by folder and path.
 * @param state storage of the user's, such as `globalState`; never the workspace's, which whoever wrote the project may fill
 * @param folder absolute path
 */
export function storedApprovals(state: Pick<vscode.Memento, 'get' | 'update'>, folder: string): DefinitionApprovals {
  const keyOf = (path: string): string => `definitionApprovals.v1:${JSON.stringify([folder, path])}`;
  const approved = (path: string): readonly string[] => {
    const value = state.get<unknown>(keyOf(path));
    return Array.isArray(value) ? value.filter((hash) => typeof hash === 'string') : [];
  };
  return {
    isApproved: ({ path, hash }) => path !== undefined && hash !== undefined && approved(path).includes(hash),
    async approve(definition: AgentDefinition) {
      const { name, path, hash } = definition;
      if (path === undefined || hash === undefined) throw new AppError('invalid_input', `The definition ${name} has no file, so there is nothing to approve.`);
      await state.update(keyOf(path), [hash, ...approved(path).filter((one) => one !== hash)].slice(0, VERSIONS_KEPT));
    },
  };
}
