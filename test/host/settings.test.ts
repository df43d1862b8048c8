import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as vscode from 'vscode';
import { SettingsReader } from '../../src/host/settings.ts';
import { SETTINGS, SETTINGS_SECTION } from '../../src/ids.ts';
import { SILENT_LOG } from '../../src/runtime/domain/ports.ts';

describe('settings', () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration(SETTINGS_SECTION, folder);
  const { Global, Workspace } = vscode.ConfigurationTarget;
  let reader: SettingsReader;

  beforeEach(() => {
    reader = new SettingsReader(SILENT_LOG, folder);
  });

  afterEach(async () => {
    reader.dispose();
    for (const key of [SETTINGS.allow, SETTINGS.ask, SETTINGS.deny, SETTINGS.maxTurns, SETTINGS.models, SETTINGS.model]) {
      await configuration().update(key, undefined, Global);
      await Promise.resolve(configuration().update(key, undefined, Workspace)).catch(() => undefined);
    }
  });

  it('take what is allowed from the user alone, whatever the workspace says', async () => {
    assert.ok(folder);
    await configuration().update(SETTINGS.allow, ['Bash(git status:*)'], Global);
    await assert.rejects(Promise.resolve(configuration().update(SETTINGS.allow, ['Bash'], Workspace)));
    // A cloned repository brings such a file; the change of another setting in it shows that it was read.
    const file = vscode.Uri.joinPath(folder, '.vscode', 'settings.json');
    const changed = nextChange();
    await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify({ 'subagents.permissions.allow': ['Bash'], 'subagents.maxTurns': 7 })));
    await changed;
    const settings = reader.read();
    assert.equal(settings.maxTurns, 7);
    assert.deepEqual(settings.userPermissions.allow, ['Bash(git status:*)']);
    assert.equal(settings.workspacePermissions.allow, undefined);
    await vscode.workspace.fs.delete(file);
  });

  it('join the lists of what asks and what is denied', async () => {
    await configuration().update(SETTINGS.ask, ['Bash(git push:*)'], Global);
    await configuration().update(SETTINGS.ask, ['Edit(src/**)'], Workspace);
    await configuration().update(SETTINGS.deny, ['Bash(rm:*)'], Global);
    await configuration().update(SETTINGS.deny, ['Read(secret/**)'], Workspace);
    const { userPermissions, workspacePermissions } = reader.read();
    assert.deepEqual([userPermissions.ask, workspacePermissions.ask], [['Bash(git push:*)'], ['Edit(src/**)']]);
    assert.deepEqual([userPermissions.deny, workspacePermissions.deny], [['Bash(rm:*)'], ['Read(secret/**)']]);
  });

  it('remember “always allow” as a rule of the user, once', async () => {
    await reader.allowAlways('Bash(npm test:*)');
    await reader.allowAlways('Bash(npm test:*)');
    assert.deepEqual(configuration().inspect(SETTINGS.allow)?.globalValue, ['Bash(npm test:*)']);
    assert.deepEqual(reader.read().userPermissions.allow, ['Bash(npm test:*)']);
  });

  it('fall back to the default for a bad value, and tell of changes', async () => {
    const changed = nextChange();
    await configuration().update(SETTINGS.maxTurns, -3, Global);
    await changed;
    assert.equal(reader.read().maxTurns, 50);
  });

  it('are written for the user alone, all of them before anything is told', async () => {
    const model = { provider: 'offline', displayName: 'Demo' };
    const seen: unknown[] = [];
    const listening = reader.onDidChange(() => seen.push(reader.read().models?.simple?.displayName));
    await reader.change([{ key: SETTINGS.model, value: 'gone at the end' }, { key: SETTINGS.models, value: { simple: model } }, { key: SETTINGS.model, value: undefined }]);
    listening.dispose();
    assert.ok(seen.length > 0 && seen.every((name) => name === 'Demo'), JSON.stringify(seen));
    assert.deepEqual([reader.written(SETTINGS.models), reader.written(SETTINGS.model)], [{ simple: model }, undefined]);
    assert.equal(configuration().inspect(SETTINGS.models)?.workspaceValue, undefined);
  });

  it('are seen by tools as they are now, but for what may hold a key', async () => {
    assert.equal(reader.config.get('subagents.maxTurns'), 50);
    await configuration().update(SETTINGS.maxTurns, 7, Global);
    assert.equal(reader.config.get('subagents.maxTurns'), 7);
    await configuration().update(SETTINGS.allow, ['Bash(curl -H "x-api-key: ghp_abcdefghijklmnopqrst1234":*)'], Global);
    assert.ok(!JSON.stringify(reader.config.get('subagents.permissions.allow')).includes('ghp_'));
    for (const key of ['subagents.mcpServers', 'maxTurns', 'editor.fontSize', 'subagents.nothing']) assert.equal(reader.config.get(key), undefined, key);
  });

  function nextChange(): Promise<unknown> {
    const heard = new EventTarget();
    const result = once(heard, 'change');
    const listening = reader.onDidChange(() => {
      listening.dispose();
      heard.dispatchEvent(new Event('change'));
    });
    return result;
  }
});
