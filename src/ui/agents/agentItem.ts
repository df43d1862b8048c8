import { basename } from 'node:path';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { AgentDefinition, DefinitionDiagnostic, DefinitionSource, FoundDefinition, ServerUse } from '../../runtime/domain/definitions.ts';
import type { AgentPermission } from '../../runtime/domain/permissions.ts';
import type { L10n } from '../l10n.ts';
import { AGENT_THEME_COLORS, COLORS, joined, type Icon, type Row, type TooltipLine } from '../tree/presentation.ts';
import { duration } from '../words.ts';
import { sourceLabel } from './sourceWords.ts';

/** So that what stands beside it stays in sight in the usual width of a side bar; the tooltip has all of it. */
const MAX_NAME = 36;
const MAX_DESCRIPTION = 120;
const MAX_VALUE = 400;

/** The row of a source, which holds its definitions. */
export function sourceRow(source: DefinitionSource, found: readonly FoundDefinition[], l10n: L10n): Row {
  const label = sourceLabel(source, l10n);
  const all = found.filter((one) => one.source === source);
  const troubled = all.filter((one) => problemsOf(one).length > 0).length;
  const description = joined(String(all.length), troubled === 0 ? undefined : l10n.t('with problems: {0}', troubled));
  return { label, description, icon: SOURCE_ICONS[source], contextValue: `source+${source}`, spoken: l10n.t('{0}, {1}', label, description) };
}

export function definitionRow(found: FoundDefinition, l10n: L10n): Row {
  const label = truncate(oneLine(found.name), MAX_NAME);
  const description = definitionDescription(found, l10n);
  return { label, description, icon: definitionIcon(found), contextValue: contextValue(found), spoken: [label, ...(description === '' ? [] : [description])].join(', ') };
}

/** What keeps it from being used, or else what it is for. */
export function definitionDescription(found: FoundDefinition, l10n: L10n): string {
  const problems = problemsOf(found);
  switch (found.status) {
    case 'refused':
      return l10n.t('not loaded: {0}', truncate(reasonOf(problems), MAX_DESCRIPTION));
    case 'shadowed':
      return joined(shadowWords(found.source, found.by, l10n), problemWords(problems, l10n));
    case 'unapproved':
      return joined(l10n.t('not yet approved'), problemWords(problems, l10n));
    case 'active':
      return joined(problemWords(problems, l10n), truncate(oneLine(found.definition.description), MAX_DESCRIPTION));
  }
}

export function definitionTooltip(found: FoundDefinition, l10n: L10n): readonly TooltipLine[] {
  const lines: readonly TooltipLine[] = [
    { name: l10n.t('Source'), value: joined(sourceLabel(found.source, l10n), statusWords(found, l10n)) },
    ...(found.status === 'refused' ? [] : definitionLines(found.definition, l10n)),
    { name: l10n.t('File'), value: found.path ?? '' },
    { name: l10n.t('Problems'), value: truncate(problemsOf(found).map(({ message, line }) => l10n.t('line {0}: {1}', line, oneLine(message))).join(' · '), MAX_VALUE) },
  ];
  return lines.filter(({ value }) => value !== '');
}

function definitionLines(definition: AgentDefinition, l10n: L10n): readonly TooltipLine[] {
  const { description, model = 'inherit', effort, permission, skills = [], servers = [], maxTurns, maxDurationMs, isolation, delegable } = definition;
  return [
    { name: l10n.t('Description'), value: truncate(oneLine(description), MAX_VALUE) },
    { name: l10n.t('Tools'), value: truncate(toolWords(definition, l10n), MAX_VALUE) },
    { name: l10n.t('Model'), value: joined(model === 'inherit' ? l10n.t('that of the chat') : model, effort) },
    { name: l10n.t('Permissions'), value: truncate(permissionWords(permission), MAX_VALUE) },
    { name: l10n.t('Skills'), value: skills.join(', ') },
    { name: l10n.t('MCP servers'), value: servers.map(({ server }) => server).join(', ') },
    { name: l10n.t('Turns'), value: maxTurns === undefined ? '' : l10n.t('at most {0}', maxTurns) },
    { name: l10n.t('Time'), value: maxDurationMs === undefined ? '' : l10n.t('at most {0}', duration(maxDurationMs, l10n)) },
    { name: l10n.t('Folder'), value: isolation === undefined ? '' : l10n.t('a git worktree of its own') },
    { name: l10n.t('Chat'), value: delegable ? '' : l10n.t('doesn’t know of it; only people pick it') },
  ];
}

