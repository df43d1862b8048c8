import assert from 'node:assert/strict';
import type { GroupView } from '../../../src/runtime/domain/agents.ts';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { TurnRenderer } from '../../../src/ui/chat/turnRenderer.ts';
import { IDS, RecordedOutput, WORDS, child, completionTurn, event, group, rootText, userTurn } from './support.ts';

const ROOT = { kind: 'root', sessionId: 's1' } as const;
const accepted = event({ type: 'group.accepted', group: group([child('a')]), hostId: 'host-1' });
const done = group([child('a', { status: 'completed', outcome: { status: 'completed', text: 'x' } })], { status: 'completed' });
const called = (tool: string, activity: string, paths: string[] = []): RuntimeEvent => event({ type: 'tool.called', agent: ROOT, callId: '1', tool, activity, paths });

/** Renders the events; `brief` cuts every block to its first line. */
function render(events: readonly RuntimeEvent[], options: { group?: GroupView; replayed?: boolean } = {}): string[] {
  const output = new RecordedOutput();
  const renderer = new TurnRenderer({ output, agent: { group: () => options.group }, ids: IDS, words: WORDS, turnId: () => 't1' });
  events.forEach((one) => renderer.handle(one, options.replayed ?? false));
  return output.parts.map((part) => (part.startsWith('block:') ? `block:${part.slice(6).trim().split('  \n')[0]}` : part));
}

