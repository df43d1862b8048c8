import assert from 'node:assert/strict';
import { onAbort } from '../../src/runtime/base/abort.ts';
import type { StopReason } from '../../src/runtime/domain/messages.ts';
import type { ModelError, ModelEvent, ModelProvider, ModelRequest } from '../../src/runtime/domain/models.ts';
import type { Usage } from '../../src/runtime/domain/usage.ts';

/** One answer of the script: what the model says, calls and how it stops. `wait` holds the answer back until it resolves or the request aborts. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[];
  readonly stop?: StopReason;
  readonly error?: ModelError;
  readonly usage?: Partial<Usage>;
  readonly wait?: Promise<unknown>;
  /** Looks at the request before the answer; throws to fail the test. */
  readonly check?: (request: ModelRequest) => void;
}

/** Answers for one conversation, in order; or a function of the request for conversations that run side by side. */
export type Script = readonly ScriptedTurn[] | ((request: ModelRequest) => ScriptedTurn);

/**
 * A strict double of a model: it answers from its script, records every request, and fails the test on one that the
 * script doesn't expect or that is malformed (a call without exactly one result, in order). `assertClean` must be
 * called at the end of the test, since a stream may not throw.
 */
export class ScriptedModel implements ModelProvider {
  readonly id = 'scripted';
  readonly requests: ModelRequest[] = [];
  readonly #script: Script;
  readonly #problems: unknown[] = [];
  #next = 0;
  #calls = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    this.requests.push({ ...request, messages: [...request.messages] });
    let turn: ScriptedTurn;
    try {
      assertWellFormed(request);
      turn = this.#turnFor(request);
      turn.check?.(request);
    } catch (problem) {
      this.#problems.push(problem);
      yield { type: 'end', stop: 'error', error: { failure: 'bad_request', message: String(problem) } };
      return;
    }
    if (turn.wait && !(await endedFirst(turn.wait, request.signal))) {
      yield { type: 'end', stop: 'aborted' };
      return;
    }
    yield* this.#events(turn);
  }

  /** Throws the first problem that a request had, and where the script is a list, when answers are left over. */
  assertClean(): void {
    if (this.#problems.length > 0) throw this.#problems[0];
    if (typeof this.#script !== 'function') assert.equal(this.#next, this.#script.length, 'the script has answers left');
  }

  #turnFor(request: ModelRequest): ScriptedTurn {
    if (typeof this.#script === 'function') return this.#script(request);
    const turn = this.#script[this.#next];
    assert.ok(turn, `unexpected request number ${this.#next + 1}`);
    this.#next += 1;
    return turn;
  }

  *#events(turn: ScriptedTurn): Iterable<ModelEvent> {
    if (turn.thinking) yield { type: 'thinking', text: turn.thinking };
    if (turn.text) yield { type: 'text', text: turn.text };
    for (const { name, input, id } of turn.calls ?? []) {
      this.#calls += 1;
      yield { type: 'tool_call', id: id ?? `call_${this.#calls}`, name, arguments: typeof input === 'string' ? input : JSON.stringify(input) };
    }
    yield { type: 'usage', usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...turn.usage } };
    const stop = turn.stop ?? (turn.calls?.length ? 'tool_calls' : 'stop');
    yield { type: 'end', stop, ...(turn.error && { error: turn.error }) };
  }
}

/** True when the promise settled before the signal aborted. */
function endedFirst(promise: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const listening = onAbort(signal, () => resolve(false));
    void promise.then(
      () => resolve(true),
      () => resolve(true),
    ).finally(() => listening.dispose());
  });
}

/** What every provider demands of a conversation: each call has exactly one result, in order, in the message that follows. */
export function assertWellFormed({ messages }: ModelRequest): void {
  assert.notEqual(messages.length, 0, 'a request without messages');
  messages.forEach((message, index) => {
    const next = messages[index + 1];
    if (message.role === 'assistant') {
      const calls = message.content.filter((part) => part.type === 'tool_call').map(({ id }) => id);
      const results = next?.role === 'tool' ? next.results.map(({ callId }) => callId) : [];
      assert.deepEqual(results, calls, `message ${index}: its calls and the results after it differ`);
    }
    if (message.role === 'tool') assert.equal(messages[index - 1]?.role, 'assistant', `message ${index}: results without calls`);
  });
}
