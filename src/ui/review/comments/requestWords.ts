import type { L10n } from '../../l10n.ts';

/** `1 comment`; nothing for none. */
export function commentCount(count: number, l10n: L10n): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? l10n.t('1 comment') : l10n.t('{0} comments', count);
}
