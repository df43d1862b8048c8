import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { CHAT_COMMANDS, COMMANDS, COMMENT_CONTROLLER, LM_TOOLS, MODEL_VENDOR, PARTICIPANT, SETTINGS, SETTINGS_SECTION, VIEW_CONTAINER, VIEWS, ROW_COMMANDS } from '../../../src/ids.ts';
import { tasksSchema } from '../../../src/runtime/delegation/taskInput.ts';
import { THREAD_CONTEXTS } from '../../../src/ui/review/comments/threads.ts';

type Strings = Readonly<Record<string, string>>;
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string; readonly group?: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string; readonly default?: unknown; readonly markdownDescription?: string; readonly order?: number }>> };
    readonly chatParticipants: readonly { readonly id: string; readonly name: string; readonly commands: readonly { readonly name: string }[] }[];
    readonly languageModelTools: readonly { readonly name: string; readonly toolReferenceName: string; readonly canBeReferencedInPrompt: boolean; readonly modelDescription: string; readonly inputSchema: object }[];
    readonly languageModelChatProviders: readonly { readonly vendor: string; readonly managementCommand: string }[];
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

/** The commands in the context menu of a row, its inline ones among them. */
const itemsOn = (row: string) => (contributes.menus['view/item/context'] ?? []).filter((item) => new RegExp(/=~ \/(.*)\/$/.exec(item.when ?? '')?.[1] ?? '$^').test(row));
const menuOn = (row: string): readonly string[] => itemsOn(row).map((item) => item.command);
const inlineOn = (row: string): readonly string[] => itemsOn(row).filter((item) => item.group?.startsWith('inline') === true).map((item) => item.command);

/** Whether a `when` clause asks of the key for that value, by `==` or `=~`. */
function matches(when: string, key: string, value: string): boolean {
  const [, operator, wanted = ''] = new RegExp(`${key} (==|=~) (\\S+)`).exec(when) ?? [];
  return operator === '==' ? wanted === value : operator === '=~' && new RegExp(wanted.slice(1, -1)).test(value);
}

