import { errorText, isAppError } from '../../runtime/base/errors.ts';
import type { AgentDefinition } from '../../runtime/domain/definitions.ts';
import type { DefinitionAccess } from '../../runtime/domain/liteAgent.ts';

/** What became of the definitions that someone approved, by name. */
export interface ApprovalResult {
  readonly approved: readonly string[];
  /** They say something else by now than what was looked at, or are gone. */
  readonly changed: readonly string[];
  /** What went wrong with the others, in words. */
  readonly failures: readonly string[];
}

/** Approves each definition as it was shown, so that a file that has changed meanwhile isn't approved unseen. Never rejects. */
export async function approveDefinitions(access: Pick<DefinitionAccess, 'approve'>, shown: readonly AgentDefinition[]): Promise<ApprovalResult> {
  const approved: string[] = [];
  const changed: string[] = [];
  const failures: string[] = [];
  for (const { name, hash } of shown) {
    try {
      await access.approve(name, hash ?? '');
      approved.push(name);
    } catch (error) {
      if (isAppError(error, 'conflict') || isAppError(error, 'not_found')) changed.push(name);
      else failures.push(`${name}: ${errorText(error)}`);
    }
  }
  return { approved, changed, failures };
}
