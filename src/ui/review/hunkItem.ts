import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { FileReview, Hunk } from '../../runtime/domain/reviews.ts';
import type { L10n } from '../l10n.ts';
import { withoutIcons } from '../../host/messageText.ts';
import { joined } from '../tree/presentation.ts';

const MAX_LINE = 80;

/** How a piece of a change reads in a list. */
export interface HunkWords {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** `Lines 3–5: first changed line`; the lines that went and came below it. */
export function hunkWords(hunk: Hunk, file: Pick<FileReview, 'isBinary' | 'kind'>, l10n: L10n): HunkWords {
  const [before, now] = [hunk.before, hunk.now].map((lines) => lines.filter((line) => oneLine(line) !== ''));
  const first = shown(now?.[0] ?? before?.[0]);
  return {
    label: withoutIcons([placeWords(hunk, file, l10n), ...(first === '' ? [] : [first])].join(': ')),
    description: joined(file.isBinary ? undefined : `+${hunk.now.length} −${hunk.before.length}`, hunk.conflict === undefined ? undefined : l10n.t('conflict')),
    detail: hunk.conflict === undefined ? [...sample('−', before ?? [], l10n), ...sample('+', now ?? [], l10n)].join('   ') : withoutIcons(truncate(oneLine(hunk.conflict), 3 * MAX_LINE)),
  };
}

function placeWords({ lines: { start, end } }: Hunk, { isBinary, kind }: Pick<FileReview, 'isBinary' | 'kind'>, l10n: L10n): string {
  if (kind === 'created') return l10n.t('The new file');
  if (kind === 'deleted') return l10n.t('The deleted file');
  if (isBinary) return l10n.t('The whole file');
  if (end === start) return l10n.t('Before line {0}', start + 1);
  return end === start + 1 ? l10n.t('Line {0}', end) : l10n.t('Lines {0}–{1}', start + 1, end);
}

function sample(sign: string, lines: readonly string[], l10n: L10n): readonly string[] {
  const [first, ...others] = lines;
  if (first === undefined) return [];
  const text = withoutIcons(`${sign} ${shown(first)}`);
  return [others.length === 0 ? text : l10n.t('{0} (and {1} more)', text, others.length)];
}

function shown(line: string | undefined): string {
  return truncate(oneLine(line ?? ''), MAX_LINE);
}
