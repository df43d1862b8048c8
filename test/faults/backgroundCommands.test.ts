import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import type { ModelRequest } from '../../src/runtime/domain/models.ts';
import { isRoot, lastUserText, startAgent } from '../support/agentFixture.ts';
import { processesIn } from '../support/processes.ts';
import type { ScriptedTurn } from '../support/scriptedModel.ts';
import { eventually } from '../support/toolContext.ts';

/** A root and a child that each leave a command running, and then do a little more. */
function script(request: ModelRequest): ScriptedTurn {
  const background = { name: 'Bash', input: { command: 'sleep 1000 & sleep 1001', run_in_background: true } };
  if (isRoot(request)) {
    if (lastUserText(request) !== 'go') return { text: 'Noted.' };
    return { calls: [background, { name: 'Agent', input: { tasks: [{ display_name: 'A', prompt: 'A' }] } }] };
  }
  return request.messages.length === 1 ? { calls: [background] } : { text: 'Done.' };
}

interface Act {
  readonly act: (agent: LiteAgent) => unknown;
  /** Whether the root's command runs on after it. */
  readonly rootGoesOn: boolean;
}
const ACTS: Readonly<Record<string, Act>> = {
  'a child is cancelled': { act: (agent) => agent.cancelChild(agent.groups()[0]?.children[0]?.agentId ?? ''), rootGoesOn: true },
  'the agent is closed': { act: (agent) => agent.close(), rootGoesOn: false },
  'the window is reloaded': { act: (agent) => agent.suspend(), rootGoesOn: false },
  'no shell may run any more': { act: (agent) => agent.configure({ shell: false }), rootGoesOn: false },
};

const isOver = (agent: LiteAgent): boolean => agent.groups().every(({ status }) => status !== 'running');

/** Runs the whole story and does the act at that event. False when there were fewer events. */
async function runWith({ act, rootGoesOn }: Act, at: number): Promise<boolean> {
  const fixture = await startAgent(script, { permissions: { user: { allow: ['Bash'] } }, checkpoints: false });
  const { agent, recorder, cwd } = fixture;
  try {
    const session = await agent.openSession();
    let seen = 0;
    let acting: Promise<unknown> | undefined;
    agent.subscribe(() => {
      // Not inside the delivery of the event, where nobody acts, but before anything else can happen.
      if (seen++ === at) queueMicrotask(() => void (acting = Promise.resolve(act(agent))));
    });
    await session.send('go');
    if (agent.groups().length > 0 && rootGoesOn) await recorder.until('group.delivered');
    if (seen <= at) return false;
    await acting;
    while (!isOver(agent)) await new Promise((next) => setImmediate(next));
    // Whatever the children left has ended with them; of the root's, at most one is there.
    await eventually(() => processesIn(cwd).filter((command) => command.startsWith('sleep')).length <= (rootGoesOn ? 2 : 0), 'the end of what the act ends');
    await agent.close();
    assert.deepEqual(processesIn(cwd), []);
    assert.deepEqual(recorder.of('problem'), []);
    return true;
  } finally {
    await fixture.end();
  }
}

describe('what runs in the background', () => {
  for (const [what, act] of Object.entries(ACTS)) {
    it(`is gone in the end, when ${what} at any point`, async function () {
      if (process.platform === 'win32') return this.skip();
      this.timeout(120_000);
      for (let at = 0; await runWith(act, at); at += 1);
    });
  }
});
