import * as vscode from 'vscode';
import { showWarning } from '../host/messages.ts';
import { errorText } from '../runtime/base/errors.ts';
import type { Disposable } from '../runtime/base/lifecycle.ts';
import { COMMANDS } from '../ids.ts';
import { oneLine, truncate } from '../runtime/base/text.ts';
import { onAgent, type UiContext } from './context.ts';

/** Tells of a failure that nobody waits for, such as a full disk. One message at a time: the log has all of them. */
export function registerProblems(context: UiContext): Disposable {
  let isTelling = false;
  return onAgent(context.access, (agent) =>
    agent.subscribe((event) => {
      if (event.type !== 'problem' || isTelling) return;
      isTelling = true;
      tell(event.message)
        .catch((error: unknown) => context.log.error(`problems: ${errorText(error)}`))
        .finally(() => (isTelling = false));
    }),
  );
}

async function tell(message: string): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const answer = await showWarning(vscode.l10n.t('Subagents: {0}', truncate(oneLine(message), 300)), showLog);
  if (answer === showLog) await vscode.commands.executeCommand(COMMANDS.showLog);
}
