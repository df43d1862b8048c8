import type { FieldName, PermissionKey } from '../../../runtime/definitions/fieldTable.ts';
import type { L10n } from '../../l10n.ts';

/** What each field does, and what holds without it. */
export function fieldWords(l10n: L10n): Readonly<Record<FieldName, string>> {
  return {
    name: l10n.t('What the agent is called. Without it: the file’s name.'),
    description: l10n.t('When to use this agent. The model reads it to choose one, so it must be there.'),
    tools: l10n.t('The tools that it may use: names of tools, `server/*` for all of an MCP server, `server/tool` for one. `[]` means none. Without it: all that its parent has built in.'),
    disallowedTools: l10n.t('Tools that it must not use, whatever else gives them to it.'),
    readOnly: l10n.t('With `true` it has only tools that read, and of the shell only commands that are known to only read. Without it: `false`.'),
    model: l10n.t('The model that it runs on: a configured tier, or `inherit`. Without configured tiers also the id of a model of the same provider. Without it: the model of whoever delegates.'),
    effort: l10n.t('How hard its model thinks. Without it: as the model is configured.'),
    maxTurns: l10n.t('The most model turns that a run may take. Without it: the setting `subagents.maxTurns`.'),
    maxDuration: l10n.t('The longest that a run may work, such as `90s`, `15m` or `2h`. Waiting for you doesn’t count. Without it: no limit but that of the settings.'),
    skills: l10n.t('The skills that it may load, by name. Without it: none.'),
    mcpServers: l10n.t('The MCP servers whose tools it has: names of configured ones, or a map that says how one is reached. Without it: none but those that `tools` names.'),
    permission: l10n.t('Rules that only tighten what the settings allow, and whether it may ask you.'),
    resultSchema: l10n.t('A JSON Schema that its final answer must fit. Without it: any text.'),
    isolation: l10n.t('With `worktree` each of its subagents works in a git worktree of its own, and what it changed there is merged when you accept it. Without it: in the folder of its group.'),
    color: l10n.t('The colour of its rows. Without it: the theme’s.'),
    delegable: l10n.t('With `false` the model doesn’t see it, and only people start it. Without it: `true`.'),
    'disable-model-invocation': l10n.t('Another product’s word: `true` means the same as `delegable: false`.'),
  };
}

/** What each part of `permission` does. */
export function permissionWords(l10n: L10n): Readonly<Record<PermissionKey, string>> {
  return {
    allow: l10n.t('Rules for what may run without asking, as far as the settings allow it too. What matches none of them asks.'),
    ask: l10n.t('Rules for what asks first.'),
    deny: l10n.t('Rules for what is refused.'),
    onAsk: l10n.t('`ask`: it may ask you. `deny`: whatever would ask is refused, so that it never waits for anybody.'),
  };
}
