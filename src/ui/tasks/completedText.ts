import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { TrackedTask, TrackedTaskStatus } from '../../runtime/domain/trackedTasks.ts';
import type { L10n } from '../l10n.ts';
import { withoutIcons } from '../../host/messageText.ts';

const MAX_SUBJECT = 40;

/** Tells which tasks come to be completed. What was completed before is nobody's news, nor is a task that is first heard of so. */
export class Completions {
  readonly #statuses: Map<string, TrackedTaskStatus>;

  constructor(tasks: readonly TrackedTask[]) {
    this.#statuses = new Map(tasks.map(({ id, status }) => [id, status]));
  }

  /** Takes a changed task in. */
  isCompletedBy({ id, status }: TrackedTask): boolean {
    const before = this.#statuses.get(id);
    this.#statuses.set(id, status);
    return status === 'completed' && before !== undefined && before !== 'completed';
  }
}

/** What the status bar says for a moment of tasks that were completed, by their subjects; at least one. */
export function completedText(subjects: readonly string[], l10n: L10n): string {
  const [first = '', ...others] = subjects;
  const name = withoutIcons(truncate(oneLine(first), MAX_SUBJECT));
  return `$(pass) ${others.length === 0 ? l10n.t('Completed: {0}', name) : l10n.t('Completed: {0} and {1} more', name, others.length)}`;
}
