import * as vscode from 'vscode';
import { abortable } from '../../runtime/base/abort.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore } from '../../runtime/base/lifecycle.ts';
import type { GroupView, RunOutcome } from '../../runtime/domain/agents.ts';
import type { LiteAgent, RootOptions, SessionUsage } from '../../runtime/domain/liteAgent.ts';
import type { ScheduledPrompt } from '../../runtime/domain/services.ts';
import { interruptedGroups, isUnfinished } from '../rounds.ts';
import type { ChatDeps } from './deps.ts';
import { AnswerDocuments } from './answerDocuments.ts';
import { BackgroundResults } from './backgroundResults.ts';
import { missedTurns } from './catchUp.ts';
import { runTurn, signalOf, type TurnContext, type TurnWork } from './chatTurn.ts';
import { parseDelegate } from './delegateCommand.ts';
import { failedResult } from './failedResult.ts';
import { suggestFollowups } from './followups.ts';
import { findSession } from './history.ts';
import { showAgents, showReviews, showStatus } from './lookCommands.ts';
import { moveScheduled } from './movedPrompts.ts';
import { OpenResponses } from './openResponse.ts';
import { readReferences } from './references.ts';
import { withReferences } from './referenceText.ts';
import { ResponseWriter } from './responseWriter.ts';
import { resumeGroups } from './resumeCommand.ts';
import type { SessionInbox } from './sessionInbox.ts';

/** Registers `@subagents`, with the command behind its Continue in Background button. */
export function registerChatParticipant(deps: ChatDeps): vscode.Disposable {
  const owned = new DisposableStore();
  const answers = owned.add(new AnswerDocuments(deps.access, deps.log));
  const shared = { deps, background: owned.add(new BackgroundResults(deps, answers)), responses: owned.add(new OpenResponses(deps.ids.continueInBackground)) };
  const participant = owned.add(vscode.chat.createChatParticipant(deps.ids.participant, (...args) => respond(shared, ...args)));
  // A product icon follows the colour theme, which a picture of ours would not.
  participant.iconPath = new vscode.ThemeIcon('type-hierarchy-sub');
  participant.followupProvider = { provideFollowups: (result, context) => suggestFollowups(result, context, deps.access.current?.groups() ?? []) };
  return new vscode.Disposable(() => owned.dispose());
}

interface Shared {
  readonly deps: ChatDeps;
  readonly background: BackgroundResults;
  readonly responses: OpenResponses;
}

/** Answers one request. Throws nothing: what goes wrong is the result's error. */
async function respond(shared: Shared, request: vscode.ChatRequest, context: vscode.ChatContext, stream: vscode.ChatResponseStream, token: vscode.CancellationToken): Promise<vscode.ChatResult> {
  const { deps, background, responses } = shared;
  const writer = new ResponseWriter(stream, deps.ids, deps.log);
  const response = responses.start(context, token);
  const found = findSession(context.history, deps.ids);
  try {
    if (!hasFolder()) return askForFolder(writer);
    const signal = signalOf(token);
    const agent = await abortable(deps.access.agent(), signal);
    // Nothing of the conversation is shown by these, so it stays where it was.
    if (await abortable(answerWithoutSession(request, agent, writer, deps, found?.sessionId), signal)) return found ? { metadata: { ...found } } : {};
    const session = await abortable(agent.openSession(found ? { from: found } : {}), signal);
    const inbox = background.inbox(session.sessionId);
    const from = found?.sessionId === session.sessionId ? found : undefined;
    const missed = from === undefined ? [] : await abortable(missedTurns(session, from.turnId, inbox, deps.log), signal);
    // Last, and not to be aborted: from here on the conversation is this one, whatever comes of its answer.
    const moved = await moveScheduled(found, session.sessionId, { ...deps, agent, l10n: vscode.l10n });
    if (moved !== undefined) writer.text(`${moved}\n\n`);
    const turn: TurnContext = { deps, agent, session, inbox, writer, response, from, missed, interrupted: interruptedSince(request, agent, inbox) };
    return await runTurn(turn, workOf(request, turn));
  } catch (error) {
    return failedResult(error, found && { ...found }, deps.log);
  } finally {
    writer.end();
    response.dispose();
  }
}

