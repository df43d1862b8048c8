import type * as vscode from 'vscode';
import { withoutIcons } from '../../host/messageText.ts';
import { deferred } from '../../runtime/base/async.ts';
import type { L10n } from '../l10n.ts';
import type { QuickWindow } from '../models/quickDialog.ts';

/** What somebody wants an agent to do. `chat`: they rather write several tasks, one a line, in the chat. */
export type TaskAnswer = { readonly kind: 'task'; readonly prompt: string } | { readonly kind: 'chat' } | { readonly kind: 'leave' };

/** Asks what the agent of that name is to do, in one line. The box stays up while the person looks something up. `chatButton` leads to the chat. */
export async function askTask(window: Pick<QuickWindow, 'createInputBox'>, chatButton: vscode.QuickInputButton, name: string, l10n: L10n): Promise<TaskAnswer> {
  const input = window.createInputBox();
  const answer = deferred<TaskAnswer>();
  input.title = l10n.t('Run {0}', withoutIcons(name));
  input.prompt = l10n.t('Say what it is to do. It knows nothing but these words; its result comes to the Groups view.');
  input.placeholder = l10n.t('Such as: find every caller of parseOrder');
  input.ignoreFocusOut = true;
  input.buttons = [chatButton];
  input.onDidTriggerButton(() => answer.resolve({ kind: 'chat' }));
  input.onDidHide(() => answer.resolve({ kind: 'leave' }));
  input.onDidChangeValue(() => (input.validationMessage = ''));
  input.onDidAccept(() => {
    const prompt = input.value.trim();
    if (prompt === '') input.validationMessage = l10n.t('Say what it is to do.');
    else answer.resolve({ kind: 'task', prompt });
  });
  input.show();
  try {
    return await answer.promise;
  } finally {
    input.dispose();
  }
}
