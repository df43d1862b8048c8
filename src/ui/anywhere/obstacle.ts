import type { L10n } from '../l10n.ts';

/** What keeps a window from delegating. */
export type Obstacle = 'no_folder' | 'untrusted' | 'switched_off';

/** What decides on it. */
export interface WindowState {
  readonly isTrusted: boolean;
  readonly hasFolder: boolean;
  /** As `subagents.agents.enabled` says. */
  readonly isEnabled: boolean;
}

/** The first thing to do away with; nothing where a group can start. */
export function obstacleIn({ isTrusted, hasFolder, isEnabled }: WindowState): Obstacle | undefined {
  if (!hasFolder) return 'no_folder';
  if (!isTrusted) return 'untrusted';
  return isEnabled ? undefined : 'switched_off';
}

/** For a person. */
export function obstacleWords(obstacle: Obstacle, l10n: L10n): string {
  switch (obstacle) {
    case 'no_folder':
      return l10n.t('Open a folder first: subagents work in a folder.');
    case 'untrusted':
      return l10n.t('No subagent starts in Restricted Mode. Trust this folder first.');
    case 'switched_off':
      return l10n.t('Delegation is switched off. Turn the setting “{0}” on first.', 'subagents.agents.enabled');
  }
}

/** For a model that calls a tool: what to do instead. */
export function obstacleForModel(obstacle: Obstacle): string {
  switch (obstacle) {
    case 'no_folder':
      return 'Nothing was started: no folder is open in this window, and subagents work in one. Do the work yourself, or ask the user to open a folder.';
    case 'untrusted':
      return 'Nothing was started: the user has not trusted this folder (Restricted Mode). Do the work yourself, or ask the user to trust the folder.';
    case 'switched_off':
      return 'Nothing was started: the user has switched delegation off (subagents.agents.enabled). Do the work yourself, and do not call this tool again.';
  }
}
