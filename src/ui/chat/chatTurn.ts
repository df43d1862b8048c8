import * as vscode from 'vscode';
import { showInfo } from '../../host/messages.ts';
import { randomId } from '../../runtime/base/ids.ts';
import { onAbort } from '../../runtime/base/abort.ts';
import { errorText } from '../../runtime/base/errors.ts';
import type { GroupView, RunOutcome } from '../../runtime/domain/agents.ts';
import type { LiteAgent, LiteSession, OwnTurn } from '../../runtime/domain/liteAgent.ts';
import { ownChildren } from '../children.ts';
import { allSettled } from '../failures.ts';
import { currentTurnId, eventsOf } from './catchUp.ts';
import type { ChatDeps } from './deps.ts';
import { failedResult } from './failedResult.ts';
import { currentBlock, groupBlock } from './groupBlock.ts';
import type { SessionTurn } from './history.ts';
import type { EarlyEnd, OpenResponse } from './openResponse.ts';
import type { ResponseWriter } from './responseWriter.ts';
import type { SessionInbox } from './sessionInbox.ts';
import { failureMessage } from './errorWords.ts';
import { TurnRenderer } from './turnRenderer.ts';
import { chatWords } from './words.ts';

/** How long a stopped turn may take to end before the response ends without it, in milliseconds; VS Code waits one second. */
const STOP_GRACE = 600;

/** What a turn works on. */
export interface TurnContext {
  readonly deps: ChatDeps;
  readonly agent: LiteAgent;
  readonly session: LiteSession;
  readonly inbox: SessionInbox;
  readonly writer: ResponseWriter;
  readonly response: OpenResponse;
  /** The turn that the conversation stands at before this one. */
  readonly from: SessionTurn | undefined;
  /** Turns that came after it and were never shown. */
  readonly missed: readonly OwnTurn[];
  /** Groups of which the person has to be told that they were interrupted. */
  readonly interrupted: readonly GroupView[];
}

/** The work of a turn: what the user asked for. Resolves to a failure to tell, or to nothing. */
export type TurnWork = (turn: { readonly turnId: string; readonly signal: AbortSignal }) => Promise<RunOutcome | undefined>;

/**
 * Runs a turn and stays until the session's groups are over too, or until something ends the response early. The
 * work then goes on without it, except that Stop aborts the root's own turn.
 */
export async function runTurn(context: TurnContext, work: TurnWork): Promise<vscode.ChatResult> {
  const { inbox, response, writer } = context;
  const turnId = randomId();
  const current = (): string => currentTurnId(context);
  const reading = startReading(context, current);
  const abort = new AbortController();
  const working = work({ turnId, signal: abort.signal });
  try {
    const first = await Promise.race([working.then((outcome) => ({ outcome })), response.endedEarly.then((end) => ({ end }))]);
    if ('end' in first) return await endEarly(first.end);
    const failure = first.outcome?.status === 'failed' ? failureMessage(first.outcome) : undefined;
    if (!inbox.busy) return result(failure);
    if (failure !== undefined) writer.text(`\n\n${failure}\n\n`);
    offerBackground(context);
    reading.release();
    const end = await Promise.race([inbox.whenIdle().then(() => undefined), response.endedEarly]);
    return end === undefined ? result() : await endEarly(end);
  } catch (error) {
    // What this response has shown stays shown: the next one goes on from here, not from the turn before.
    return failedResult(error, metadata(), context.deps.log);
  } finally {
    reading.dispose();
  }

  async function endEarly(end: EarlyEnd): Promise<vscode.ChatResult> {
    if (end === 'stopped') {
      abort.abort();
      // It may be a completion's turn that is being written.
      context.session.stop();
    } else {
      // As progress: text would fold the group's block away.
      writer.progress(chatWords(vscode.l10n).background());
    }
    const ended = working.catch((error: unknown) => context.deps.log.info(`chat: a turn ended after its response: ${errorText(error)}`));
    if (end === 'stopped') {
      await Promise.race([ended, new Promise<void>((resolve) => setTimeout(resolve, STOP_GRACE))]);
      void offerCancel(context);
    }
    return result();
  }

  function result(failure?: string): vscode.ChatResult {
    return { metadata: metadata(), ...(failure === undefined ? {} : { errorDetails: { message: failure } }) };
  }

  function metadata(): Readonly<Record<string, unknown>> {
    return { sessionId: inbox.sessionId, turnId: current(), running: inbox.busy };
  }
}

/** A signal that aborts when the response is stopped. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  const listening = token.onCancellationRequested(() => abort.abort());
  onAbort(abort.signal, () => void listening.dispose());
  return abort.signal;
}

/** Lets the renderer have the session's events, from what was missed on. `release` as the renderer's. */
function startReading({ deps, agent, inbox, writer, missed, interrupted }: TurnContext, turnId: () => string): { release(): void; dispose(): void } {
  const renderer = new TurnRenderer({ output: writer, agent, ids: deps.ids, words: chatWords(vscode.l10n), turnId });
  const hasUnread = inbox.hasUnread || missed.length > 0 || interrupted.length > 0;
  for (const event of missed.flatMap((turn) => eventsOf(turn, inbox.sessionId))) renderer.handle(event, true);
  const reading = inbox.read((event, replayed) => renderer.handle(event, replayed));
  // What was missed is not the answer to this message: a rule keeps them apart.
  for (const group of interrupted) writer.block(`\n\n${groupBlock(currentBlock(group, { sessionId: inbox.sessionId, turnId: turnId(), groupId: group.groupId }), deps.ids, chatWords(vscode.l10n))}\n\n`);
  if (hasUnread) writer.text('\n\n---\n\n');
  return { release: () => renderer.release(), dispose: () => reading.dispose() };
}

function offerBackground({ deps, response, writer }: TurnContext): void {
  writer.button({ command: deps.ids.continueInBackground, title: vscode.l10n.t('Continue in Background'), arguments: [response.number] });
}

/** Stop never ends children by itself, and they are easily forgotten: so this asks, without anybody waiting for it. */
async function offerCancel({ deps, agent, inbox }: TurnContext): Promise<void> {
  const running = agent.groups().filter((group) => group.sessionId === inbox.sessionId && group.status === 'running' && !group.isElsewhere);
  const count = ownChildren(running).filter((child) => child.status === 'running' || child.status === 'queued').length;
  if (count === 0) return;
  const cancel = vscode.l10n.t('Cancel Subagents');
  const message = count === 1 ? vscode.l10n.t('The answer was stopped. One subagent goes on.') : vscode.l10n.t('The answer was stopped. {0} subagents go on.', count);
  try {
    if ((await showInfo(message, cancel)) === cancel) await allSettled(running.map((group) => agent.cancelGroup(group.groupId)));
  } catch (error) {
    deps.log.error(`chat: cancelling failed: ${errorText(error)}`);
  }
}
