import * as vscode from 'vscode';
import type { SubagentPanelApi } from '../../src/api.ts';

/** The extension of the fixtures that delegates from outside. */
export interface Outsider {
  /** What its participant answered last. */
  readonly answer: string | undefined;
  readonly onDidAnswer: vscode.Event<string>;
  /** What its participant hands out at the next message. */
  tasks: readonly object[];
  /** Calls one of our tools, outside of any chat. Resolves to the text of its result. */
  invoke(name: string, input: object, token?: vscode.CancellationToken, tokenizationOptions?: vscode.LanguageModelToolTokenizationOptions): Promise<string>;
  /** Our API as it gets it. */
  panel(version: number): Promise<SubagentPanelApi>;
}

export const OUTSIDER = 'outsider';

export async function startOutsider(): Promise<Outsider> {
  const extension = vscode.extensions.getExtension<Outsider>('fixture.delegating-agent');
  if (!extension) throw new Error('The extension that delegates is not there.');
  return extension.activate();
}

/** Has VS Code run tools without its own question, as a person can choose, until the result is called. */
export async function withoutQuestions(): Promise<() => Promise<void>> {
  const [section, key] = ['chat.tools.global', 'autoApprove'];
  const set = async (isOn: boolean): Promise<void> => {
    // The question whether that is meant has no answer in a test.
    await vscode.commands.executeCommand('setContext', 'vscode.chat.tools.global.autoApprove.testMode', isOn);
    await vscode.workspace.getConfiguration(section).update(key, isOn ? true : undefined, vscode.ConfigurationTarget.Global);
  };
  await set(true);
  return () => set(false);
}
