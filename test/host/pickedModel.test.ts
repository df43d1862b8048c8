import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { MODEL_VENDOR, PARTICIPANT } from '../../src/ids.ts';
import { until } from '../support/hostEvents.ts';
import { offers, resultsOf, SCRIPTED_VENDOR, ScriptedModels, textsOf } from '../support/scriptedModels.ts';

const { LanguageModelTextPart: Text, LanguageModelToolCallPart: Call } = vscode;

describe('the model that is picked in the chat view', () => {
  let models: ScriptedModels;

  before(async () => {
    models = await ScriptedModels.start();
    await models.offer('talker');
  });

  after(async () => {
    // What is picked stays picked, and must not be gone.
    const [own] = await vscode.lm.selectChatModels({ vendor: MODEL_VENDOR });
    await vscode.commands.executeCommand('workbench.action.chat.open', { query: '', isPartialQuery: true, modelSelector: { vendor: MODEL_VENDOR, id: own?.id } });
    await models.offer();
  });

  it('is the root’s and its children’s, tools included', async () => {
    models.answer((request) => {
      const say = (text: string): void => request.report(new Text(text));
      if (offers(request, 'Agent')) {
        if (textsOf(request).some((said) => said.includes('<background-task-completed'))) return say('The report is in.');
        if (resultsOf(request).includes('Agent')) return say('I handed it out.');
        return request.report(new Call('c1', 'Agent', { tasks: [{ display_name: 'Reader', prompt: 'Read the README.' }] }));
      }
      return resultsOf(request).length === 0 ? request.report(new Call('c1', 'Read', { file_path: 'README.md' })) : say('I read it.');
    });
    await vscode.commands.executeCommand('workbench.action.chat.open', { query: `@${PARTICIPANT.name} Look into it.`, modelSelector: { vendor: SCRIPTED_VENDOR, id: 'talker' } });
    await until('the answer to the report', models.onDidServe, () => models.requests.some((request) => textsOf(request).some((said) => said.includes('<background-task-completed'))));
    const [root, children] = [models.requests.filter((request) => offers(request, 'Agent')), models.requests.filter((request) => !offers(request, 'Agent'))];
    assert.deepEqual([root.length, children.length], [3, 2]);
    assert.match(textsOf(children[1] ?? assert.fail('The child asked once.')).join('\n'), /# Orderly/);
  });
});
