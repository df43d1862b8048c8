import assert from 'node:assert/strict';
import type { GroupView } from '../../../src/runtime/domain/agents.ts';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { TurnRenderer } from '../../../src/ui/chat/turnRenderer.ts';
import { question } from '../ui/fakes.ts';
import { IDS, RecordedOutput, WORDS, child, completionTurn, event, group, rootText, scheduledTurn, userTurn } from './support.ts';

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

  it('puts a scheduled prompt over its answer, its tool calls and its failure, and nothing where it has only begun', () => {
    assert.deepEqual(render([userTurn.started('t1'), rootText('a'), userTurn.ended('t1'), scheduledTurn.started('s1')]), ['text:a']);
    assert.deepEqual(render([userTurn.started('t1'), rootText('a'), userTurn.ended('t1'), scheduledTurn.started('s1'), rootText('b'), rootText('c'), scheduledTurn.ended('s1')]), ['text:a', 'text:\n\n*SCHEDULED Look*', 'text:\n\nb', 'text:c']);
    assert.deepEqual(render([scheduledTurn.started('s1'), called('Glob', 'Searching'), rootText('b'), scheduledTurn.ended('s1')]), ['text:*SCHEDULED Look*', 'progress:Searching', 'text:\n\nb']);
    const failed = scheduledTurn.ended('s1', { status: 'failed', reason: 'error', message: 'no model' });
    assert.deepEqual(render([scheduledTurn.started('s1'), failed]), ['text:*SCHEDULED Look*', 'text:\n\nFAILED no model']);
  });

  it('shows a delegation as its block only', () => {
    assert.deepEqual(render([called('Agent', 'Delegating'), accepted]), ['block:$(circle-outline) **Name of a** · queued']);
  });

  describe('of a root that waits for its group', () => {
    const key = { sessionId: 's1', groupId: 'bg_1', agentId: 'a' };
    const waits = event({ type: 'tool.progress', agent: ROOT, callId: '1', text: 'Waiting for: [x](command:y)' });
    const started = event({ type: 'child.started', ...key });
    const settled = event({ type: 'child.settled', ...key, outcome: { status: 'completed', text: 'x' } });
    const ended = event({ type: 'tool.ended', agent: ROOT, callId: '1', tool: 'Task', isError: false, isDenied: false, durationMs: 1 });
    const running = group([child('a', { status: 'running' })]);

    /** Renders the events, each with the group as it is then. */
    function renderWith(events: readonly (readonly [RuntimeEvent, GroupView?])[]): string[] {
      const output = new RecordedOutput();
      let now: GroupView | undefined;
      const renderer = new TurnRenderer({ output, agent: { group: () => now }, ids: IDS, words: WORDS, turnId: () => 't1' });
      for (const [one, view] of events) {
        now = view ?? now;
        renderer.handle(one, false);
      }
      return output.parts.map((part) => (part.startsWith('block:') ? `block:${part.slice(6).trim().split('  \n')[0]}` : part));
    }

    it('tells what happens while it waits, first as it runs and then as it ended, and never as queued', () => {
      const lines = renderWith([[userTurn.started('t1')], [called('Task', 'Waiting for: A')], [accepted, group([child('a')])], [started, running], [waits], [settled, done], [ended], [rootText('So.')]]);
      assert.deepEqual(lines, [
        'progress:started Name of a',
        'block:$(play-circle) **Name of a** · running',
        'progress:Waiting for&#58; &#91;x&#93;&#40;command&#58;y&#41;',
        'progress:ended Name of a: completed',
        'block:$(pass) **Name of a** · completed',
        'text:So.',
      ]);
    });

    it('shows a group that moved to the background once, and its end with its completion', () => {
      const background = [[userTurn.started('t1')], [called('MultiTask', 'Waiting for: A')], [accepted, running], [waits], [ended], [userTurn.ended('t1')]] as const;
      assert.deepEqual(renderWith(background).slice(1), ['progress:Waiting for&#58; &#91;x&#93;&#40;command&#58;y&#41;']);
      assert.deepEqual(renderWith([...background, [completionTurn.started('t2')], [rootText('So.'), done]]).slice(2), ['block:$(pass) **Name of a** · completed', 'text:So.']);
    });

    it('shows a group also where the call ended before it could wait, and none where none was accepted', () => {
      assert.deepEqual(renderWith([[called('Task', 'Waiting')], [accepted, running], [ended]]), ['block:$(play-circle) **Name of a** · running']);
      assert.deepEqual(renderWith([[called('Task', 'Waiting')], [ended], [accepted, running]]), ['block:$(circle-outline) **Name of a** · queued']);
    });
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
        event({ type: 'approval.wanted', request: { ...request, tool: 'mcp__weather__look', action: 'mcp__weather__look {"at":1}' } }),
        event({ type: 'child.settled', ...key, outcome: { status: 'failed', reason: 'timeout', message: 'm' } }),
      ],
      { group: done },
    );
    assert.deepEqual(lines, ['progress:started Name of a', 'progress:wants &#36;&#40;trash&#41;: &#96;npm test&#96;', 'progress:wants &#36;&#40;trash&#41;: weather&#58; look {"at"&#58;1}', 'progress:ended Name of a: failed&#58; it took too long']);
  });

  it('shows the question of a child as one line, after the turn of the root', () => {
    const agent = { kind: 'child', displayName: 'A [x](y)', sessionId: 's1', groupId: 'bg_1', agentId: 'a' } as const;
    const wanted = event({ type: 'approval.wanted', request: question({ agent, question: { question: 'Red\nor [blue](command:x)?' } }) });
    assert.deepEqual(render([wanted]), ['progress:asks A &#91;x&#93;&#40;y&#41;: Red or &#91;blue&#93;&#40;command&#58;x&#41;?']);
    assert.deepEqual(render([userTurn.started('t1'), wanted]), []);
  });

  it('shows the question of the root at once, with a way to all that waits, which answers nothing by itself', () => {
    const wanted = event({ type: 'approval.wanted', request: question({ agent: ROOT, question: { question: 'Go [on](command:x)?' } }) });
    const asked = 'Go &#91;on&#93;&#40;command&#58;x&#41;?';
    assert.deepEqual(render([userTurn.started('t1'), rootText('Hm.'), wanted, rootText('Good.')]), [
      'text:Hm.',
      `pending:\n\n${asked} · [Pending](command:ext.pending)\n\n`,
      `progress:asks: ${asked}`,
      'text:\n\nGood.',
    ]);
    assert.deepEqual(render([wanted], { replayed: true }), []);
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
    assert.deepEqual(render([accepted], { group: group([child('a', { status: 'running' })]), replayed: true }), ['block:$(circle-outline) **Name of a** · queued']);
  });
});
