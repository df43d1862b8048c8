import { dirname } from 'node:path';
import { oneLine } from '../../runtime/base/text.ts';
import type { L10n } from '../l10n.ts';
import { isOpen, isUndoable, isUnmergeable, kindWords, lineWords, reviewWords, whyNotUndoable, type FileFacts } from '../review/fileFacts.ts';
import { fileName, placeFrom } from '../review/filePlace.ts';
import { joined, type Row, type TooltipLine } from './presentation.ts';

export interface FileContext {
  /** The folder of the child's group. */
  readonly cwd: string;
  /** The child doesn't run, and is this window's: only then something can be decided. */
  readonly isDecidable: boolean;
  readonly l10n: L10n;
}

/** The row of a file that a child changed. Its icon is the file's. */
export function fileRow(facts: FileFacts, context: FileContext): Omit<Row, 'icon'> {
  const { l10n } = context;
  const label = fileName(facts.path);
  const said = joined(oneLine(placeFrom(context.cwd, dirname(facts.path))), lineWords(facts, l10n), reviewWords(facts, l10n));
  return {
    label,
    description: said,
    contextValue: contextValue(facts, context),
    spoken: l10n.t('{0}, {1}, {2}', label, kindWords(facts.kind, l10n), said),
  };
}

export function fileTooltip(facts: FileFacts, { l10n }: FileContext): readonly TooltipLine[] {
  const lines: readonly TooltipLine[] = [
    { name: l10n.t('File'), value: oneLine(facts.path) },
    { name: l10n.t('Change'), value: joined(kindWords(facts.kind, l10n), lineWords(facts, l10n), reviewWords(facts, l10n)) },
    { name: l10n.t('Note'), value: oneLine(whyNotUndoable(facts) ?? '') },
    { name: l10n.t('Also changed by'), value: othersWords(facts.sharedWith.length, l10n) },
  ];
  return lines.filter((line) => line.value !== '');
}

/** Menus match what can be done: `file+open+decidable+undoable`. */
function contextValue(facts: FileFacts, { isDecidable }: FileContext): string {
  const canDecide = isDecidable && isOpen(facts);
  return ['file', facts.state, ...(canDecide ? ['decidable'] : []), ...(canDecide && isUnmergeable(facts) ? ['unmergeable'] : []), ...(canDecide && isUndoable(facts) ? ['undoable'] : [])].join('+');
}

function othersWords(count: number, l10n: L10n): string {
  if (count === 0) return '';
  return count === 1 ? l10n.t('1 other subagent') : l10n.t('{0} other subagents', count);
}
