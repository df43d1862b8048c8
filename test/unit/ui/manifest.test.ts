import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { CHAT_COMMANDS, COMMANDS, MODEL_VENDOR, PARTICIPANT, SETTINGS, SETTINGS_SECTION, VIEW_CONTAINER, VIEWS, ROW_COMMANDS } from '../../../src/ids.ts';

type Strings = Readonly<Record<string, string>>;
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string; readonly group?: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string; readonly default?: unknown; readonly markdownDescription?: string; readonly order?: number }>> };
    readonly chatParticipants: readonly { readonly id: string; readonly name: string; readonly commands: readonly { readonly name: string }[] }[];
    readonly languageModelChatProviders: readonly { readonly vendor: string }[];
  };
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Strings;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
}

const root = new URL('../../../', import.meta.url);
const read = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, root), 'utf8')) as T;
const text = readFileSync(new URL('package.json', root), 'utf8');
const manifest = read<Manifest>('package.json');
const { contributes } = manifest;
const sorted = (items: Iterable<string>): readonly string[] => [...items].sort();

describe('the manifest', () => {
  it('has exactly the commands, views, settings and chat parts of the code', () => {
    assert.deepEqual(sorted(contributes.commands.map((command) => command.command)), sorted(Object.values(COMMANDS)));
    assert.deepEqual(contributes.views[VIEW_CONTAINER]?.map((view) => view.id), Object.values(VIEWS));
    assert.equal(contributes.viewsContainers.activitybar[0]?.id, VIEW_CONTAINER);
    assert.deepEqual(sorted(Object.keys(contributes.configuration.properties)), sorted(Object.values(SETTINGS).map((key) => `${SETTINGS_SECTION}.${key}`)));
    const [participant] = contributes.chatParticipants;
    assert.deepEqual([participant?.id, participant?.name, participant?.commands.map((command) => command.name)], [PARTICIPANT.id, PARTICIPANT.name, [...CHAT_COMMANDS]]);
    assert.equal(contributes.languageModelChatProviders[0]?.vendor, MODEL_VENDOR);
  });

  it('hides from the palette what needs an element', () => {
    const hidden = new Set(contributes.menus['commandPalette']?.filter((item) => item.when === 'false').map((item) => item.command));
    assert.deepEqual([...hidden].filter((command) => command !== COMMANDS.continueInBackground).sort(), [...ROW_COMMANDS].sort());
    const offered = Object.values(COMMANDS).filter((command) => !hidden.has(command));
    const { showPanel, showLog, reloadDefinitions, startExample, cancelAll, reviewApprovals, reviewGroup } = COMMANDS;
    assert.deepEqual(sorted(offered), sorted([showPanel, showLog, reloadDefinitions, startExample, cancelAll, reviewApprovals, reviewGroup]));
  });

  it('shows at most three inline actions on a row', () => {
    const inline = (contributes.menus['view/item/context'] ?? []).filter((item) => item.group?.startsWith('inline') === true);
    const rows = ['approval', ...['queued', 'running', 'running+approval', 'completed', 'completed+review', 'failed', 'cancelled', 'interrupted'].map((state) => `child+${state}`), ...['running', 'running+approval', 'running+review', 'partial+review', 'completed', 'interrupted'].map((state) => `group+${state}`)];
    for (const row of rows) {
      const shown = inline.filter((item) => new RegExp(/=~ \/(.*)\/$/.exec(item.when ?? '')?.[1] ?? '$^').test(row));
      assert.ok(shown.length <= 3, `${row}: ${shown.map((item) => item.command).join(', ')}`);
    }
    const on = (row: string): readonly string[] => inline.filter((item) => new RegExp(/=~ \/(.*)\/$/.exec(item.when ?? '')?.[1] ?? '$^').test(row)).map((item) => item.command);
    assert.deepEqual(on('approval'), [COMMANDS.allow, COMMANDS.deny, COMMANDS.moreDecisions]);
    assert.deepEqual(on('child+running+approval'), [COMMANDS.cancelChild]);
    assert.deepEqual(on('child+completed+review'), [COMMANDS.openResult, COMMANDS.accept]);
    assert.deepEqual(on('group+running'), [COMMANDS.cancelGroup]);
  });

  it('documents every setting and guards those that can loosen', () => {
    for (const [key, setting] of Object.entries(contributes.configuration.properties)) {
      assert.ok(setting.markdownDescription !== undefined && setting.default !== undefined && setting.order !== undefined, key);
    }
    for (const key of [SETTINGS.allow, SETTINGS.subagentPermission, SETTINGS.permissionMode, SETTINGS.keepEnvironment, SETTINGS.dropEnvironment, SETTINGS.agentsDirectory]) {
      const id = `${SETTINGS_SECTION}.${key}`;
      assert.equal(contributes.configuration.properties[id]?.scope, 'machine', id);
      assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(id), id);
    }
  });

  it('uses stable API of its own engine only', () => {
    assert.equal(text.includes('enabledApiProposals'), false);
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  });
});

describe('the translations', () => {
  const english = read<Strings>('package.nls.json');
  const chinese = read<Strings>('package.nls.zh-cn.json');
  const bundle = read<Strings>('l10n/bundle.l10n.zh-cn.json');

  it('have every string of the manifest, and no other', () => {
    const used = new Set([...text.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? ''));
    assert.deepEqual(sorted(Object.keys(english)), sorted(used));
    assert.deepEqual(sorted(Object.keys(chinese)), sorted(used));
  });

  it('have every string of the code, and no other', () => {
    const sources = globSync('src/**/*.ts', { cwd: root }).map((path) => readFileSync(new URL(path, root), 'utf8')).join('\n');
    const used = new Set([...sources.matchAll(/l10n\.t\(\s*'((?:[^'\\]|\\.)*)'/g)].map((match) => (match[1] ?? '').replaceAll("\\'", "'")));
    assert.deepEqual(sorted(Object.keys(bundle)), sorted(used));
  });

  it('keep every placeholder', () => {
    const places = (string: string): readonly string[] => sorted(new Set(string.match(/\{\d+\}/g) ?? []));
    for (const [key, value] of Object.entries(bundle)) assert.deepEqual(places(value), places(key), key);
  });
});
