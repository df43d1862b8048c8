import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, MODEL_VENDOR, SCHEMES } from '../../src/ids.ts';

const EXTENSION = 'subagent-panel.subagent-panel';

describe('the activated extension', () => {
  before(() => vscode.extensions.getExtension(EXTENSION)?.activate());

  it('has registered every command of its manifest', async () => {
    const manifest = vscode.extensions.getExtension(EXTENSION)?.packageJSON as { contributes: { commands: { command: string }[] } };
    const registered = new Set(await vscode.commands.getCommands(true));
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual(contributed.filter((command) => !registered.has(command)), []);
    assert.ok(Object.values(COMMANDS).every((command) => registered.has(command)));
  });

  it('takes commands without their argument, and with a stranger’s, for nothing to do', async () => {
    for (const command of [COMMANDS.allow, COMMANDS.deny, COMMANDS.answer, COMMANDS.dontAnswer, COMMANDS.accept, COMMANDS.cancelChild, COMMANDS.openResult, COMMANDS.showApprovalDetails]) {
      for (const argument of [undefined, 7, { agentId: 'nobody', groupId: 'none', requestId: 'none' }]) await vscode.commands.executeCommand(command, argument);
    }
  });

  it('offers the offline model, which answers', async () => {
    const model = await offline();
    assert.equal(await answerOf(await model.sendRequest([vscode.LanguageModelChatMessage.User('fail')])).catch(String), 'Error: The offline demo failed on request: the prompt said so.');
    assert.notEqual(await answerOf(await model.sendRequest([vscode.LanguageModelChatMessage.User('Where is "discount" applied?')])), '');
    assert.ok((await model.countTokens('some words')) > 0);
  });

  it('has its model call the tools that a request offers, and go on from their results', async () => {
    const model = await offline();
    const tools: vscode.LanguageModelChatTool[] = [{ name: 'Bash', description: 'Runs a command.', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } }];
    const prompt = vscode.LanguageModelChatMessage.User('run echo hello');
    const calls = await callsOf(await model.sendRequest([prompt], { tools }));
    assert.deepEqual(calls.map(({ name, input }) => ({ name, input })), [{ name: 'Bash', input: { command: 'echo hello' } }]);

    const [call] = calls;
    assert.ok(call);
    const result = new vscode.LanguageModelToolResultPart(call.callId, [new vscode.LanguageModelTextPart('the echo')]);
    const conversation = [prompt, vscode.LanguageModelChatMessage.Assistant([call]), vscode.LanguageModelChatMessage.User([result])];
    assert.match(await answerOf(await model.sendRequest(conversation, { tools })), /the echo/);
  });

  it('stops its model when the request is cancelled', async () => {
    const cancel = new vscode.CancellationTokenSource();
    const started = (await offline()).sendRequest([vscode.LanguageModelChatMessage.User('sleep 3600')], {}, cancel.token).then(answerOf);
    cancel.cancel();
    await assert.rejects(Promise.race([started, new Promise((_, reject) => setTimeout(() => reject(new assert.AssertionError({ message: 'it still runs' })), 5_000))]), (error) => !(error instanceof assert.AssertionError));
    cancel.dispose();
  });

  it('serves documents for unknown children and malformed addresses without failing', async () => {
    for (const path of ['/result/nobody/x.md', '/transcript/nobody/x.md', '/result', '/', '/result/%E0%A4%A/x.md']) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEMES.document, path }));
      assert.ok(document.getText().length < 300, document.getText());
    }
    const approval = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEMES.approval, path: '/gone/x.md' }));
    assert.equal(approval.getText(), '');
  });
});

async function offline(): Promise<vscode.LanguageModelChat> {
  const models = await vscode.lm.selectChatModels({ vendor: MODEL_VENDOR });
  const model = models.find(({ family }) => family === 'offline');
  assert.ok(model, models.map(({ id }) => id).join());
  return model;
}

async function answerOf(response: vscode.LanguageModelChatResponse): Promise<string> {
  let text = '';
  for await (const part of response.text) text += part;
  return text;
}

async function callsOf(response: vscode.LanguageModelChatResponse): Promise<vscode.LanguageModelToolCallPart[]> {
  const calls: vscode.LanguageModelToolCallPart[] = [];
  for await (const part of response.stream) if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
  return calls;
}