/** What a conversation that comes back with its window finds interrupted. The two commands speak of it themselves. */
function interruptedSince({ command }: vscode.ChatRequest, agent: LiteAgent, { isNew, sessionId }: SessionInbox): readonly GroupView[] {
  if (!isNew || command === 'resume' || command === 'cancel') return [];
  return interruptedGroups(agent.groups()).filter((group) => group.sessionId === sessionId);
}

/** Commands that only look: true when the request was one. */
async function answerWithoutSession(request: vscode.ChatRequest, agent: LiteAgent, writer: ResponseWriter, deps: ChatDeps, sessionId: string | undefined): Promise<boolean> {
  switch (request.command) {
    case 'status':
      showStatus(agent, writer, deps.ids, { sessionId, used: await usageOf(agent, sessionId, deps), prompts: await promptsOf(deps) });
      return true;
    case 'review':
      showReviews(agent, writer, deps.ids, sessionId);
      return true;
    case 'agents':
      showAgents(agent, writer, deps.ids);
      return true;
    default:
      return false;
  }
}

/** What the conversation used, where there is one and it can be told. */
async function usageOf(agent: LiteAgent, sessionId: string | undefined, { log }: ChatDeps): Promise<SessionUsage | undefined> {
  try {
    return sessionId === undefined ? undefined : await agent.usage(sessionId);
  } catch (error) {
    log.warn(`chat: what the conversation used can't be told: ${errorText(error)}`);
    return undefined;
  }
}

/** What is scheduled, where that can be told. */
async function promptsOf({ prompts, log }: ChatDeps): Promise<readonly ScheduledPrompt[] | undefined> {
  try {
    return await prompts.list();
  } catch (error) {
    log.warn(`chat: the scheduled prompts can't be told: ${errorText(error)}`);
    return undefined;
  }
}

function workOf(request: vscode.ChatRequest, turn: TurnContext): TurnWork {
  const { references, ignored } = readReferences(request.references);
  const root: RootOptions = { rootModel: turn.deps.rootModel(request.model) };
  const note = (): void => {
    if (ignored > 0) turn.writer.text(`${vscode.l10n.t('*Attachments that can’t be passed on yet, such as images, were left out: {0}.*', ignored)}\n\n`);
  };
  switch (request.command) {
    case 'delegate':
      return async ({ turnId }) => {
        note();
        return delegate(request.prompt, turn, { turnId, root }, (prompt) => withReferences(prompt, references));
      };
    case 'cancel':
      return () => cancelGroups(turn);
    case 'resume':
      return () => resumeGroups(turn);
    default:
      return async (options) => {
        note();
        return turn.session.send(withReferences(request.prompt, references), { ...options, root });
      };
  }
}

async function delegate(text: string, { agent, session, writer }: TurnContext, options: { readonly turnId: string; readonly root: RootOptions }, complete: (prompt: string) => string): Promise<RunOutcome | undefined> {
  const tasks = parseDelegate(text, agent.definitions.list().map((definition) => definition.name));
  if (tasks.length === 0) writer.text(vscode.l10n.t('Write one task a line after `/delegate`. Put `@name` first to pick an agent; `/agents` lists them.'));
  else await session.delegate(tasks.map((task) => ({ ...task, prompt: task.prompt === '' ? '' : complete(task.prompt) })), options);
  return undefined;
}

async function cancelGroups({ agent, session, writer }: TurnContext): Promise<undefined> {
  const running = agent.groups().filter((group) => group.sessionId === session.sessionId && isUnfinished(group));
  if (running.length === 0) writer.text(vscode.l10n.t('No subagents of this conversation are running.'));
  await Promise.all(running.map((group) => agent.cancelGroup(group.groupId)));
}

function hasFolder(): boolean {
  return (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

function askForFolder(writer: ResponseWriter): vscode.ChatResult {
  const open = 'vscode.openFolder';
  const link = `[${vscode.l10n.t('Open a folder')}](command:${open})`;
  writer.trusted(vscode.l10n.t('Subagents work in a folder, and none is open. {0}, then send the message again.', link), [open]);
  return {};
}
