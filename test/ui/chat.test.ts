import assert from 'node:assert/strict';
import { waitFor } from '../../scripts/lib/wait.ts';
import { processesWith } from '../support/processes.ts';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';
import type { Workbench } from '../support/workbench.ts';

/** Part of what the offline model says to a greeting. */
const HELP = 'write FILE: TEXT';

describe('the chat', () => {
  let subagents: Subagents;
  let workbench: Workbench;

  before(async () => {
    subagents = new Subagents(await startProduct({
      settings: { 'subagents.maxParallelSubagents': 3 },
      machineSettings: { 'subagents.permissions.allow': ['Bash(sleep:*)'] },
    }));
    workbench = subagents.product.workbench;
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  it('ends its answer at once on Stop, while children go on until they are cancelled', async () => {
    await subagents.delegate(task('Keeps going', 'sleep 60'), task('Goes on too', 'sleep 60'));
    await subagents.waitForChild('Goes on too', 'running');
    await workbench.chat.waitForText('Continue in Background');
    await workbench.chat.stop();
    await workbench.chat.waitForEnd(2_000);
    const { text } = await workbench.notifications.waitForButton('Cancel Subagents');
    assert.deepEqual(await subagents.states(), { 'Keeps going': 'running', 'Goes on too': 'running' });

    await workbench.notifications.clickButton(text, 'Cancel Subagents');
    await subagents.waitForChild('Keeps going', 'cancelled');
    await subagents.waitForChild('Goes on too', 'cancelled');
  });

  it('continues in the background, says when it is done, and begins its next answer with the result', async () => {
    await subagents.delegate(task('Backstage', 'sleep 3'), task('Behind it', 'sleep 2'));
    await subagents.waitForChild('Backstage', 'running');
    await workbench.chat.clickButton('Continue in Background');
    await workbench.chat.waitForEnd(2_000);
    assert.equal((await subagents.child('Backstage'))?.description.includes('cancelled'), false);
    const { text, buttons } = await workbench.notifications.waitForButton('Review');
    assert.match(text, /Backstage/);
    assert.ok(!buttons.includes('Show in Panel'), 'one message, not two');
    await subagents.waitForChild('Backstage', 'review');

    await subagents.say('hello');
    await workbench.chat.waitForText(HELP);
    const answer = await workbench.chat.wholeResponse();
    assert.ok(answer.includes('Backstage') && answer.indexOf('Backstage') < answer.indexOf(HELP), 'what was missed comes first');
    const block = await workbench.chat.waitForBlock();
    assert.match(block[0] ?? '', /Backstage.*review/);
  });

  it('takes a message while a group runs as a turn of its own, and leaves the children alone', async () => {
    await subagents.delegate(task('Undisturbed', 'sleep 60'), task('Likewise', 'sleep 60'));
    await subagents.waitForChild('Undisturbed', 'running');
    await workbench.chat.waitForText('Continue in Background');
    await subagents.say('hello');
    await workbench.chat.waitForText(HELP);
    assert.deepEqual(await subagents.states(), { Undisturbed: 'running', Likewise: 'running' });
    assert.equal((await subagents.events('child.settled')).filter(({ outcome }) => outcome.status === 'cancelled').length, await cancelledBefore('Undisturbed'));
  });

  it('starts nothing more, and leaves no process, when a group is cancelled', async () => {
    const seconds = ['611.25', '612.25', '613.25', '614.25', '615.25'];
    await subagents.delegate(...seconds.map((time, index) => task(`Sleeper ${index + 1}`, `run sleep ${time}`)));
    await waitFor('three processes', 15_000, () => (seconds.slice(0, 3).every((time) => processesWith(`sleep ${time}`).length > 0) ? true : undefined));
    await subagents.waitForChild('Sleeper 5', 'queued');
    await subagents.tree.inlineAction('Sleeper 1 and 4 more', 'Cancel Group');
    await waitFor('the end of the processes', 10_000, () => (seconds.some((time) => processesWith(`sleep ${time}`).length > 0) ? undefined : true));
    for (let number = 1; number <= 5; number += 1) await subagents.waitForChild(`Sleeper ${number}`, 'cancelled');
    await workbench.chat.waitForEnd();

    const group = (await subagents.events('group.accepted')).at(-1)?.group;
    const started = (await subagents.events('child.started')).filter(({ groupId }) => groupId === group?.groupId);
    assert.deepEqual(started.map(({ agentId }) => agentId), group?.children.slice(0, 3).map(({ agentId }) => agentId));
    assert.deepEqual(seconds.flatMap((time) => processesWith(`sleep ${time}`)), []);
  });

  it('delegates a line each with /delegate, tells the state with /status, and cancels with /cancel', async () => {
    await subagents.say('@Explore sleep 60\n@code-reviewer sleep 61', 'delegate');
    await subagents.waitForChild('sleep 60', 'running');
    await subagents.waitForChild('sleep 61', 'running');
    const definitions = (await subagents.events('group.accepted')).at(-1)?.group.children.map(({ definition }) => definition);
    assert.deepEqual(definitions, ['Explore', 'code-reviewer']);

    await subagents.say('', 'status');
    await workbench.chat.waitForText(/running: 2/i);
    await workbench.chat.waitForEnd();

    await subagents.say('', 'cancel');
    await subagents.waitForChild('sleep 60', 'cancelled');
    await subagents.waitForChild('sleep 61', 'cancelled');
    await workbench.chat.waitForEnd();
  });

  it('lists the definitions with /agents', async () => {
    await subagents.say('', 'agents');
    await workbench.chat.waitForEnd();
    const answer = await workbench.chat.lastResponse();
    for (const name of ['Explore', 'general-purpose', 'code-reviewer', 'security-reviewer']) assert.match(answer, new RegExp(name));
  });

  it('refuses an unknown name and lists the valid ones, from the list and from /delegate', async () => {
    const before = (await subagents.events('group.accepted')).length;
    await subagents.delegate(task('@nobody-here Find it'), task('Wait', 'sleep 1'));
    const answer = await workbench.chat.waitForText('nobody-here');
    await workbench.chat.waitForEnd();
    assert.match(answer + (await workbench.chat.lastResponse()), /Explore.*general-purpose/s);
    await subagents.say('@nobody-there find it', 'delegate');
    await workbench.chat.waitForText(/nobody-there[\s\S]*Explore[\s\S]*general-purpose/);
    await workbench.chat.waitForEnd();
    assert.equal((await subagents.events('group.accepted')).length, before, 'nothing was started');
  });

  /** Cancelled children of groups other than the one with this child. */
  async function cancelledBefore(name: string): Promise<number> {
    const mine = (await subagents.events('group.accepted')).find(({ group }) => group.children.some(({ displayName }) => displayName === name))?.group.groupId;
    return (await subagents.events('child.settled')).filter(({ groupId, outcome }) => groupId !== mine && outcome.status === 'cancelled').length;
  }
});
