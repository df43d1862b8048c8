import { oneLine } from '../../runtime/base/text.ts';
import type { EffectiveAgent, EffectiveChild, EffectiveServer } from '../../runtime/domain/effectiveAgent.ts';
import { sourceLabel } from '../agents/sourceWords.ts';
import type { L10n } from '../l10n.ts';
import { escaped, fenced } from '../review/markdown.ts';
import { joined } from '../tree/presentation.ts';
import { duration } from '../words.ts';
import { permissionSection } from './permissionText.ts';
import { schemaSection, toolSection } from './toolText.ts';

/** What the preview's text is made with besides the agent. */
export interface PreviewContext {
  readonly l10n: L10n;
  /** A BCP 47 tag. */
  readonly locale: string;
  /** Its file is open with changes that aren't saved. */
  readonly isDirty: boolean;
  /** False: Restricted Mode. */
  readonly isTrusted: boolean;
  /** The file that was asked for, where another one counts instead of it. */
  readonly shadowed?: string;
  /** A path as people read it. */
  readonly place: (path: string) => string;
}

/** What would really run, as Markdown for the preview. Nothing that a file or a server wrote is markup. */
export function previewText(agent: EffectiveAgent, context: PreviewContext): string {
  const { l10n } = context;
  const { child } = agent;
  return [
    `# ${escaped(oneLine(agent.name))}`,
    ...warnings(agent, context).map((text) => `> ${text}`),
    escaped(oneLine(agent.description)),
    factsTable(agent, context),
    ...(child === undefined ? [] : [
      `## ${l10n.t('System prompt')}`,
      l10n.t('What the definition says comes first; the rest is added for every subagent.'),
      fenced(child.system, 'text'),
      ...toolSection(child, l10n),
      ...permissionSection(child, l10n),
      ...(child.resultSchema === undefined ? [] : [`## ${l10n.t('Form of the answer')}`, fenced(JSON.stringify(child.resultSchema, undefined, 2), 'json')]),
    ]),
    ...notesSection(agent, l10n),
    ...(child === undefined ? [] : schemaSection(child, l10n)),
    '',
  ].join('\n\n');
}

/** What one should know before reading on. */
function warnings({ isApproved, problems }: EffectiveAgent, { l10n, isDirty, isTrusted, shadowed, place }: PreviewContext): readonly string[] {
  return [
    ...(isDirty ? [`**${l10n.t('Its file has changes that are not saved. This is what the saved file gives, and what would run.')}**`] : []),
    ...(shadowed === undefined ? [] : [`**${l10n.t('The name means another definition than that in {0}: this is the one that would run.', escaped(place(shadowed)))}**`]),
    ...(isApproved ? [] : [`**${l10n.t('Not yet approved: it is refused until you have looked at its file and approved it.')}**`]),
    ...(isTrusted ? [] : [l10n.t('Restricted Mode: nothing runs here, and no MCP server was asked.')]),
    ...problems.map((problem) => `**${l10n.t('It would not start:')}** ${escaped(oneLine(problem))}`),
  ];
}

type Fact = readonly [name: string, value: string, from?: string];

function factsTable(agent: EffectiveAgent, context: PreviewContext): string {
  const { l10n, place } = context;
  const facts: readonly Fact[] = [
    ...(agent.child === undefined ? [] : childFacts(agent.child, context)),
    [l10n.t('Chat'), agent.delegable ? l10n.t('may pick it') : l10n.t('doesn’t know of it; only people pick it')],
    [l10n.t('Definition'), agent.path === undefined ? '' : place(agent.path), sourceLabel(agent.source, l10n)],
    // As much of it as tells two versions apart.
    [l10n.t('SHA-256 of the file'), agent.hash?.slice(0, 12) ?? ''],
  ];
  const rows = facts.filter(([, value, from]) => value !== '' || from !== undefined).map(([name, value, from = '']) => [name, value, from].map((cell) => escaped(oneLine(cell))));
  return [['', l10n.t('What it runs with'), l10n.t('Where from')], ['---', '---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function childFacts(child: EffectiveChild, { l10n, locale, place }: PreviewContext): readonly Fact[] {
  const { model, worktree, tools, waiting, skills, servers } = child;
  const count = (value: number): string => value.toLocaleString(locale);
  return [
    [l10n.t('Model'), joined(model.displayName, model.displayName === model.model ? undefined : model.model, model.provider, model.baseUrl), modelFrom(child, l10n)],
    ...(child.effortFrom === undefined ? [] : [[l10n.t('Effort'), model.reasoningEffort ?? '', child.effortFrom === 'definition' ? l10n.t('definition') : l10n.t('its model')] as const]),
    [l10n.t('Answer'), l10n.t('at most {0} of {1} tokens', count(child.maxOutputTokens), count(child.contextWindow)), l10n.t('its model')],
    [l10n.t('Turns'), l10n.t('at most {0}', child.maxTurns), originWords(child.maxTurnsFrom, l10n)],
    [l10n.t('Time'), child.maxDurationMs === 0 ? l10n.t('no limit') : l10n.t('at most {0}', duration(child.maxDurationMs, l10n)), originWords(child.maxDurationFrom, l10n)],
    worktree === undefined ? [l10n.t('Folder'), place(child.cwd)] : [l10n.t('Folder'), l10n.t('a git worktree of its own, from {0}', worktree.branch ?? worktree.base.slice(0, 7)), l10n.t('definition')],
    [l10n.t('Tools'), waiting.length === 0 ? String(tools.length) : l10n.t('{0}, and {1} that it can take into use', tools.length, waiting.length)],
    ...(skills.length === 0 ? [] : [[l10n.t('Skills'), skills.map(({ name }) => name).join(', '), l10n.t('definition')] as const]),
    ...servers.map((server): Fact => [l10n.t('MCP server {0}', server.server), serverWords(server, l10n), server.isOwn ? l10n.t('definition') : l10n.t('settings')]),
  ];
}

function modelFrom({ modelFrom: from, model }: EffectiveChild, l10n: L10n): string {
  const tier = model.tier === undefined ? undefined : l10n.t('tier {0}', model.tier);
  switch (from) {
    case 'task':
      return joined(l10n.t('the task'), tier);
    case 'definition':
      return joined(l10n.t('definition'), tier);
    case 'tier':
      return joined(l10n.t('inherited'), tier);
    case 'root':
      return l10n.t('inherited');
  }
}

function originWords(from: 'definition' | 'settings', l10n: L10n): string {
  return from === 'definition' ? l10n.t('definition') : l10n.t('settings');
}

function serverWords({ status, tools, missing, error }: EffectiveServer, l10n: L10n): string {
  switch (status) {
    case 'ready':
      return joined(tools.length === 1 ? l10n.t('ready, 1 tool') : l10n.t('ready, {0} tools', tools.length), missing.length === 0 ? undefined : l10n.t('doesn’t list {0}', missing.join(', ')), error);
    case 'failed':
      return joined(l10n.t('failed'), error);
    case 'unseen':
      return joined(l10n.t('not looked at'), error);
  }
}

function notesSection({ child, diagnostics }: EffectiveAgent, l10n: L10n): readonly string[] {
  const notes = [...(child?.notes ?? []), ...diagnostics.filter(({ code }) => code !== 'unapproved').map(({ line, message }) => l10n.t('line {0}: {1}', line, message))];
  return notes.length === 0 ? [] : [`## ${l10n.t('Notes')}`, notes.map((note) => `- ${escaped(oneLine(note))}`).join('\n')];
}
