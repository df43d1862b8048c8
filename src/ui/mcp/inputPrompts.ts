import * as vscode from 'vscode';
import { destinationText } from '../../host/mcp/destination.ts';
import type { AskInput, InputQuestion } from '../../host/mcp/mcpInputs.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import { harmless } from '../../host/messageText.ts';
import { withoutIcons } from '../../host/messageText.ts';

/** Asks for an input of a server. It stays up while the person looks elsewhere for the answer; hiding it means that they would not say. */
export const askInput: AskInput = async (question, signal) => {
  const unwanted = new vscode.CancellationTokenSource();
  const stop = (): void => unwanted.cancel();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await ask(question, unwanted.token);
  } finally {
    signal.removeEventListener('abort', stop);
    unwanted.dispose();
  }
};

/** What a project's file says is shown as mere text. */
async function ask(question: InputQuestion, token: vscode.CancellationToken): Promise<string | undefined> {
  const { input, destination } = question;
  const title = vscode.l10n.t('MCP server {0}', truncate(oneLine(destination.server), 60));
  const wanted = `${whyAgain(question)}${harmless(input.description ?? input.id, 300)}`;
  switch (input.kind) {
    case 'text':
      return vscode.window.showInputBox(
        { title, prompt: wanted, placeHolder: input.id, password: input.isSecret, ignoreFocusOut: true, ...(input.preset !== undefined && !input.isSecret && { value: input.preset }) },
        token,
      );
    case 'choice': {
      const choices = input.choices.toSorted((a, b) => Number(b.value === input.preset) - Number(a.value === input.preset));
      const items = choices.map(({ label, value }) => ({ value, label: withoutIcons(oneLine(label)), ...(label !== value && { description: withoutIcons(oneLine(value)) }) }));
      const picked = await vscode.window.showQuickPick(items, { title, placeHolder: wanted, ignoreFocusOut: true, matchOnDescription: true }, token);
      return picked?.value;
    }
  }
}

/** A server that has become another may not be the one that the person trusted with it. */
function whyAgain({ changes, destination }: InputQuestion): string {
  if (changes.length === 0) return '';
  const fields = changes.map((name) => `“${name}”`).join(', ');
  return `${vscode.l10n.t('Asked again, because {0} of this server changed. It goes to: {1}', fields, harmless(destinationText(destination), 200))} — `;
}
