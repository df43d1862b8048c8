import type { DefinitionSource } from '../../runtime/domain/definitions.ts';
import type { L10n } from '../l10n.ts';

/** A source of definitions as a title. Names of products are nobody's language. */
export function sourceLabel(source: DefinitionSource, l10n: L10n): string {
  switch (source) {
    case 'code':
      return l10n.t('In code');
    case 'directory':
      return l10n.t('Directory of the settings');
    case 'project':
      return l10n.t('Project');
    case 'github_project':
      return l10n.t('Project ({0})', 'Copilot');
    case 'claude_project':
      return l10n.t('Project ({0})', 'Claude Code');
    case 'user':
      return l10n.t('User');
    case 'claude_user':
      return l10n.t('User ({0})', 'Claude Code');
    case 'bundled':
      return l10n.t('Bundled');
    case 'builtin':
      return l10n.t('Built in');
  }
}
