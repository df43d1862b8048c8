import * as vscode from 'vscode';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import { Coalescer } from '../coalesce.ts';
import { onAgent, type UiContext } from '../context.ts';
import { Completions, completedText } from './completedText.ts';

/** Several that are accepted at once make one message. */
const GATHER_MS = 300;
const SHOWN_MS = 6000;

/** Shows for a moment in the status bar what was completed: nobody has to do anything about it. */
export function registerCompletedMessage(context: UiContext): Disposable {
  return onAgent(context.access, (agent) => {
    const completions = new Completions(agent.tasks.list());
    const subjects: string[] = [];
    const show = new Coalescer(GATHER_MS, () => vscode.window.setStatusBarMessage(completedText(subjects.splice(0), vscode.l10n), SHOWN_MS));
    const listening = agent.subscribe((event) => {
      if (event.type !== 'task.changed' || !completions.isCompletedBy(event.task)) return;
      subjects.push(event.task.subject);
      show.schedule();
    });
    return {
      dispose() {
        listening.dispose();
        show.dispose();
      },
    };
  });
}
