import * as vscode from 'vscode';
import { MODEL_VENDOR, SETTINGS, SETTINGS_SECTION } from '../../src/ids.ts';
import { until } from '../support/hostEvents.ts';

const { Global } = vscode.ConfigurationTarget;

async function configure(values: Readonly<Partial<Record<keyof typeof SETTINGS, unknown>>>): Promise<void> {
  for (const [key, value] of Object.entries(values)) await vscode.workspace.getConfiguration(SETTINGS_SECTION).update(SETTINGS[key as keyof typeof SETTINGS], value, Global);
}

describe('the offered model', () => {
  const offered = async (): Promise<readonly string[]> => (await vscode.lm.selectChatModels({ vendor: MODEL_VENDOR })).map(({ id, name }) => `${id}: ${name}`);
  const becomes = (...wanted: readonly string[]): Promise<void> =>
    until(wanted.join(), vscode.lm.onDidChangeChatModels, async () => JSON.stringify(await offered()) === JSON.stringify(wanted));

  afterEach(() => configure({ provider: undefined, model: undefined, baseUrl: undefined }));

  it('is the one in the settings, and the offline demo without one', async () => {
    await becomes('offline: Offline demo (not an AI)');
    await configure({ model: 'gpt-x', provider: 'openai' });
    await becomes('openai/gpt-x: gpt-x (OpenAI)');
    await configure({ model: 'llama', baseUrl: 'http://localhost:11434/v1' });
    await becomes('openai/llama: llama (OpenAI compatible)');
    await configure({ baseUrl: 'nonsense' });
    await becomes('offline: Offline demo (not an AI)');
  });
});
