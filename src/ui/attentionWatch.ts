import * as vscode from 'vscode';
import type { Disposable } from '../runtime/base/lifecycle.ts';
import { attention, isCounted, type Attention } from './attention.ts';
import { Coalescer } from './coalesce.ts';
import { onAgent, type UiContext } from './context.ts';

/** Tells what waits for the person, at once and after every change of it, at most ten times a second. */
export function watchAttention(context: UiContext, show: (attention: Attention, l10n: typeof vscode.l10n) => void): Disposable {
  return onAgent(context.access, (agent) => {
    const update = new Coalescer(100, () => show(attention(agent.groups(), agent.approvals.pending(), agent.tasks.list()), vscode.l10n));
    update.schedule();
    const listening = agent.subscribe((event) => {
      if (isCounted(event.type)) update.schedule();
    });
    return {
      dispose() {
        listening.dispose();
        update.dispose();
      },
    };
  });
}
