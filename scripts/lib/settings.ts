/** User settings of every VS Code that the scripts start: nothing phones home, nothing asks, the chat view is quiet. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.commandCenter': false,
  'git.openRepositoryInParentFolders': 'never',
  'files.simpleDialog.enable': true,
  'chat.agentsParallelWorkBanner.enabled': false,
  'chat.growthNotification.enabled': false,
  'chat.tips.enabled': false,
};

/** For a window that a program drives: nothing moves while it is looked at. */
export const steadySettings: Readonly<Record<string, unknown>> = {
  'workbench.reduceMotion': 'on',
  'chat.experimental.incrementalRendering.enabled': false,
  'editor.cursorBlinking': 'solid',
};
