import { l10n } from 'vscode';
import type { PanelEvent, SubagentPanelApi, SubagentPanelExports } from '../../api.ts';
import type { Registrations } from '../../host/registrations/registrations.ts';
import { AppError, errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import { workFolders } from '../anywhere/folders.ts';
import { obstacleWords } from '../anywhere/obstacle.ts';
import type { AnywhereContext } from '../anywhere/context.ts';
import { onAgent } from '../context.ts';
import { folderFor } from '../lmTools/folderArgument.ts';
import { startPanelGroup } from './groups.ts';
import { panelEvent } from './panelEvents.ts';

/** What other extensions get. Disposing ends what they listen to and have registered. */
export function createPanelExports(context: AnywhereContext, registrations: Registrations): SubagentPanelExports & Disposable {
  const listeners = new DisposableStore();
  const api: SubagentPanelApi = Object.freeze({
    version: 1 as const,
    registerTool: (...[tool]: Parameters<SubagentPanelApi['registerTool']>) => registrations.addTool(tool),
    registerAgent: (...[name, agent]: Parameters<SubagentPanelApi['registerAgent']>) => registrations.addAgent(name, agent),
    registerSkill: (...[skill]: Parameters<SubagentPanelApi['registerSkill']>) => registrations.addSkill(skill),
    startGroup: async (...[request]: Parameters<SubagentPanelApi['startGroup']>) => {
      const obstacle = context.obstacle();
      if (obstacle !== undefined) throw new AppError('unavailable', obstacleWords(obstacle, l10n));
      const folder = folderFor(request.folder, workFolders());
      return startPanelGroup(await context.access.agent(), request, folder.path);
    },
    subscribe: (...[listener]: Parameters<SubagentPanelApi['subscribe']>) => listeners.add(subscribe(context, listener)),
  });
  return {
    getAPI(version: unknown) {
      if (version === 1) return api;
      throw new AppError('invalid_input', `Subagent Panel has no API of version ${String(version)}. It has: 1.`);
    },
    dispose() {
      listeners.dispose();
      registrations.dispose();
    },
  };
}

/** Each listener has events of its own to look at, and its faults are its own. */
function subscribe({ access, log }: AnywhereContext, listener: (event: PanelEvent) => void): Disposable {
  return onAgent(access, (agent) => agent.subscribe((event) => {
    const told = panelEvent(event, agent);
    if (told === undefined) return;
    try {
      listener(told);
    } catch (error) {
      log.error(`api: a listener of another extension failed: ${errorText(error)}`);
    }
  }));
}