describe('the manifest', () => {
  it('has exactly the commands, views, settings and chat parts of the code', () => {
    assert.deepEqual(sorted(contributes.commands.map((command) => command.command)), sorted(Object.values(COMMANDS)));
    assert.deepEqual(contributes.views[VIEW_CONTAINER]?.map((view) => view.id), Object.values(VIEWS));
    assert.equal(contributes.viewsContainers.activitybar[0]?.id, VIEW_CONTAINER);
    assert.deepEqual(sorted(Object.keys(contributes.configuration.properties)), sorted(Object.values(SETTINGS).map((key) => `${SETTINGS_SECTION}.${key}`)));
    const [participant] = contributes.chatParticipants;
    assert.deepEqual([participant?.id, participant?.name, participant?.commands.map((command) => command.name)], [PARTICIPANT.id, PARTICIPANT.name, [...CHAT_COMMANDS]]);
    assert.deepEqual(contributes.languageModelChatProviders, [{ vendor: MODEL_VENDOR, displayName: 'Subagent Panel', managementCommand: COMMANDS.configureModels }]);
  });

  it('has the tools of the code, the tasks of one as those of the Agent tool', () => {
    const [delegate, status] = contributes.languageModelTools;
    assert.deepEqual([delegate?.name, delegate?.toolReferenceName, status?.name, status?.toolReferenceName], [LM_TOOLS.delegate, 'delegate', LM_TOOLS.status, 'subagentStatus']);
    const { properties, required } = delegate?.inputSchema as { readonly properties: Readonly<Record<string, unknown>>; readonly required: readonly string[] };
    assert.deepEqual([Object.keys(properties), required], [['tasks', 'folder'], ['tasks']]);
    // The tiers of the settings can't stand in a manifest, so that the word for models is another.
    const withoutModel = (schema: unknown): string => JSON.stringify(schema, (key, value: unknown) => (key === 'model' ? 'model' : value));
    assert.equal(withoutModel(properties['tasks']), withoutModel(tasksSchema(false)));
    for (const tool of contributes.languageModelTools) assert.ok(tool.canBeReferencedInPrompt && tool.modelDescription.length > 100, tool.name);
  });

  it('offers to delegate where that is possible: in a folder that is trusted', () => {
    const places = ['editor/context', 'scm/title', 'view/title'].flatMap((menu) => (contributes.menus[menu] ?? []).filter(({ command }) => [COMMANDS.delegate, COMMANDS.delegateSelection, COMMANDS.reviewUncommitted].some((one) => one === command)));
    assert.equal(places.length, 3);
    for (const { command, when } of places) assert.match(when ?? '', /workbenchState != empty && isWorkspaceTrusted/, command);
  });

  it('hides from the palette what needs an element', () => {
    const hidden = new Set(contributes.menus['commandPalette']?.filter((item) => item.when === 'false').map((item) => item.command));
    assert.deepEqual([...hidden].filter((command) => command !== COMMANDS.continueInBackground).sort(), [...ROW_COMMANDS].sort());
    const offered = Object.values(COMMANDS).filter((command) => !hidden.has(command));
    const { showPanel, showLog, reloadDefinitions, reviewDefinitions, newAgent, previewAgent, openAgentSettings, showMcpServers, forgetMcpInputs, showScheduledPrompts, setApiKey, configureModels, startExample, delegate, delegateSelection, fixProblem, reviewUncommitted, cancelAll, resumeInterrupted, sendMessage, retryTurn, redirect, reviewApprovals, showDecisions, reviewGroup } = COMMANDS;
    assert.deepEqual(sorted(offered), sorted([showPanel, showLog, reloadDefinitions, reviewDefinitions, newAgent, previewAgent, openAgentSettings, showMcpServers, forgetMcpInputs, showScheduledPrompts, setApiKey, configureModels, startExample, delegate, delegateSelection, fixProblem, reviewUncommitted, cancelAll, resumeInterrupted, sendMessage, retryTurn, redirect, reviewApprovals, showDecisions, reviewGroup]));
  });

  it('shows at most three inline actions on a row', () => {
    const states = ['queued', 'running', 'running+silent', 'running+approval', 'completed', 'completed+review', 'failed', 'cancelled', 'interrupted'];
    const rows = ['approval', 'question', 'file+open+decidable+undoable', 'file+accepted', ...states.flatMap((state) => [`child+${state}`, `child+${state}+changes`]), ...['running', 'running+approval', 'running+review', 'partial+review', 'completed', 'interrupted', 'interrupted+review', 'interrupted+approval+review', 'completed+review+changes'].map((state) => `group+${state}`)];
    for (const row of rows) {
      assert.ok(inlineOn(row).length <= 3, `${row}: ${inlineOn(row).join(', ')}`);
    }
    assert.deepEqual(inlineOn('approval'), [COMMANDS.allow, COMMANDS.deny, COMMANDS.moreDecisions]);
    assert.deepEqual(inlineOn('question'), [COMMANDS.answer, COMMANDS.dontAnswer, COMMANDS.moreDecisions]);
    assert.ok(!menuOn('question').includes(COMMANDS.allow) && !menuOn('approval').includes(COMMANDS.answer));
    assert.deepEqual(inlineOn('child+running+approval'), [COMMANDS.sendMessage, COMMANDS.cancelChild]);
    assert.deepEqual(inlineOn('child+completed+review'), [COMMANDS.openResult, COMMANDS.accept, COMMANDS.requestChanges]);
    assert.deepEqual(inlineOn('group+running'), [COMMANDS.cancelGroup]);
    assert.deepEqual(inlineOn('group+interrupted'), [COMMANDS.resume, COMMANDS.cancelGroup]);
    assert.deepEqual(inlineOn('child+interrupted'), [COMMANDS.resume, COMMANDS.cancelChild]);
    for (const state of ['failed', 'cancelled']) assert.deepEqual(inlineOn(`child+${state}`), [COMMANDS.openResult, COMMANDS.retry]);
  });

  it('shows on a row with changes how to open them, since a click opens the result', () => {
    assert.deepEqual(inlineOn('child+completed+review+changes').toSorted(), [COMMANDS.accept, COMMANDS.openChanges, COMMANDS.requestChanges]);
    assert.deepEqual(inlineOn('child+failed+refused+changes').toSorted(), [COMMANDS.openChanges, COMMANDS.retry]);
    assert.deepEqual(inlineOn('child+running+changes').toSorted(), [COMMANDS.cancelChild, COMMANDS.openChanges, COMMANDS.sendMessage]);
    for (const row of ['child+running+changes', 'childElsewhere+completed+changes', 'group+running+changes', 'groupElsewhere+completed+changes']) assert.ok(menuOn(row).includes(COMMANDS.openChanges), row);
    for (const row of ['child+completed', 'group+completed', 'file+open']) assert.ok(!menuOn(row).includes(COMMANDS.openChanges), row);
  });

  it('offers to decide on changes where something is left and nobody is at work', () => {
    for (const state of ['completed+review', 'failed', 'cancelled+refused', 'interrupted']) {
      for (const command of [COMMANDS.accept, COMMANDS.undo]) assert.ok(menuOn(`child+${state}+changes`).includes(command), `${command} on ${state}`);
    }
    for (const row of ['child+queued+changes', 'child+running+changes', 'child+failed', 'childElsewhere+completed+changes']) assert.ok(!menuOn(row).includes(COMMANDS.undo) && !menuOn(row).includes(COMMANDS.accept), row);
    assert.deepEqual(['group+running+changes', 'group+partial', 'group+partial+changes', 'group+interrupted+review+changes', 'groupElsewhere+completed+changes'].map((row) => menuOn(row).includes(COMMANDS.undoGroup)), [false, false, true, true, false]);
    const files = { 'file+open+decidable+undoable': [COMMANDS.acceptFile, COMMANDS.undoFile], 'file+open+decidable': [COMMANDS.acceptFile], 'file+open+decidable+unmergeable+undoable': [COMMANDS.undoFile], 'file+open': [], 'file+undone': [] };
    for (const [row, commands] of Object.entries(files)) assert.deepEqual(inlineOn(row), commands, row);
    for (const row of Object.keys(files)) assert.ok([COMMANDS.openDiff, COMMANDS.openChangedFile].every((command) => menuOn(row).includes(command)), row);
  });

  it('offers for what has ended or was interrupted to go on with further words, and for nothing else', () => {
    for (const state of ['interrupted', 'completed', 'completed+review', 'failed', 'cancelled']) assert.ok(menuOn(`child+${state}`).includes(COMMANDS.resumeWith), state);
    for (const row of ['child+queued', 'child+running', 'child+running+approval', 'group+interrupted']) assert.ok(!menuOn(row).includes(COMMANDS.resumeWith), row);
  });

  it('offers to steer what is at work, and to try again first where it seems stuck', () => {
    const { sendMessage, retryTurn, redirect, cancelChild } = COMMANDS;
    const steering = (row: string): readonly string[] => sorted(new Set(menuOn(row))).filter((command) => [sendMessage, retryTurn, redirect].some((one) => one === command));
    for (const row of ['child+running', 'child+running+approval', 'child+running+silent+changes', 'task+in_progress+child-running', 'task+review+child-running+changes']) assert.deepEqual(steering(row), sorted([sendMessage, retryTurn, redirect]), row);
    for (const row of ['child+queued', 'task+pending+child-queued']) assert.deepEqual(steering(row), [sendMessage], row);
    for (const row of ['child+completed', 'child+interrupted', 'childElsewhere+running', 'group+running', 'task+in_progress+own', 'taskElsewhere+in_progress+child-running']) assert.deepEqual(steering(row), [], row);
    assert.deepEqual(inlineOn('child+running+silent'), [retryTurn, sendMessage, cancelChild]);
  });

  it('offers on the row of a task what can be done to it and to its subagent', () => {
    const { openChanges, openResult, openTranscript, accept, requestChanges, resume, retry, cancelChild, resumeWith } = COMMANDS;
    assert.deepEqual(inlineOn('task+review+child-completed'), [openResult, accept, requestChanges]);
    assert.deepEqual(inlineOn('task+review+own'), [accept]);
    assert.deepEqual(inlineOn('task+review+lost'), [accept]);
    assert.deepEqual(inlineOn('task+review+child-queued'), [cancelChild], 'it goes on, so nothing is accepted');
    for (const status of ['failed', 'cancelled']) assert.deepEqual(inlineOn(`task+${status}+child-${status}`), [retry]);
    for (const row of ['task+pending+child-queued', 'task+in_progress+child-running', 'task+failed+child-running']) assert.deepEqual(inlineOn(row), [cancelChild]);
    assert.deepEqual(inlineOn('task+in_progress+child-interrupted'), [resume, cancelChild]);
    for (const row of ['task+pending+own', 'task+in_progress+own', 'task+failed+lost', 'status+review', 'status+failed']) assert.deepEqual(menuOn(row), [], row);
    assert.ok(menuOn('task+completed+child-completed').includes(resumeWith));
    const rows = ['pending', 'in_progress', 'review', 'failed', 'cancelled', 'completed'].flatMap((status) => ['queued', 'running', 'interrupted', 'completed', 'failed', 'cancelled'].map((child) => `${status}+child-${child}`));
    for (const row of rows) assert.ok(inlineOn(`task+${row}+changes`).length <= 3, row);
    assert.deepEqual(sorted(new Set(rows.flatMap((row) => menuOn(`taskElsewhere+${row}+changes`)))), sorted([openChanges, openResult, openTranscript]));
  });

  it('offers on the row of a definition what can be done to it', () => {
    const { runDefinition, copyDefinition, approveDefinition, openDefinition, revealDefinition, revealDefinitionInOs, deleteDefinition } = COMMANDS;
    assert.deepEqual(inlineOn('definition+active+bundled'), [runDefinition, copyDefinition]);
    assert.deepEqual(inlineOn('definition+active+builtin'), [runDefinition, copyDefinition]);
    assert.deepEqual(inlineOn('definition+active+project+file'), [runDefinition]);
    assert.deepEqual(inlineOn('definition+unapproved+claude_project+file'), [approveDefinition, copyDefinition]);
    assert.deepEqual(inlineOn('definition+shadowed+user+file'), [copyDefinition]);
    assert.deepEqual(inlineOn('definition+refused+user+file'), []);
    for (const row of ['active+bundled', 'active+builtin', 'active+code']) assert.deepEqual(menuOn(`definition+${row}`).filter((command) => [revealDefinition, revealDefinitionInOs, deleteDefinition].some((one) => one === command)), [], row);
    for (const row of ['refused+user+file', 'active+project+file', 'unapproved+github_project+file', 'shadowed+directory+file']) {
      for (const command of [openDefinition, revealDefinitionInOs, deleteDefinition]) assert.ok(menuOn(`definition+${row}`).includes(command), `${command} on ${row}`);
      assert.equal(menuOn(`definition+${row}`).includes(revealDefinition), row.includes('project'), row);
    }
    for (const [status, isOffered] of Object.entries({ active: true, unapproved: true, shadowed: false, refused: false })) assert.equal(menuOn(`definition+${status}+user+file`).includes(COMMANDS.previewAgent), isOffered, status);
    for (const row of ['source+project', 'source+bundled']) assert.deepEqual(menuOn(row), []);
    const rules = (contributes.menus['view/item/context'] ?? []).filter(({ command }) => [runDefinition, copyDefinition, approveDefinition].some((one) => one === command));
    assert.ok(rules.every(({ when }) => when?.includes('isWorkspaceTrusted') === true), 'not in Restricted Mode');
  });

  it('offers to request changes of what has ended, and of nothing else', () => {
    for (const state of ['completed', 'completed+review', 'failed', 'cancelled']) assert.ok(menuOn(`child+${state}`).includes(COMMANDS.requestChanges), state);
    for (const row of ['child+queued', 'child+running', 'child+interrupted', 'childElsewhere+completed', 'group+completed+review']) assert.ok(!menuOn(row).includes(COMMANDS.requestChanges), row);
  });

  it('offers on a thread beside a file what can be done there', () => {
    const on = (menu: string, key: 'commentThread' | 'comment', value: string): readonly string[] => (contributes.menus[menu] ?? []).filter((item) => matches(item.when ?? '', key, value)).map((item) => item.command);
    assert.deepEqual(on('comments/commentThread/title', 'commentThread', THREAD_CONTEXTS.hunk), [COMMANDS.acceptHunk, COMMANDS.undoHunk]);
    assert.deepEqual(on('comments/commentThread/title', 'commentThread', THREAD_CONTEXTS.conflict), [COMMANDS.acceptHunk]);
    assert.deepEqual(on('comments/commentThread/title', 'commentThread', THREAD_CONTEXTS.draft), [COMMANDS.sendComments]);
    assert.deepEqual(on('comments/commentThread/title', 'commentThread', THREAD_CONTEXTS.request), []);
    assert.deepEqual(on('comments/comment/title', 'comment', 'draft'), [COMMANDS.editComment, COMMANDS.deleteComment]);
    assert.deepEqual(on('comments/comment/context', 'comment', 'draft'), [COMMANDS.saveComment, COMMANDS.cancelComment]);
    for (const menu of Object.keys(contributes.menus).filter((name) => name.startsWith('comments/'))) {
      for (const item of contributes.menus[menu] ?? []) assert.ok(item.when?.includes(`commentController == ${COMMENT_CONTROLLER}`), item.command);
    }
  });

  it('offers to allow a refused call once where there is one', () => {
    for (const state of ['running+refused', 'running+approval+refused', 'completed+review+refused', 'interrupted+refused']) assert.ok(menuOn(`child+${state}`).includes(COMMANDS.allowOnce), state);
    for (const row of ['child+completed', 'child+running+approval', 'group+completed', 'childElsewhere+completed']) assert.ok(!menuOn(row).includes(COMMANDS.allowOnce), row);
  });

  it('offers nothing but opening for what another window runs', () => {
    const states = ['queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted', 'partial'];
    const offered = states.flatMap((state) => [...menuOn(`childElsewhere+${state}`), ...menuOn(`groupElsewhere+${state}`), ...menuOn(`childElsewhere+${state}+changes`), ...menuOn(`groupElsewhere+${state}+changes`)]);
    assert.deepEqual(sorted(new Set(offered)), sorted([COMMANDS.openResult, COMMANDS.openTranscript, COMMANDS.openChanges]));
  });

  it('documents every setting and guards those that can loosen', () => {
    for (const [key, setting] of Object.entries(contributes.configuration.properties)) {
      assert.ok(setting.markdownDescription !== undefined && setting.default !== undefined && setting.order !== undefined, key);
    }
    for (const key of [SETTINGS.allow, SETTINGS.subagentPermission, SETTINGS.permissionMode, SETTINGS.keepEnvironment, SETTINGS.dropEnvironment, SETTINGS.agentsDirectory, SETTINGS.provider, SETTINGS.model, SETTINGS.baseUrl, SETTINGS.api, SETTINGS.contextWindow, SETTINGS.price, SETTINGS.models, SETTINGS.defaultModel, SETTINGS.budgetTokens, SETTINGS.budgetCost, SETTINGS.agentsInterop, SETTINGS.mcpServers, SETTINGS.skillsDirectory]) {
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
