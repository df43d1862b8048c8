import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { MovingCronService } from '../runtime/cron/cronService.ts';
import type { PromptListening } from '../runtime/domain/services.ts';
import type { Log } from '../runtime/domain/ports.ts';
import { loadedLater } from './loadedLater.ts';
import type { WorkspaceTrust } from './trust.ts';

/** The scheduled prompts of this window's workspace. Starts and loads nothing. */
export function windowPrompts(context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>, trust: WorkspaceTrust, log: Log): MovingCronService {
  const dir = join((context.storageUri ?? context.globalStorageUri).fsPath, 'cron');
  const report = (message: string): void => log.error(message);
  return whereTrusted(loadedLater(async () => (await import('../runtime/cron/cronService.ts')).createCronService({ dir, report }), report), trust);
}

/** The same prompts, of which none is sent before the user trusts the workspace. */
export function whereTrusted(service: MovingCronService, trust: WorkspaceTrust): MovingCronService {
  return {
    create: (prompt) => service.create(prompt),
    list: (sessionId) => service.list(sessionId),
    remove: (id, sessionId) => service.remove(id, sessionId),
    move: (sessionId, to) => service.move(sessionId, to),
    listen(receiver): PromptListening {
      let listening: PromptListening | undefined;
      const begin = (): void => void (listening ??= service.listen(receiver));
      const waiting = trust.onDidGrant(begin);
      if (trust.isTrusted()) begin();
      return {
        dispose() {
          waiting.dispose();
          listening?.dispose();
        },
        idle: async () => listening?.idle(),
      };
    },
  };
}
