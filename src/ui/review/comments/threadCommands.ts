import * as vscode from 'vscode';
import { showWarning } from '../../../host/messages.ts';
import { COMMANDS, type ThreadCommandId } from '../../../ids.ts';
import { isAbort } from '../../../runtime/base/abort.ts';
import { AppError, fieldOf, isAppError } from '../../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../../runtime/base/lifecycle.ts';
import { report } from '../../commands/command.ts';
import type { UiContext } from '../../context.ts';
import { withoutIcons } from '../../../host/messageText.ts';
import { reviewFacts } from '../reviewItem.ts';
import { acceptParts } from '../acceptParts.ts';
import { undoParts } from '../undo.ts';
import type { Draft } from './drafts.ts';
import { shownLines } from './lines.ts';
import type { ChangeRequests } from './requestChanges.ts';
import type { ReviewComments } from './reviewComments.ts';
import { addressees, type ReviewedFile } from './reviewedFiles.ts';

/** Registers what can be done on a thread beside a file. VS Code hands over the thread, the comment, or the thread with what was typed into it. */
export function registerThreadCommands(context: Pick<UiContext, 'access' | 'log' | 'showLog'>, comments: ReviewComments, requests: ChangeRequests): Disposable {
  const store = new DisposableStore();
  const commands = threadCommands(context, comments, requests);
  for (const [id, run] of Object.entries(commands)) {
    store.add(vscode.commands.registerCommand(id, async (item: unknown) => {
      try {
        await run(item);
      } catch (error) {
        if (!isAbort(error)) report(context, id, error);
      }
    }));
  }
  return store;
}

/** Each of the commands, as far as it can reject. */
export function threadCommands(context: Pick<UiContext, 'access' | 'log'>, comments: ReviewComments, requests: ChangeRequests): Record<ThreadCommandId, (item: unknown) => Promise<void>> {
  const onDraft = (run: (draft: Draft, item: unknown) => Promise<void> | void) => async (item: unknown): Promise<void> => {
    const meaning = comments.meaningOf(item);
    if (meaning?.kind === 'draft') await run(meaning.draft, item);
  };
  return {
    [COMMANDS.addComment]: async (item) => {
      const [thread, text] = [fieldOf(item, 'thread'), fieldOf(item, 'text')];
      if (!isThread(thread) || typeof text !== 'string' || text.trim() === '') return;
      const about = comments.meaningOf(thread);
      // What was typed is kept also where nobody is chosen: it can be sent later.
      comments.addDraft(thread, text.trim(), about?.kind === 'hunk' ? about.agentId : await choose(addresseesOf(comments, thread)));
    },
    [COMMANDS.editComment]: onDraft((draft) => comments.editDraft(draft.id, true)),
    [COMMANDS.cancelComment]: onDraft((draft) => comments.editDraft(draft.id, false)),
    [COMMANDS.saveComment]: onDraft((draft, item) => {
      const text = fieldOf(item, 'body');
      // VS Code has put what was typed into the comment.
      if (typeof text === 'string' && text.trim() !== '') comments.changeDraft(draft.id, { text: text.trim() });
      else comments.editDraft(draft.id, false);
    }),
    [COMMANDS.deleteComment]: onDraft((draft) => comments.removeDrafts([draft.id])),
    [COMMANDS.sendComments]: onDraft(async (draft, item) => {
      const agent = await context.access.agent();
      const agentId = agent.child(draft.agentId ?? '')?.agentId ?? (isThread(item) ? await chooseForSending(comments, item) : undefined);
      if (agentId === undefined) return;
      if (agentId !== draft.agentId) comments.changeDraft(draft.id, { agentId });
      await requests.request(agent, agentId);
    }),
    [COMMANDS.acceptHunk]: async (item) => {
      const meaning = comments.meaningOf(item);
      if (meaning?.kind !== 'hunk') return;
      const agent = await context.access.agent();
      await decide(comments, () => acceptParts(agent, [{ agentId: meaning.agentId, choice: { path: meaning.path, hunks: [meaning.hunkId] } }], context.log));
    },
    [COMMANDS.undoHunk]: async (item) => {
      const meaning = comments.meaningOf(item);
      if (meaning?.kind !== 'hunk') return;
      const agent = await context.access.agent();
      await decide(comments, () => undoParts(agent, [{ agentId: meaning.agentId, choice: { path: meaning.path, hunks: [meaning.hunkId] } }], context.log));
    },
  };
}

/** Decides, and looks at the file again. What changed since it was shown is said, and stays to be decided. */
async function decide(comments: ReviewComments, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isAppError(error, 'conflict')) throw error;
    void showWarning(vscode.l10n.t('This can not be decided now: {0}', error.message));
  } finally {
    comments.refreshSoon();
  }
}

/** Whom a comment beside a file can be for. */
function addresseesOf(comments: ReviewComments, { uri, range }: vscode.CommentThread): readonly ReviewedFile[] {
  const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri.toString());
  if (document === undefined) return [];
  const lines = shownLines({ start: range?.start.line ?? 0, end: (range?.end.line ?? 0) + 1 }, document.lineCount);
  return addressees(comments.reviewedIn(document), lines);
}

/** Throws `conflict` where there is nobody to send it to. */
async function chooseForSending(comments: ReviewComments, thread: vscode.CommentThread): Promise<string | undefined> {
  const found = addresseesOf(comments, thread);
  if (found.length === 0) throw new AppError('conflict', vscode.l10n.t('No subagent’s change of this file is under review any more.'));
  return choose(found);
}

/** The one that there is, or that is chosen of several; nothing where there is none, or nobody chooses. */
async function choose(found: readonly ReviewedFile[]): Promise<string | undefined> {
  const [first] = found;
  if (first === undefined || found.length === 1) return first?.child.agentId;
  const items = found.map(({ child, name }) => ({ label: withoutIcons(name), description: withoutIcons(reviewFacts(child, undefined, vscode.l10n)), agentId: child.agentId }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Several subagents changed these lines. Whom is the comment for?') });
  return chosen?.agentId;
}

function isThread(value: unknown): value is vscode.CommentThread {
  const uri = fieldOf(value, 'uri');
  return uri instanceof vscode.Uri && Array.isArray(fieldOf(value, 'comments'));
}
