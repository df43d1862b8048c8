import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { offeredModel } from '../../src/host/lm/offeredModel.ts';
import type { PickerEntry } from '../../src/host/lm/pickerModels.ts';
import { COMMANDS, MODEL_VENDOR, SETTINGS, SETTINGS_SECTION } from '../../src/ids.ts';
import type { ModelRef } from '../../src/runtime/domain/models.ts';
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

  it('is the one in the settings, and the offline demo without one, under an id that stays', async () => {
    await becomes('present: Offline demo (not an AI)');
    await configure({ model: 'gpt-x', provider: 'openai' });
    await becomes('present: gpt-x (OpenAI)');
    await configure({ model: 'llama', baseUrl: 'http://localhost:11434/v1' });
    await becomes('present: llama (OpenAI compatible)');
    await configure({ baseUrl: 'nonsense' });
    await becomes('present: Offline demo (not an AI)');
  });
});

describe('a tier in the picker', () => {
  const info = (entry: PickerEntry): vscode.LanguageModelChatInformation => offeredModel(entry, () => assert.fail('nothing is asked')).info;
  const model: ModelRef = { provider: 'openai', model: 'gpt-x', displayName: 'The big one', reasoningEffort: 'high', contextWindow: 400_000, maxOutputTokens: 16_000 };

  it('has its name and the model’s, and its effort in the tooltip', () => {
    const { id, name, tooltip, maxInputTokens, maxOutputTokens, capabilities } = info({ kind: 'tier', id: 'complex', tier: 'complex', model });
    assert.deepEqual([id, name], ['complex', 'Tier complex: The big one (OpenAI)']);
    assert.match(tooltip ?? '', /complex tier.*high/);
    assert.deepEqual([maxInputTokens, maxOutputTokens, capabilities], [400_000, 16_000, { toolCalling: true, imageInput: true }]);
  });

  it('comes by name after the default, which the chat view picks by itself', () => {
    const byDefault = info({ kind: 'default', id: 'present', model: { provider: 'openai', model: 'zz' } });
    assert.equal(byDefault.name, 'Default: zz (OpenAI)');
    assert.ok(byDefault.name.localeCompare(info({ kind: 'tier', id: 'complex', tier: 'complex', model: { provider: 'openai', model: 'aa' } }).name) < 0);
  });

  it('that isn’t configured any more says what answers instead', () => {
    const instead = info({ kind: 'instead', id: 'complex', model: { provider: 'vscode', model: 'copilot/gpt' } });
    assert.deepEqual([instead.id, instead.name], ['complex', 'copilot/gpt (VS Code)']);
    assert.match(instead.tooltip ?? '', /not configured any more/);
  });
});

/** The command's questions, answered. What was asked is kept. */
interface Answers {
  /** Part of the label or description to pick, one for each list. */
  readonly picks: string[];
  readonly input?: string;
}

describe('Set API Key…', () => {
  const { showQuickPick, showInputBox, showInformationMessage } = vscode.window;
  const window = vscode.window as unknown as Record<string, unknown>;
  const ADDRESS = 'http://192.0.2.1:8000';
  const OWN = ['Anthropic https://api.anthropic.com No key', 'OpenAI https://api.openai.com No key', 'Brave Search https://api.search.brave.com No key · Web search', 'Tavily https://api.tavily.com No key · Web search'];

  afterEach(async () => {
    Object.assign(window, { showQuickPick, showInputBox, showInformationMessage });
    await configure({ provider: undefined, model: undefined, baseUrl: undefined });
  });

  /** Runs the command; resolves to what it listed, asked and said. */
  async function run({ picks, input }: Answers): Promise<{ readonly lists: string[][]; readonly boxes: vscode.InputBoxOptions[]; readonly said: string[] }> {
    const seen = { lists: [] as string[][], boxes: [] as vscode.InputBoxOptions[], said: [] as string[] };
    const answers = [...picks];
    window['showQuickPick'] = async (items: readonly vscode.QuickPickItem[]) => {
      const lines = items.map(({ label, description = '', detail = '' }) => `${label} ${description} ${detail}`.trim());
      seen.lists.push(lines);
      const answer = answers.shift();
      return answer === undefined ? undefined : items[lines.findIndex((line) => line.includes(answer))];
    };
    window['showInputBox'] = async (options: vscode.InputBoxOptions) => {
      seen.boxes.push(options);
      return input;
    };
    window['showInformationMessage'] = async (text: string) => void seen.said.push(text);
    await vscode.commands.executeCommand(COMMANDS.setApiKey);
    return seen;
  }

  it('stores a key for one address, shows where one is stored, and removes it', async () => {
    await configure({ provider: 'openai', model: 'm', baseUrl: `${ADDRESS}/v1` });
    const stored = await run({ picks: [ADDRESS], input: '  sk-host-test  ' });
    assert.deepEqual(stored.lists, [[`OpenAI compatible ${ADDRESS} No key`, ...OWN]]);
    assert.deepEqual([stored.boxes[0]?.password, stored.boxes[0]?.ignoreFocusOut], [true, true]);
    assert.deepEqual(stored.said, [`The key for ${ADDRESS} is stored.`]);
    // Also when the address is configured no more: else the key could never be removed.
    await configure({ provider: undefined, model: undefined, baseUrl: undefined });
    const removed = await run({ picks: [ADDRESS, 'Remove'] });
    assert.deepEqual(removed.lists, [[...OWN, `OpenAI compatible ${ADDRESS} A key is stored`], ['Replace Key…', 'Remove Stored Key']]);
    assert.deepEqual(removed.said, [`The stored key for ${ADDRESS} was removed.`]);
    assert.equal((await run({ picks: [] })).lists[0]?.length, OWN.length);
    assert.ok(!JSON.stringify([stored, removed]).includes('sk-host-test'));
  });

  it('refuses what is no key, and takes closing the box for nothing to do', async () => {
    const { boxes, said } = await run({ picks: ['Anthropic'] });
    const problem = (text: string): unknown => boxes[0]?.validateInput?.(text);
    assert.match(String(problem('  ')), /Remove Stored Key/);
    assert.match(String(problem('sk two')), /no key/);
    assert.equal(problem(' sk-good '), undefined);
    assert.deepEqual([said, (await run({ picks: ['Anthropic'], input: 'two words' })).said], [[], []]);
    assert.match((await run({ picks: [] })).lists[0]?.[0] ?? '', /No key$/);
  });
});
