import type { AgentRef, ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { ChildKey, EventOf, RuntimeEvent } from '../../runtime/domain/events.ts';
import { callWords } from '../toolWords.ts';
import type { ChatIds, GroupLink } from './chatIds.ts';
import type { ChatWords } from './words.ts';
import { acceptedBlock, currentBlock, groupBlock } from './groupBlock.ts';
import { inert, openFence } from './markdown.ts';

/** Where a response goes. All strings are Markdown; only `block` and `pending` are trusted. */
export interface ChatOutput {
  text(markdown: string): void;
  block(markdown: string): void;
  /** What waits for a person, with a link to the list of all that does. */
  pending(markdown: string): void;
  progress(markdown: string): void;
  /** Shows a file, by its absolute path, as one that the answer rests on. */
  file(path: string): void;
}

export interface RendererDeps {
  readonly output: ChatOutput;
  readonly agent: Pick<LiteAgent, 'group'>;
  readonly ids: ChatIds;
  readonly words: ChatWords;
  /** The last turn of the session, for links. */
  readonly turnId: () => string;
}

/** Tools whose calls show as a group's block rather than as an activity. */
const DELEGATION: ReadonlySet<string> = new Set(['Agent', 'Task', 'MultiTask']);
/** Those with which the root waits for its group. */
const WAITING: ReadonlySet<string> = new Set(['Task', 'MultiTask']);

/** Code points of a question of the root. */
const QUESTION_LENGTH = 1000;

/** A call of the root that waits for a group. */
interface WaitingCall {
  readonly callId: string;
  /** Once it is accepted. */
  readonly group?: { readonly sessionId: string; readonly groupId: string };
  /** The group's block was written. */
  readonly isShown?: boolean;
}

/** Turns the events of one session into one response. */
export class TurnRenderer {
  readonly #deps: RendererDeps;
  /** The group whose completion turn runs and whose final block isn't written yet. */
  #settledBlock: { readonly sessionId: string; readonly groupId: string } | undefined;
  /** The scheduled prompt that is being answered, until that is written over the answer. */
  #heading: string | undefined;
  /** The call that runs now, if it is one that waits. */
  #waiting: WaitingCall | undefined;
  /** Whether something stands between the last text and the next. */
  #apart = false;
  #wroteText = false;
  /** What the root's present model turn has written. It can't be taken back if it breaks off. */
  #unfinished = '';
  /** Progress that came during a turn of the root: text that follows would part from it and fold it away. */
  #held: string[] | undefined;

  constructor(deps: RendererDeps) {
    this.#deps = deps;
  }

  /** True once any text was written. */
  get wroteText(): boolean {
    return this.#wroteText;
  }

  /** `replayed`: it happened while no response was open, so only what lasts is shown. */
  handle(event: RuntimeEvent, replayed: boolean): void {
    switch (event.type) {
      case 'turn.started':
        this.#apart = true;
        this.#unfinished = '';
        this.#held ??= [];
        if (event.cause.kind === 'completion') this.#settledBlock = { sessionId: event.sessionId, groupId: event.cause.groupId };
        this.#heading = event.cause.kind === 'scheduled' ? event.cause.title : undefined;
        return;
      case 'text.delta':
        if (event.agent.kind === 'root') this.#text(event.text);
        return;
      case 'text.discarded':
        if (event.agent.kind === 'root') this.#discarded();
        return;
      case 'model.ended':
        // A summary is asked for in the middle of a turn.
        if (event.agent.kind === 'root' && !event.isSummary) this.#unfinished = '';
        return;
      case 'turn.ended':
        this.#turnEnded(event, replayed);
        return;
      case 'group.accepted':
        this.#accepted(event, replayed);
        return;
      default:
        if (!replayed) this.#progress(event);
    }
  }

  #text(text: string): void {
    if (text === '') return;
    this.#writeSettledBlock();
    this.#writeHeading();
    this.#deps.output.text(this.#apart && this.#wroteText ? `\n\n${text}` : text);
    this.#apart = false;
    this.#wroteText = true;
    this.#unfinished += text;
  }

  /** VS Code's responses only grow: a mark tells the reader what counts. */
  #discarded(): void {
    if (this.#unfinished === '') return;
    // Inside a code block the mark, and all that follows, would be code.
    const fence = openFence(this.#unfinished);
    this.#unfinished = '';
    this.#deps.output.text(`${fence === undefined ? '' : `\n${fence}`}\n\n*${this.#deps.words.saidAgain()}*`);
    this.#apart = true;
  }

  #turnEnded(event: EventOf<'turn.ended'>, replayed: boolean): void {
    // After the user's turn the button comes first: whoever placed it calls `release`.
    const isOwn = event.cause.kind !== 'user';
    if (isOwn) this.release();
    // Such a turn may end without a word; the group's end, or the prompt, is shown all the same.
    if (isOwn) this.#writeSettledBlock();
    if (isOwn) this.#writeHeading();
    const { outcome } = event;
    // The failure of a turn that somebody waits for is the response's error; nobody waits for the others.
    const unwatched = replayed || isOwn;
    if (unwatched && outcome.status === 'failed') {
      this.#apart = true;
      this.#text(this.#deps.words.turnFailed(inert(outcome.message, 300)));
    }
    this.#apart = true;
  }

  #accepted({ group }: EventOf<'group.accepted'>, replayed: boolean): void {
    this.#writeHeading();
    if (this.#waiting && !this.#waiting.group) {
      // Its block follows once it has started: until the call ends, no other tells that it isn't queued any more.
      this.#waiting = { ...this.#waiting, group };
      return;
    }
    const current = this.#deps.agent.group(group.groupId);
    const over = current !== undefined && current.status !== 'running';
    // Of a group that came and went unseen, the final block says it all.
    if (replayed && over) return;
    this.#block(groupBlock(acceptedBlock(group, this.#link(group)), this.#deps.ids, this.#deps.words));
  }

  #progress(event: RuntimeEvent): void {
    const { words } = this.#deps;
    switch (event.type) {
      case 'tool.called':
        if (event.agent.kind === 'root') this.#toolCalled(event);
        return;
      case 'tool.progress':
        if (event.agent.kind === 'root' && event.callId === this.#waiting?.callId) this.#waits(this.#waiting, event.text);
        return;
      case 'tool.ended':
        if (event.agent.kind === 'root' && event.callId === this.#waiting?.callId) this.#waited(this.#waiting);
        return;
      case 'retry.scheduled':
        // A child's is in the panel.
        if (event.agent.kind === 'root') this.#retrying(event);
        return;
      case 'child.started':
        this.#report(words.started(this.#nameOf(event)));
        return;
      case 'child.settled':
        this.#report(words.ended(this.#nameOf(event), this.#endOf(event)));
        return;
      case 'approval.wanted': {
        const { agent, question } = event.request;
        if (question !== undefined) {
          this.#asks(agent, question.question);
          return;
        }
        const call = inert(callWords(event.request));
        this.#report(agent.kind === 'child' ? words.wants(inert(agent.displayName), call) : words.rootWants(call));
        return;
      }
      default:
    }
  }

  /** The root says nothing while it waits for its answer, so its question is shown at once, and with a way to answer it. */
  #asks(agent: AgentRef, question: string): void {
    const { output, words, ids } = this.#deps;
    if (agent.kind === 'child') {
      this.#report(words.asks(inert(agent.displayName), inert(question)));
      return;
    }
    output.pending(`\n\n${inert(question, QUESTION_LENGTH)} · [${words.showPending()}](command:${ids.reviewPending})\n\n`);
    output.progress(words.rootAsks(inert(question)));
    this.#apart = true;
  }

  /** While the root waits it says nothing that could fold the progress away. */
  #report(progress: string): void {
    if (this.#held && !this.#waiting) this.#held.push(progress);
    else this.#deps.output.progress(progress);
  }

  /** Shows the progress that was held back. Called once nothing but progress is to follow. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const progress of held) this.#deps.output.progress(progress);
  }

  #toolCalled(event: EventOf<'tool.called'>): void {
    this.#writeHeading();
    this.#apart = true;
    if (WAITING.has(event.tool)) this.#waiting = { callId: event.callId };
    if (DELEGATION.has(event.tool)) return;
    this.#deps.output.progress(inert(event.activity));
    if (event.tool === 'Read') event.paths.forEach((path) => this.#deps.output.file(path));
  }

  #waits(call: WaitingCall, activity: string): void {
    if (call.group) this.#currentBlock(call.group);
    this.#waiting = { ...call, isShown: true };
    this.#deps.output.progress(inert(activity));
  }

  /** The group as it ended; where it only moved to the background, its completion turn shows that. */
  #waited(call: WaitingCall): void {
    this.#waiting = undefined;
    if (!call.group) return;
    const isOver = this.#deps.agent.group(call.group.groupId)?.status !== 'running';
    if (isOver || !call.isShown) this.#currentBlock(call.group);
  }

  #retrying({ at, until, failure }: EventOf<'retry.scheduled'>): void {
    this.#apart = true;
    this.#deps.output.progress(this.#deps.words.retrying(failure, Math.max(1, Math.ceil((until - at) / 1000)) * 1000));
  }

  #writeSettledBlock(): void {
    const settled = this.#settledBlock;
    if (settled === undefined) return;
    this.#settledBlock = undefined;
    this.#currentBlock(settled);
  }

  /** Not before something follows: a response that ends at the beginning of the turn has nothing of it. */
  #writeHeading(): void {
    const title = this.#heading;
    if (title === undefined) return;
    this.#heading = undefined;
    this.#deps.output.text(`${this.#wroteText ? '\n\n' : ''}*${this.#deps.words.scheduled(inert(title))}*`);
    this.#apart = true;
    this.#wroteText = true;
  }

  #currentBlock(link: { readonly sessionId: string; readonly groupId: string }): void {
    const group = this.#deps.agent.group(link.groupId);
    if (group !== undefined) this.#block(groupBlock(currentBlock(group, this.#link(link)), this.#deps.ids, this.#deps.words));
  }

  #block(markdown: string): void {
    this.#deps.output.block(`\n\n${markdown}\n\n`);
    this.#apart = true;
  }

  #link({ sessionId, groupId }: { readonly sessionId: string; readonly groupId: string }): GroupLink {
    return { sessionId, turnId: this.#deps.turnId(), groupId };
  }

  #nameOf(key: ChildKey): string {
    return inert(this.#childOf(key)?.displayName ?? key.agentId);
  }

  /** The list moves the task of a completed child to review right after it has settled. */
  #endOf({ outcome, ...key }: EventOf<'child.settled'>): string {
    const isToReview = outcome.status === 'completed' && this.#childOf(key)?.taskId !== undefined;
    return inert(this.#deps.words.end({ status: outcome.status, outcome, ...(isToReview && { taskStatus: 'review' }) }), Infinity);
  }

  #childOf({ groupId, agentId }: ChildKey): ChildView | undefined {
    return this.#deps.agent.group(groupId)?.children.find((one) => one.agentId === agentId);
  }
}