/** `Read, Bash, docs/*`: what its lists come to, by the names that the tools have here. */
function toolWords({ tools, servers = [], disallowedTools, readOnly }: AgentDefinition, l10n: L10n): string {
  const builtins = tools === 'inherit' ? [l10n.t('all inherited tools')] : tools.filter((name) => !disallowedTools.includes(name));
  const named = [...builtins, ...servers.flatMap(serverTools)];
  const without = tools === 'inherit' ? disallowedTools : disallowedTools.filter((name) => name.startsWith('mcp__'));
  return joined(named.length === 0 ? l10n.t('none') : named.join(', '), without.length === 0 ? undefined : l10n.t('without {0}', without.join(', ')), readOnly === true ? l10n.t('only what reads') : undefined);
}

function serverTools({ server, tools }: ServerUse): readonly string[] {
  return (tools === 'all' ? ['*'] : tools).map((tool) => `${server}/${tool}`);
}

/** As a file has it: rules and their lists are the same in every language. */
function permissionWords(permission: AgentPermission = {}): string {
  const { deny = [], ask = [], allow = [], onAsk } = permission;
  const lists = Object.entries({ deny, ask, allow }).flatMap(([name, rules]) => (rules.length === 0 ? [] : [`${name}: ${rules.join(', ')}`]));
  return joined(...lists, onAsk === undefined ? undefined : `onAsk: ${onAsk}`);
}

function statusWords(found: FoundDefinition, l10n: L10n): string | undefined {
  switch (found.status) {
    case 'active':
      return undefined;
    case 'refused':
      return l10n.t('not loaded');
    case 'shadowed':
      return shadowWords(found.source, found.by, l10n);
    case 'unapproved':
      return l10n.t('not yet approved');
  }
}

/** Of two in one folder the file is what tells them apart. */
function shadowWords(source: DefinitionSource, { source: winner, path }: AgentDefinition, l10n: L10n): string {
  return l10n.t('shadowed by {0}', winner === source && path !== undefined ? basename(path) : sourceLabel(winner, l10n));
}

function problemWords({ length }: readonly DefinitionDiagnostic[], l10n: L10n): string | undefined {
  if (length === 0) return undefined;
  return length === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', length);
}

/** What somebody may want to mend: informations tell what was done about a file. That another file is used instead is said anyway. */
function problemsOf({ diagnostics }: FoundDefinition): readonly DefinitionDiagnostic[] {
  return diagnostics.filter(({ severity, code }) => severity !== 'information' && code !== 'duplicate');
}

function reasonOf(problems: readonly DefinitionDiagnostic[]): string {
  return oneLine((problems.find(({ severity }) => severity === 'error') ?? problems[0])?.message ?? '');
}

const SOURCE_ICONS: Readonly<Record<DefinitionSource, Icon>> = {
  code: { id: 'code' },
  directory: { id: 'folder' },
  project: { id: 'root-folder' },
  github_project: { id: 'root-folder' },
  claude_project: { id: 'root-folder' },
  user: { id: 'account' },
  claude_user: { id: 'account' },
  bundled: { id: 'package' },
  builtin: { id: 'package' },
};

function definitionIcon(found: FoundDefinition): Icon {
  switch (found.status) {
    case 'refused':
      return { id: 'error', color: COLORS.bad };
    case 'shadowed':
      return { id: 'eye-closed', color: COLORS.quiet };
    case 'unapproved':
      return { id: 'shield', color: COLORS.warn };
    case 'active': {
      const { color } = found.definition;
      if (problemsOf(found).length > 0) return { id: 'warning', color: COLORS.warn };
      return { id: 'hubot', ...(color !== undefined && { color: AGENT_THEME_COLORS[color] }) };
    }
  }
}

/** What menus match: `definition+active+project+file`. `file`: one of a folder that is the person's. */
function contextValue({ status, source, path }: FoundDefinition): string {
  return ['definition', status, source, ...(path !== undefined && source !== 'bundled' ? ['file'] : [])].join('+');
}
