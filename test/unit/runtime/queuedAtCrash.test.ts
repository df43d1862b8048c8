import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { RunOutcome } from '../../../src/runtime/domain/agents.ts';
import { isRoot, promptOf, reopenAgent, startAgent, type AgentFixture, type AgentFixtureOptions } from '../../support/agentFixture.ts';
import { crashed, type Folders } from '../../support/crash.ts';

interface Left extends Folders {
  readonly groupId: string;
  /** The child that waited. */
  readonly agentId: string;
}

const file = (name: string, prompt: string, more = ''): string => `---\nname: ${name}\ndescription: d\n${more}---\n${prompt}\n`;
const folderOf = (cwd: string): string => join(cwd, '.lite-agent/agents');

describe('a child that was queued when its host ended', () => {
  const open: { end(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.end();
  });

  async function queuedThenCrashed(type: string, options: AgentFixtureOptions = {}): Promise<Left> {
    const held = deferred<void>();
    const fixture = await startAgent((request) => (isRoot(request) ? { text: 'Noted.' } : { text: 'x', wait: held.promise }), { maxParallelSubagents: 1, ...options });
    open.push({
      end: async () => {
        held.resolve();
        await fixture.end();
      },
    });
    fixture.agent.configure({ agents: { project: folderOf(fixture.cwd) } });
    const group = await (await fixture.agent.openSession()).delegate([{ display_name: 'A', prompt: 'a' }, { display_name: 'B', prompt: 'b', subagent_type: type }]);
    await fixture.recorder.until('child.started');
    const copy = await crashed(fixture);
    open.push({ end: () => copy.remove() });
    return { cwd: fixture.cwd, storageDir: copy.storageDir, groupId: group.groupId, agentId: group.children[1]?.agentId ?? '' };
  }

  /** Lets the group go on in a new host, where the child writes a file if it has the tool for that. */
  async function resumed(left: Left, options: AgentFixtureOptions): Promise<{ readonly next: AgentFixture; readonly outcome: RunOutcome; readonly systems: readonly string[] }> {
    const next = await reopenAgent(left, (request) => {
      const writes = !isRoot(request) && promptOf(request) === 'b' && request.messages.at(-1)?.role !== 'tool';
      return writes ? { calls: [{ name: 'Write', input: { file_path: 'b.txt', content: 'x' } }] } : { text: 'Done.' };
    }, { agents: { project: folderOf(left.cwd) }, ...options });
    open.push(next);
    await next.agent.resumeGroup(left.groupId);
    const { outcome } = await next.recorder.until('child.settled', ({ agentId }) => agentId === left.agentId);
    return { next, outcome, systems: next.model.requests.filter((request) => promptOf(request) === 'b').map(({ system }) => system) };
  }

  it('starts on the definition that it was accepted with, not on an unapproved file of that name', async () => {
    const left = await queuedThenCrashed('general-purpose');
    await mkdir(folderOf(left.cwd), { recursive: true });
    await writeFile(join(folderOf(left.cwd), 'general-purpose.md'), file('general-purpose', 'FROM THE PROJECT'));
    const { outcome, systems } = await resumed(left, { definitionApprovals: { isApproved: () => false, approve: async () => undefined } });
    assert.equal(outcome.status, 'completed');
    assert.ok(systems.length > 0 && !systems.some((system) => system.includes('FROM THE PROJECT')), systems.join('\n'));
  });

  it('keeps the permission limits that it was accepted with', async () => {
    const left = await queuedThenCrashed('careful', { workspace: { '.lite-agent/agents/careful.md': file('careful', 'Be careful.', 'permission:\n  deny: [Edit, Write]\n') } });
    await writeFile(join(folderOf(left.cwd), 'careful.md'), file('careful', 'Be careful.'));
    const { next, systems } = await resumed(left, { permissions: { user: { allow: ['Edit', 'Write'] } } });
    assert.ok(systems.length > 0);
    assert.deepEqual(next.recorder.of('files.changed'), []);
  });

  it('does not start where its definition is not stored, and says what to do', async () => {
    const left = await queuedThenCrashed('general-purpose');
    const log = join(left.storageDir, 'groups', `${left.groupId}.jsonl`);
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line) as object);
    await writeFile(log, lines.map((line) => `${JSON.stringify({ ...line, definitions: undefined })}\n`).join(''));
    const { outcome, systems } = await resumed(left, {});
    assert.ok(outcome.status === 'failed' && /not stored.*Delegate its work anew/.test(outcome.message), JSON.stringify(outcome));
    assert.deepEqual(systems, []);
  });

  it('has its definition in the log once, however many children start on it', async () => {
    const fixture = await startAgent((request) => ({ text: isRoot(request) ? 'Noted.' : 'x' }));
    open.push(fixture);
    await (await fixture.agent.openSession()).delegate(['A', 'B', 'C'].map((name) => ({ display_name: name, prompt: name })));
    assert.deepEqual(fixture.recorder.of('group.accepted').map(({ definitions }) => definitions?.map(({ name }) => name)), [['general-purpose']]);
  });
});
