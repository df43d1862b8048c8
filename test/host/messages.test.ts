import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { confirm, showBriefly, showError, showInfo, showProgress, showWarning } from '../../src/host/messages.ts';

const NAMES = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'setStatusBarMessage', 'withProgress'] as const;

describe('messages', () => {
  const window = vscode.window as unknown as Record<string, unknown>;
  const real = Object.fromEntries(NAMES.map((name) => [name, window[name]]));
  let said: unknown[][];

  beforeEach(() => {
    said = [];
    for (const name of NAMES) {
      window[name] = async (...args: readonly unknown[]) => {
        said.push([name, ...args]);
        return args.at(-1);
      };
    }
  });

  afterEach(() => Object.assign(window, real));

  it('hold no link that runs a command, nor an icon, of what they quote, and give the button back', async () => {
    const name = '[Open](command:subagents.cancelAll) $(check)';
    assert.deepEqual([await showInfo(name, 'A', 'B'), await showWarning(name, 'C'), await showError(name, 'D')], ['B', 'C', 'D']);
    assert.equal(await confirm(name, `${name}\n\n${name}`, 'Undo'), true);
    showBriefly(name, 10);
    void showProgress(name, async () => undefined);
    assert.equal(said.length, 6);
    for (const each of said) assert.doesNotMatch(JSON.stringify(each), /\]\(/);
    for (const each of said.slice(4)) assert.doesNotMatch(JSON.stringify(each), /\$\(/);
  });
});
