import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { DecisionRecord } from '../../runtime/domain/approvals.ts';
import type { L10n } from '../l10n.ts';
import { escaped } from '../review/markdown.ts';
import { actionWords, toolWords } from '../toolWords.ts';

/** Older ones stay in the files. */
const MAX_SHOWN = 500;
const MAX_ACTION = 200;

export interface DecisionsContext {
  /** Who made the call. */
  readonly name: (record: DecisionRecord) => string;
  readonly isDryRun: boolean;
  readonly locale: string;
  readonly l10n: L10n;
}

/** What was decided on calls that weren't simply allowed, newest first, as Markdown for the preview. `records`: oldest first. */
export function decisionsText(records: readonly DecisionRecord[], context: DecisionsContext): string {
  const { l10n, isDryRun } = context;
  const shown = records.slice(-MAX_SHOWN).toReversed();
  const more = records.length - shown.length;
  return [
    `# ${l10n.t('Permission decisions')}`,
    ...(isDryRun ? [`> ${l10n.t('Dry run: rules are recorded, but stop nothing.')}`] : []),
    shown.length === 0 ? l10n.t('Nothing has been asked, denied or allowed by hand yet.') : table(shown, context),
    ...(more > 0 ? [l10n.t('… and {0} earlier ones', more)] : []),
    '',
  ].join('\n\n');
}

function table(records: readonly DecisionRecord[], context: DecisionsContext): string {
  const { l10n, locale, name } = context;
  const heads = [l10n.t('Time'), l10n.t('Subagent'), l10n.t('Verdict'), l10n.t('Tool'), l10n.t('Action'), l10n.t('Decided by')];
  const rows = records.map((record) => [
    new Date(record.at).toLocaleString(locale),
    name(record),
    verdictWords(record, l10n),
    toolWords(record.tool),
    truncate(oneLine(actionWords(record)), MAX_ACTION),
    decidedBy(record, l10n),
  ]);
  return [heads, heads.map(() => '---'), ...rows.map((row) => row.map(escaped))].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What was decided on the call. */
export function verdictWords({ verdict, lasts, by, isQuestion }: DecisionRecord, l10n: L10n): string {
  if (isQuestion) return verdict === 'allow' ? l10n.t('answered') : l10n.t('not answered');
  if (by === 'dry_run') return verdict === 'deny' ? l10n.t('dry run: would have been denied') : l10n.t('dry run: would have asked');
  if (verdict !== 'allow') return l10n.t('denied');
  switch (lasts ?? 'once') {
    case 'group':
      return l10n.t('allowed for the group');
    case 'always':
      return l10n.t('allowed always');
    case 'once':
      return l10n.t('allowed once');
  }
}

/** Who or what decided, and why. */
export function decidedBy({ by, rule, why, message, isQuestion, verdict }: DecisionRecord, l10n: L10n): string {
  const reason = isQuestion ? undefined : rule === undefined ? why : l10n.t('rule {0}', rule);
  const told = message === undefined ? undefined : isQuestion && verdict === 'allow' ? l10n.t('with the answer “{0}”', message) : l10n.t('with the message “{0}”', message);
  return [byWords(by, l10n), reason, told].filter((part) => part !== undefined).map((part) => truncate(oneLine(part), MAX_ACTION)).join(' · ');
}

/** Nothing where the reason says it all. */
function byWords(by: DecisionRecord['by'], l10n: L10n): string | undefined {
  switch (by) {
    case 'person':
      return l10n.t('you');
    case 'group_rule':
      return l10n.t('your answer to another call');
    case 'no_handler':
      return l10n.t('nobody was there to ask');
    case 'rule':
    case 'dry_run':
      return undefined;
  }
}
