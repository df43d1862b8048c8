import type { DefinitionDiagnostic, DiagnosticData } from '../../../runtime/domain/definitions.ts';
import type { L10n } from '../../l10n.ts';
import { quoteValue, removeField, removeWord, replaceTabs, replaceWord, setName, type TextChange } from './changes.ts';
import { findFrontmatter, linesOf, writtenFields } from './frontmatterBlock.ts';

/** A way to correct a problem. */
export interface Fix {
  readonly title: string;
  readonly changes: readonly TextChange[];
  /** The one that is almost certainly meant. */
  readonly isPreferred: boolean;
}

/** The ways to correct a problem of that text, the likeliest first; none where it takes thought. */
export function fixesOf(text: string, problem: DefinitionDiagnostic, l10n: L10n): readonly Fix[] {
  const { data } = problem;
  if (!data) return [];
  return correct(text, problem, data, l10n).flatMap(({ title, changes, isPreferred }) => (changes === undefined || changes.length === 0 ? [] : [{ title, changes, isPreferred }]));
}

type Attempt = Omit<Fix, 'changes'> & { readonly changes: readonly TextChange[] | undefined };

function correct(text: string, problem: DefinitionDiagnostic, data: DiagnosticData, l10n: L10n): readonly Attempt[] {
  const remove = (changes: readonly TextChange[] | undefined): Attempt => ({ title: l10n.t('Remove'), changes, isPreferred: false });
  switch (data.kind) {
    case 'unknown': {
      const replaced = data.near.map((name, index) => ({ title: l10n.t('Replace by `{0}`', name), changes: replaceWord(text, problem, [name]), isPreferred: index === 0 && data.near.length === 1 }));
      return [...replaced, ...(data.of === 'field' ? [remove(removeField(text, problem))] : data.of === 'tool' || data.of === 'skill' || data.of === 'server' ? [remove(removeWord(text, problem))] : [])];
    }
    case 'mapped':
      return [{ title: l10n.t('Write it as `{0}`', data.as.join(', ')), changes: replaceWord(text, problem, data.as), isPreferred: true }];
    case 'mapped_field':
      return [{ title: l10n.t('Write it as `{0}`', data.line), changes: removeField(text, problem, data.line), isPreferred: true }];
    case 'ignored':
    case 'twice':
      return [remove(removeField(text, problem))];
    case 'missing':
      return [{ title: l10n.t('Add a description'), changes: addDescription(text, l10n), isPreferred: true }];
    case 'no_list':
      return [{ title: l10n.t('Write it as a list'), changes: removeField(text, problem, `${fieldName(text, problem)}: [${data.items.map(quoteIfNeeded).join(', ')}]`), isPreferred: true }];
    case 'unquoted':
      return [{ title: l10n.t('Put the value in quotes'), changes: quoteValue(text, problem), isPreferred: true }];
    case 'tabs':
      return [{ title: l10n.t('Replace tabs by spaces'), changes: replaceTabs(text), isPreferred: true }];
    case 'no_frontmatter':
      return [{ title: l10n.t('Add frontmatter'), changes: [{ line: 0, start: 0, endLine: 0, end: 0, text: `---\ndescription: ${l10n.t('When to use this agent.')}\n---\n` }], isPreferred: true }];
    case 'unclosed':
      return [{ title: l10n.t('Close the frontmatter'), changes: closeFrontmatter(text), isPreferred: true }];
    case 'taken':
      return [{ title: l10n.t('Rename to `{0}`', data.free), changes: setName(text, data.free), isPreferred: false }];
  }
}

/** All that another product calls differently, written as it is called here. Never two changes of one place. */
export function fixAllMapped(text: string, problems: readonly DefinitionDiagnostic[]): readonly TextChange[] {
  const changes = problems.flatMap((problem): readonly TextChange[] => {
    if (problem.data?.kind === 'mapped') return replaceWord(text, problem, problem.data.as) ?? [];
    return problem.data?.kind === 'mapped_field' ? (removeField(text, problem, problem.data.line) ?? []) : [];
  });
  const ordered = changes.toSorted((a, b) => a.line - b.line || a.start - b.start);
  return ordered.filter((change, index) => {
    const before = ordered[index - 1];
    return !before || before.endLine < change.line || (before.endLine === change.line && before.end <= change.start);
  });
}

/** Below the name, or first; an empty one is filled in. */
function addDescription(text: string, l10n: L10n): readonly TextChange[] | undefined {
  const block = findFrontmatter(text);
  if (!block) return undefined;
  const words = l10n.t('When to use this agent.');
  const fields = writtenFields(block);
  const empty = fields.find(({ name }) => name === 'description');
  if (empty) return removeField(text, { line: empty.line + 1, column: 1 }, `description: ${words}`);
  const line = fields.find(({ name }) => name === 'name')?.end ?? block.start;
  return [{ line, start: 0, endLine: line, end: 0, text: `description: ${words}\n` }];
}

function closeFrontmatter(text: string): readonly TextChange[] | undefined {
  const block = findFrontmatter(text);
  if (!block || block.isClosed) return undefined;
  let line = block.end;
  while (line > block.start && (block.lines[line - 1] ?? '').trim() === '') line -= 1;
  const lines = linesOf(text);
  if (line >= lines.length) return [{ line: lines.length - 1, start: lines.at(-1)?.length ?? 0, endLine: lines.length - 1, end: lines.at(-1)?.length ?? 0, text: '\n---\n' }];
  return [{ line, start: 0, endLine: line, end: 0, text: '---\n' }];
}

function fieldName(text: string, { line }: DefinitionDiagnostic): string {
  const block = findFrontmatter(text);
  return (block && writtenFields(block).findLast((field) => field.line <= line - 1)?.name) ?? '';
}

function quoteIfNeeded(name: string): string {
  return /^[\w/.-]+(?:\/\*)?$/.test(name) ? name : JSON.stringify(name);
}
