import * as vscode from 'vscode';
import { AppError } from '../../runtime/base/errors.ts';
import { obstacleForModel } from '../anywhere/obstacle.ts';
import type { AnywhereContext } from '../anywhere/context.ts';
import { chatWords } from '../chat/words.ts';
import { statusText } from './statusText.ts';

/** `#subagentStatus`: tells how this window's groups stand. Only looks. */
export class StatusTool implements vscode.LanguageModelTool<object> {
  readonly #context: AnywhereContext;

  constructor(context: AnywhereContext) {
    this.#context = context;
  }

  prepareInvocation(): vscode.PreparedToolInvocation {
    return { invocationMessage: vscode.l10n.t('Looking at the subagents') };
  }

  async invoke(): Promise<vscode.LanguageModelToolResult> {
    // What there was can be told in Restricted Mode too.
    if (this.#context.obstacle() === 'no_folder') throw new AppError('unavailable', obstacleForModel('no_folder'));
    const agent = await this.#context.access.agent();
    const { l10n } = vscode;
    const text = statusText({ groups: agent.groups(), pending: agent.approvals.pending(), tasks: agent.tasks.list() }, { words: chatWords(l10n), locale: vscode.env.language, l10n });
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }
}
