import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { storeView } from '../../../src/runtime/agent/context/storedView.ts';
import { openResults } from '../../../src/runtime/agent/conversation.ts';
import { pastRun } from '../../../src/runtime/delegation/pastRun.ts';
import type { ChildSpec } from '../../../src/runtime/domain/agents.ts';
import { textMessage, textOf, type Message } from '../../../src/runtime/domain/messages.ts';
import type { TranscriptEntry } from '../../../src/runtime/domain/transcripts.ts';
import { parseJsonl } from '../../../src/runtime/store/jsonl.ts';
import { assertWellFormed } from '../../support/scriptedModel.ts';
import { definition } from './fixture.ts';

const spec = (round: number): ChildSpec => ({ agentId: 'agent-a-1', displayName: 'A', definition: 'general-purpose', model: { provider: 'p', model: 'm' }, prompt: `round ${round}`, maxTurns: 5, tools: ['Read'], round });
const message = (value: Message): TranscriptEntry => ({ type: 'message', at: 1, message: value });
const said = (text: string, calls: readonly string[] = []): TranscriptEntry =>
  message({ role: 'assistant', stop: calls.length > 0 ? 'tool_calls' : 'stop', content: [{ type: 'text', text }, ...calls.map((id) => ({ type: 'tool_call' as const, id, name: 'Read', arguments: '{}' }))] });
const results = (ids: readonly string[]): TranscriptEntry => message({ role: 'tool', results: ids.map((callId) => ({ callId, name: 'Read', isError: false, content: [{ type: 'text', text: 'é→' }] })) });

const ENTRIES: readonly TranscriptEntry[] = [
  { type: 'started', at: 1, run: { kind: 'child', sessionId: 's', groupId: 'bg_1', spec: spec(1), definition: definition('general-purpose'), system: 'You help.' } },
  message(textMessage('round 1')),
  said('Looking.', ['1', '2']),
  results(['1', '2']),
  said('One.'),
  { type: 'ended', at: 2, outcome: { status: 'completed', text: 'One.' } },
  { type: 'resumed', at: 3, groupId: 'bg_2', spec: spec(2) },
  message(textMessage('round 2')),
  said('More.', ['3']),
  { type: 'resumed', at: 4, groupId: 'bg_2', spec: spec(2) },
  results(['3']),
  said('Two.'),
  { type: 'ended', at: 5, outcome: { status: 'completed', text: 'Two.' } },
];

/** The same run, on a model that saw less of it from the second round's call on. */
const SHORTENED: readonly TranscriptEntry[] = ENTRIES.flatMap((entry, index): TranscriptEntry[] => {
  if (index !== 8) return [entry];
  const above = ENTRIES.slice(0, index).flatMap((line) => (line.type === 'message' ? [line.message] : []));
  return [{ type: 'compacted', at: 3, how: 'summarised', tokensBefore: 900, tokensAfter: 100, view: storeView([...above.slice(0, 1), textMessage('Sum: é→', 'summary'), ...above.slice(-1)], above) }, entry];
});

describe('what a child’s transcript keeps of it', () => {
  it('is its first and its latest spec, and its latest round apart from the whole', () => {
    const past = pastRun(ENTRIES);
    assert.deepEqual([past?.first.round, past?.latest.round, past?.groupId, past?.messages.length, past?.round.messages.length, past?.round.outcome?.status], [1, 2, 'bg_2', 8, 4, 'completed']);
  });

  it('has no end once it has gone on', () => {
    assert.equal(pastRun(ENTRIES.slice(0, 7))?.round.outcome, undefined);
    assert.deepEqual(pastRun(ENTRIES.slice(0, 7))?.round.messages, []);
  });

  it('is also what its model saw last, beside everything that was said', () => {
    const past = pastRun(SHORTENED);
    assert.deepEqual(past?.messages, pastRun(ENTRIES)?.messages);
    assert.deepEqual(past?.view.map((one) => (one.role === 'user' ? textOf(one.content) : one.role)), ['round 1', 'Sum: é→', 'round 2', 'assistant', 'tool', 'assistant']);
    assert.deepEqual(past.round, pastRun(ENTRIES)?.round);
    assert.ok(past.round.messages.every((one) => past.view.includes(one)), 'the very messages that its task is known by');
  });

  it('is nothing where the transcript doesn’t begin with what the child is', () => {
    assert.equal(pastRun([]), undefined);
    assert.equal(pastRun(ENTRIES.slice(1)), undefined);
    assert.equal(pastRun([{ type: 'started', at: 1, run: { kind: 'root', sessionId: 's', cwd: '/w' } }]), undefined);
  });

  for (const [name, lines] of [['', ENTRIES], ['that was shortened ', SHORTENED]] as const) {
    it(`is a conversation ${name}that can go on, cut at any byte`, () => {
      const all = Buffer.from(lines.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      fc.assert(
        fc.property(fc.nat(all.length), (cut) => {
          const entries = parseJsonl<TranscriptEntry>(all.subarray(0, cut).toString('utf8'));
          const past = pastRun(entries);
          assert.equal(past !== undefined, entries.length > 0);
          if (!past || past.messages.length === 0) return;
          for (const messages of [past.messages, past.view]) {
            // Calls of the last message get their results as the run goes on.
            const open = openResults(messages.at(-1));
            assertWellFormed({ model: 'm', system: '', tools: [], signal: new AbortController().signal, messages: open ? [...messages, open] : messages });
          }
          const isShortened = entries.some(({ type }) => type === 'compacted');
          assert.equal(past.view.some((one) => one.role === 'user' && one.source === 'summary'), isShortened);
          if (!isShortened) assert.deepEqual(past.view, past.messages);
        }),
        { numRuns: 500 },
      );
    });
  }
});
