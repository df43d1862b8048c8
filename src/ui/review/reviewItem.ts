import type { ChildView } from '../../runtime/domain/agents.ts';
import type { L10n } from '../l10n.ts';
import { joined } from '../tree/presentation.ts';
import { deniedWords, fileCount } from '../words.ts';

/** What stands beside a name in the list to accept from: what one should know before ticking it. */
export function reviewFacts(child: ChildView, group: string | undefined, l10n: L10n): string {
  const files = child.changedFiles.length === 0 ? undefined : fileCount(child.changedFiles.length, l10n);
  return joined(child.definition, deniedWords(child.denials, l10n), files, group);
}
