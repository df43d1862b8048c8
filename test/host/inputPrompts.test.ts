import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AskedInput } from '../../src/host/mcp/inputDeclaration.ts';
import { askInput } from '../../src/ui/mcp/inputPrompts.ts';

const ACCEPT = 'workbench.action.acceptSelectedQuickOpenItem';
const HIDE = 'workbench.action.closeQuickOpen';

describe('the question for an input of an MCP server', () => {
  const destination = { server: 'everything', config: { command: 'x' } } as const;
  const unaborted = new AbortController().signal;
  const text: AskedInput = { kind: 'text', id: 'host', description: 'Where it is', preset: 'localhost', isSecret: false };
  const choice: AskedInput = { kind: 'choice', id: 'level', preset: 'high', choices: [{ label: 'Low', value: 'low' }, { label: 'High', value: 'high' }] };

  /** Asks, and gives the command again and again, which does nothing while there is no question yet. */
  async function asked(input: AskedInput, command: string): Promise<string | undefined> {
    let isDone = false;
    const answer = askInput({ input, destination, changes: [] }, unaborted).finally(() => (isDone = true));
    while (!isDone) await vscode.commands.executeCommand(command);
    return answer;
  }

  it('proposes what is declared', async () => {
    assert.equal(await asked(text, ACCEPT), 'localhost');
    assert.equal(await asked(choice, ACCEPT), 'high');
  });

  it('proposes nothing for a secret', async () => {
    assert.equal(await asked({ ...text, isSecret: true }, ACCEPT), '');
  });

  it('has no answer where it is hidden', async () => {
    for (const input of [text, choice]) assert.equal(await asked(input, HIDE), undefined);
  });

  it('goes away when nobody waits for the answer any more', async () => {
    for (const input of [text, choice]) {
      const waiting = new AbortController();
      const answer = askInput({ input, destination, changes: [] }, waiting.signal);
      waiting.abort();
      assert.equal(await answer, undefined);
      assert.equal(await askInput({ input, destination, changes: [] }, waiting.signal), undefined, 'it isn’t even asked');
    }
  });
});
