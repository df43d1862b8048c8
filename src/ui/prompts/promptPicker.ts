import * as vscode from 'vscode';
import { confirm, showInfo } from '../../host/messages.ts';
import { withoutIcons } from '../../host/messageText.ts';
import { deferred } from '../../runtime/base/async.ts';
import { errorText, isAppError } from '../../runtime/base/errors.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { ScheduledPrompt } from '../../runtime/domain/services.ts';
import type { UiContext } from '../context.ts';
import { conversationName, promptRow, type PromptRow } from './promptWords.ts';

interface PromptItem extends vscode.QuickPickItem {
  readonly prompt: ScheduledPrompt;
}

type Parts = Pick<UiContext, 'prompts' | 'log'>;

/** Lists the scheduled prompts of all conversations, each with a button that deletes it; the button, and choosing one, show the whole of it first. Rejects where the list can't be read. */
export async function showPrompts(context: Parts, agent: LiteAgent): Promise<void> {
  for (;;) {
    const items = await promptItems(context, agent);
    if (items.length === 0) {
      void showInfo(vscode.l10n.t('No prompt is scheduled. Ask @subagents in the chat to do something at set times.'));
      return;
    }
    const prompt = await pickPrompt(context, agent, items);
    if (prompt === undefined) return;
    if (await confirm(vscode.l10n.t('Delete this scheduled prompt?'), prompt.prompt, vscode.l10n.t('Delete'))) await context.prompts.remove(prompt.id);
  }
}

/** Follows the list while it is open. Nothing where it is hidden, or its last prompt deleted. */
async function pickPrompt(context: Parts, agent: LiteAgent, first: readonly PromptItem[]): Promise<ScheduledPrompt | undefined> {
  const pick = vscode.window.createQuickPick<PromptItem>();
  pick.title = vscode.l10n.t('Scheduled Prompts');
  pick.placeholder = vscode.l10n.t('Choose a scheduled prompt to read or delete it');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = first;
  const warn = (error: unknown): void => context.log.warn(`scheduled prompts: ${errorText(error)}`);
  const refresh = async (): Promise<void> => {
    const items = await promptItems(context, agent);
    const before = pick.activeItems[0]?.prompt.id;
    pick.items = items;
    // New items move the cursor to the first one.
    const active = items.filter((item) => item.prompt.id === before);
    if (active.length > 0) pick.activeItems = active;
    if (items.length === 0) pick.hide();
  };
  const listening = agent.subscribe((event) => {
    if (isOfPrompt(event)) refresh().catch(warn);
  });
  const chosen = deferred<ScheduledPrompt | undefined>();
  pick.onDidAccept(() => chosen.resolve(pick.selectedItems[0]?.prompt));
  pick.onDidHide(() => chosen.resolve(undefined));
  // It asks before it deletes, as choosing does.
  pick.onDidTriggerItemButton(({ item }) => chosen.resolve(item.prompt));
  pick.show();
  try {
    return await chosen.promise;
  } finally {
    listening.dispose();
    pick.dispose();
  }
}

function isOfPrompt(event: RuntimeEvent): boolean {
  return (event.type === 'turn.started' || event.type === 'turn.ended') && event.cause.kind === 'scheduled';
}

async function promptItems({ prompts }: Parts, agent: LiteAgent): Promise<readonly PromptItem[]> {
  const listed = await prompts.list();
  const names = new Map(await Promise.all([...new Set(listed.map(({ sessionId }) => sessionId))].map(async (sessionId) => [sessionId, await nameOf(agent, sessionId)] as const)));
  const buttons = [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete') }];
  const style = { locale: vscode.env.language, l10n: vscode.l10n };
  return listed.map((prompt) => ({ prompt, buttons, ...harmlessRow(promptRow(prompt, names.get(prompt.sessionId), style)) }));
}

function harmlessRow({ label, description, detail }: PromptRow): PromptRow {
  return { label: withoutIcons(label), description: withoutIcons(description), detail: withoutIcons(detail) };
}

async function nameOf(agent: LiteAgent, sessionId: string): Promise<string | undefined> {
  try {
    return conversationName(await agent.transcript(sessionId)) ?? sessionId;
  } catch (error) {
    if (isAppError(error, 'not_found') || isAppError(error, 'invalid_input')) return undefined;
    throw error;
  }
}
