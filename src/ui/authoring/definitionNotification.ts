import * as vscode from 'vscode';
import { showWarning } from '../../host/messages.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import { COMMANDS } from '../../ids.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import { onAgent, type UiContext } from '../context.ts';

/** Says why a delegation was refused, and leads to where the person can look at the definitions. One message at a time: its list has all of them. */
export function registerDefinitionNotification(context: UiContext): Disposable {
  let isTelling = false;
  return onAgent(context.access, (agent) =>
    agent.subscribe((event) => {
      if (event.type !== 'definitions.refused' || isTelling) return;
      isTelling = true;
      tell(event.names)
        .catch((error: unknown) => context.log.error(`definitions: ${errorText(error)}`))
        .finally(() => (isTelling = false));
    }),
  );
}

async function tell(names: readonly string[]): Promise<void> {
  const review = vscode.l10n.t('Review…');
  const message = vscode.l10n.t('Agents of this project are new or have changed, and nobody has approved them yet: {0}', truncate(oneLine(names.join(', ')), 300));
  if ((await showWarning(message, review)) === review) await vscode.commands.executeCommand(COMMANDS.reviewDefinitions);
}