describe('a response', () => {
  it('streams text, and parts what a tool call or another turn stood between', () => {
    assert.deepEqual(render([userTurn.started('t1'), rootText('a'), rootText('b'), called('Glob', 'Searching'), rootText('c'), userTurn.ended('t1'), userTurn.started('t2'), rootText('d')]), [
      'text:a',
      'text:b',
      'progress:Searching',
      'text:\n\nc',
      'text:\n\nd',
    ]);
  });

  it('shows tool calls as inert activities and read files as references', () => {
    assert.deepEqual(render([called('Read', 'Reading [x](command:y)', ['/w/a.ts'])]), ['progress:Reading &#91;x&#93;&#40;command&#58;y&#41;', 'file:/w/a.ts']);
  });

  it('keeps the progress of children for after the turn of the root, whose text would fold it away', () => {
    const wanted = event({ type: 'child.started', sessionId: 's1', groupId: 'bg_1', agentId: 'a' });
    const output = new RecordedOutput();
    const renderer = new TurnRenderer({ output, agent: { group: () => undefined }, ids: IDS, words: WORDS, turnId: () => 't1' });
    for (const each of [userTurn.started('t1'), wanted, rootText('Started.'), wanted, userTurn.ended('t1'), wanted]) renderer.handle(each, false);
    assert.deepEqual(output.parts, ['text:Started.']);
    renderer.release();
    renderer.handle(wanted, false);
    assert.deepEqual(output.parts.slice(1), Array.from({ length: 4 }, () => 'progress:started a'));
  });

  it('shows a delegation as its block only', () => {
    assert.deepEqual(render([called('Agent', 'Delegating'), accepted]), ['block:$(circle-large-outline) **Name of a** · queued']);
  });

  it("shows one progress line for each child's start, wish and end, and not its text", () => {
    const key = { sessionId: 's1', groupId: 'bg_1', agentId: 'a' };
    const agent = { kind: 'child', displayName: '$(trash)', ...key } as const;
    const request = { id: 'r', agent, callId: 'c', tool: 'Bash', action: '`npm test`', input: {}, preview: { kind: 'text', text: '' }, why: '', canAlways: false, requestedAt: 0 } as const;
    const lines = render(
      [
        event({ type: 'child.queued', ...key }),
        event({ type: 'child.started', ...key }),
        event({ type: 'text.delta', agent, text: 'secret' }),
        event({ type: 'tool.called', agent, callId: 'c', tool: 'Read', activity: 'Reading', paths: ['/x'] }),
        event({ type: 'approval.wanted', request }),
        event({ type: 'child.settled', ...key, outcome: { status: 'failed', reason: 'timeout', message: 'm' } }),
      ],
      { group: done },
    );
    assert.deepEqual(lines, ['progress:started Name of a', 'progress:wants &#36;&#40;trash&#41;: &#96;npm test&#96;', 'progress:ended Name of a: failed timeout']);
  });

  it("writes the settled block directly before the completion's text", () => {
    const lines = render([completionTurn.started('t2'), called('Read', 'Reading', []), rootText('all '), rootText('done'), completionTurn.ended('t2')], { group: done });
    assert.deepEqual(lines, ['progress:Reading', 'block:$(pass) **Name of a** · completed', 'text:all ', 'text:done']);
  });

  it('writes the settled block also where the completion says nothing or fails', () => {
    assert.deepEqual(render([completionTurn.started('t2'), completionTurn.ended('t2')], { group: done }), ['block:$(pass) **Name of a** · completed']);
    const failed = completionTurn.ended('t2', 'bg_1', { status: 'failed', reason: 'auth', message: 'no key' });
    assert.deepEqual(render([completionTurn.started('t2'), failed], { group: done }).slice(1), ['text:FAILED no key']);
  });

  it('marks once where an answer broke off that is said again, and parts the two', () => {
    const discarded = event({ type: 'text.discarded', agent: ROOT });
    const lines = render([userTurn.started('t1'), rootText('half'), discarded, discarded, rootText('whole'), rootText(' thing')]);
    assert.deepEqual(lines, ['text:half', 'text:\n\n*AGAIN*', 'text:\n\nwhole', 'text: thing']);
  });

  it('still marks it where the conversation was summed up in between', () => {
    const summed = event({ type: 'model.ended', agent: ROOT, stop: 'stop', usage: NO_USAGE, isSummary: true });
    assert.deepEqual(render([userTurn.started('t1'), rootText('half'), summed, event({ type: 'text.discarded', agent: ROOT })]), ['text:half', 'text:\n\n*AGAIN*']);
  });

  it('closes the code block in which an answer broke off, so that what follows is none', () => {
    assert.deepEqual(render([rootText('```ts\nlet'), rootText(' a'), event({ type: 'text.discarded', agent: ROOT })]).slice(2), ['text:\n```\n\n*AGAIN*']);
  });

  it('marks nothing where nothing was said, where it was said to the end, or where a child begins again', () => {
    const ended = event({ type: 'model.ended', agent: ROOT, stop: 'tool_calls', usage: NO_USAGE });
    const discarded = event({ type: 'text.discarded', agent: ROOT });
    const ofChild = event({ type: 'text.discarded', agent: { kind: 'child', sessionId: 's1', groupId: 'bg_1', agentId: 'a', displayName: 'A' } });
    assert.deepEqual(render([userTurn.started('t1'), discarded, rootText('a'), ofChild, ended, discarded, userTurn.ended('t1'), userTurn.started('t2'), discarded]), ['text:a']);
  });

  it("says that the root's model is asked again, and nothing of a child's, which the panel shows", () => {
    const retry = { at: 1000, type: 'retry.scheduled', attempt: 2, failure: 'overloaded', message: '[x](command:y)' } as const;
    assert.deepEqual(render([{ ...retry, until: 12_500, agent: ROOT }]), ['progress:retrying after overloaded in 12000 ms']);
    assert.deepEqual(render([{ ...retry, until: 1000, agent: ROOT }]), ['progress:retrying after overloaded in 1000 ms']);
    assert.deepEqual(render([{ ...retry, until: 12_500, agent: { kind: 'child', sessionId: 's1', groupId: 'bg_1', agentId: 'a', displayName: 'A' } }]), []);
    assert.deepEqual(render([{ ...retry, until: 12_500, agent: ROOT }], { replayed: true }), []);
  });

  it('shows only what lasts of what was missed', () => {
    const missed = [accepted, completionTurn.started('t2'), rootText('done'), completionTurn.ended('t2')];
    assert.deepEqual(render(missed, { group: done, replayed: true }), ['block:$(pass) **Name of a** · completed', 'text:done']);
    assert.deepEqual(render([accepted], { group: group([child('a', { status: 'running' })]), replayed: true }), ['block:$(circle-large-outline) **Name of a** · queued']);
  });
});
