import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { DroppedName, EffectiveChild, EffectiveTool, ToolOrigin, WaitingTool } from '../../runtime/domain/effectiveAgent.ts';
import type { L10n } from '../l10n.ts';
import { escaped, fenced } from '../review/markdown.ts';
import { toolWords } from '../toolWords.ts';

const MAX_DESCRIPTION = 160;

/** Which tools it has and where they come from, which wait, and which it lacks and why. */
export function toolSection({ tools, waiting, dropped }: EffectiveChild, l10n: L10n): readonly string[] {
  return [
    `## ${l10n.t('Tools')}`,
    tools.length === 0 ? l10n.t('None.') : table([l10n.t('Tool'), l10n.t('Where from'), l10n.t('What it does')], tools.map((tool) => [toolWords(tool.name), originWords(tool.origin, l10n), firstWords(tool)])),
    ...(waiting.length === 0 ? [] : [
      l10n.t('These wait until it takes them into use:'),
      table([l10n.t('Tool'), l10n.t('Where from'), l10n.t('Taken into use')], waiting.map((tool) => [toolWords(tool.name), originWords(tool.origin, l10n), useWords(tool, l10n)])),
    ]),
    ...(dropped.length === 0 ? [] : [l10n.t('These it does not have:'), droppedList(dropped, l10n)]),
  ];
}

/** What the model is told of the tools that its first request carries. */
export function schemaSection({ tools }: EffectiveChild, l10n: L10n): readonly string[] {
  if (tools.length === 0) return [];
  return [`## ${l10n.t('What the model is told of its tools')}`, ...tools.flatMap(({ name, description, inputSchema }) => [`### ${escaped(name)}`, fenced(description, 'text'), fenced(JSON.stringify(inputSchema, undefined, 2), 'json')])];
}

function droppedList(dropped: readonly DroppedName[], l10n: L10n): string {
  const byReason = Map.groupBy(dropped, ({ why }) => why);
  return [...byReason].map(([why, names]) => `- ${l10n.t('{0}: {1}', reasonWords(why, l10n), escaped(names.map(({ name }) => toolWords(name)).join(', ')))}`).join('\n');
}

function reasonWords(why: DroppedName['why'], l10n: L10n): string {
  switch (why) {
    case 'parent_lists':
      return l10n.t('taken away by the lists of the agent that delegates');
    case 'not_allowed':
      return l10n.t('not in its list of tools');
    case 'denied':
      return l10n.t('taken away by its disallowedTools');
    case 'delegates':
      return l10n.t('no subagent can delegate');
    case 'never_asks':
      return l10n.t('it asks nobody');
    case 'only_reads':
      return l10n.t('it only reads, and these can change something');
    case 'replaced':
      return l10n.t('another tool of the same name is taken');
    case 'alone':
      return l10n.t('of no use without the tool that they come with');
    case 'idle':
      return l10n.t('it has nothing for them to do');
    case 'unknown':
      return l10n.t('named, but not available here');
  }
}

function originWords(origin: ToolOrigin, l10n: L10n): string {
  switch (origin.kind) {
    case 'builtin':
      return l10n.t('built in');
    case 'host':
      return l10n.t('the program, for all agents');
    case 'own':
      return l10n.t('its definition in code');
    case 'skill':
      return l10n.t('its skills');
    case 'server':
      return origin.server === undefined ? l10n.t('an MCP server') : l10n.t('MCP server {0}', origin.server);
  }
}

function useWords({ comesWith }: WaitingTool, l10n: L10n): string {
  return comesWith === undefined ? l10n.t('found with {0}', 'FindTool') : l10n.t('by a call of {0}', comesWith);
}

function firstWords({ description }: EffectiveTool): string {
  const text = oneLine(description);
  return truncate(/^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text, MAX_DESCRIPTION);
}

/** A table of plain texts. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows.map((row) => row.map((cell) => escaped(oneLine(cell))))].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
