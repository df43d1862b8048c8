import assert from 'node:assert/strict';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred, type Deferred } from '../../../src/runtime/base/async.ts';
import { isRoot, promptOf, reopenAgent, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { completionsIn, crashed, type Folders } from '../../support/crash.ts';

const ODD = [null, 1, [], {}, { type: 'message' }, { at: 1, type: 'message' }, { at: 1, type: 'message', message: { role: 'assistant', stop: 'stop', content: [null] } }, { at: 1, type: 'message', message: { role: 'tool', results: [{}] } }, { at: 1, type: 'started', run: { kind: 'child' } }, { at: 1, type: 'resumed' }, { at: 1, type: 'ended' }, { at: 1, type: 'turn', turnId: 't' }, { at: 1, type: 'later' }];

describe('a transcript with lines that are no entries', () => {
  let fixture: AgentFixture;
  let copy: Folders & { remove(): Promise<void> };
  let next: AgentFixture | undefined;
  let held: Deferred<void>;
  beforeEach(async () => {
    held = deferred<void>();
    fixture = await startAgent((request) => (isRoot(request) ? { text: 'Noted.' } : { text: 'x', ...(promptOf(request) === 'slow' && { wait: held.promise }) }));
    await (await fixture.agent.openSession()).delegate([{ display_name: 'A', prompt: 'slow' }], { turnId: 't1' });
    await fixture.recorder.until('child.started');
    copy = await crashed(fixture);
  });
  afterEach(async () => {
    held.resolve();
    await next?.end();
    next = undefined;
    await copy.remove();
    await fixture.end();
  });

  /** Adds the odd lines to the transcripts of that kind, and goes on in a new host. */
  async function resume(kind: 'session-' | 'agent-'): Promise<AgentFixture> {
    const folder = join(copy.storageDir, 'transcripts');
    for (const name of await readdir(folder)) if (name.startsWith(kind)) await appendFile(join(folder, name), ODD.map((line) => `${JSON.stringify(line)}\n`).join(''));
    next = await reopenAgent(copy, (request) => ({ text: isRoot(request) ? 'Noted.' : 'Went on.' }));
    await next.agent.resumeGroup(next.agent.groups()[0]?.groupId ?? '');
    return next;
  }

  it('lets its child go on', async () => {
    const { recorder } = await resume('agent-');
    assert.equal((await recorder.until('child.settled')).outcome.status, 'completed');
  });

  it('lets its conversation hear of its results, and holds nothing else', async () => {
    const { recorder, agent } = await resume('session-');
    const { sessionId } = await recorder.until('group.delivered');
    assert.equal((await completionsIn(agent, sessionId)).length, 1);
    assert.deepEqual(recorder.of('problem'), []);
    await recorder.until('turn.ended');
    assert.deepEqual((await agent.transcript(sessionId)).map(({ type }) => type), ['started', 'turn', 'message', 'turn', 'message', 'message']);
  });
});
