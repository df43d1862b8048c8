import { withoutIcons } from '../../../host/messageText.ts';
import type { ServerView } from '../../../runtime/domain/mcp.ts';
import type { L10n } from '../../l10n.ts';
import type { TickChoice } from '../../models/dialog.ts';

/** Tools that only look. */
export const READING = ['Read', 'Glob', 'Grep'] as const;

/** The tools to tick, as a file names them: the built-in ones by what they do, then those of each server. */
export function toolChoices(servers: readonly ServerView[], l10n: L10n): readonly TickChoice<string>[] {
  const builtin = (group: string, names: readonly string[]): readonly TickChoice<string>[] => names.map((name) => ({ label: name, group, value: name }));
  return [
    ...builtin(l10n.t('Read files'), READING),
    ...builtin(l10n.t('Change files'), ['Edit', 'Write']),
    ...builtin(l10n.t('Run commands'), ['Bash', 'BashOutput', 'KillBackground']),
    ...builtin(l10n.t('Use the web'), ['WebFetch', 'WebSearch']),
    ...builtin(l10n.t('Other'), ['AskUser', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList']),
    ...servers.flatMap((server) => serverChoices(server, l10n)),
  ];
}

function serverChoices({ name, tools }: ServerView, l10n: L10n): readonly TickChoice<string>[] {
  const group = l10n.t('MCP server {0}', withoutIcons(name));
  const all: TickChoice<string> = { label: `${withoutIcons(name)}/*`, description: l10n.t('all that it offers'), group, value: `${name}/*` };
  return [all, ...tools.map((tool): TickChoice<string> => ({ label: withoutIcons(`${name}/${tool}`), group, value: `${name}/${tool}` }))];
}

/** What is ticked, without the single tools of a server of which all are. */
export function withoutDoubles(tools: readonly string[]): readonly string[] {
  const whole = tools.filter((tool) => tool.endsWith('/*')).map((tool) => tool.slice(0, -1));
  return tools.filter((tool) => tool.endsWith('/*') || !whole.some((prefix) => tool.startsWith(prefix)));
}
