import type { L10n } from '../l10n.ts';

/** A group that has ended, as a notification tells of it. */
export interface Finished {
  /** Of its first child, in one line. */
  readonly name: string;
  readonly others: number;
  readonly hasFailed: boolean;
  /** The root took a turn on the results, which the chat has to show. Nothing of the kind follows what was started without the chat. */
  readonly isAnswered: boolean;
}

/** Says that a group is over, and where its results are. */
export function finishedWords({ name, others, hasFailed, isAnswered }: Finished, l10n: L10n): string {
  if (!isAnswered) {
    if (others > 0) return l10n.t('“{0}” and {1} more have finished. The result is in the panel.', name, others);
    return hasFailed ? l10n.t('“{0}” has failed. Why is in the panel.', name) : l10n.t('“{0}” has finished. The result is in the panel.', name);
  }
  if (others > 0) return l10n.t('“{0}” and {1} more have finished. The result is in the panel, and opens the next answer in the chat.', name, others);
  return hasFailed
    ? l10n.t('“{0}” has failed. Why is in the panel, and opens the next answer in the chat.', name)
    : l10n.t('“{0}” has finished. The result is in the panel, and opens the next answer in the chat.', name);
}
