import * as vscode from 'vscode';
import { showWarning } from '../../host/messages.ts';
import type { UiContext } from '../context.ts';

/** Asks whether to go on with the present model. The message says what is out of reach; the one thing to do about it here is to take that one. Resolves to its name, or to nothing for no. */
export async function offerModel(context: Pick<UiContext, 'presentModel'>, message: string): Promise<string | undefined> {
  const { model, displayName } = context.presentModel();
  const accept = vscode.l10n.t('Resume With {0}', displayName ?? model);
  const answer = await showWarning(message, accept);
  return answer === accept ? model : undefined;
}
