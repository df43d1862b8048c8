import * as vscode from 'vscode';
import type { SettingsReader } from '../host/settings.ts';
import type { WorkspaceTrust } from '../host/trust.ts';

/** Whether rules are only recorded. */
export interface DryRun {
  readonly isOn: () => boolean;
  readonly onDidChange: (listener: () => void) => vscode.Disposable;
}

/** A dry run as the user's settings have it; what isn't trusted is never let off its rules. */
export function dryRunOf(settings: SettingsReader, trust: WorkspaceTrust): DryRun {
  return {
    isOn: () => trust.isTrusted() && settings.peek().permissionMode === 'dry-run',
    onDidChange: (listener) => vscode.Disposable.from(settings.onDidChange(() => listener()), trust.onDidGrant(() => listener())),
  };
}
