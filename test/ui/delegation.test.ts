import assert from 'node:assert/strict';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/lib/paths.ts';
import { waitFor } from '../../scripts/lib/wait.ts';
import { startProduct } from '../support/product.ts';
import { saidBy, stateOf, Subagents, task } from '../support/subagents.ts';

describe('delegation from the chat', () => {
  let subagents: Subagents;

  before(async () => {
    subagents = new Subagents(await startProduct({
      settings: { 'subagents.maxParallelSubagents': 3 },
      machineSettings: {
        'subagents.permissions.allow': ['Bash(seq:*)'],
        'subagents.agents.directory': join(projectRoot, 'test', 'fixtures', 'agents'),
      },
    }));
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  it('shows a group as one block with a line for each child, and no transcript of any', async () => {
    const { chat } = subagents.product.workbench;
    await subagents.delegate(task('@Explore find "discount"'), task('@general-purpose Count far', 'run seq 7001 7019'), task('Wait briefly', 'sleep 1'));
    const accepted = await chat.waitForBlock();
    assert.equal(accepted.length, 4, accepted.join('\n'));
    for (const [index, name] of ['Find', 'Count far', 'Wait briefly'].entries()) assert.match(accepted[index] ?? '', new RegExp(name));

    for (const name of ['Count far', 'Wait briefly']) await subagents.waitForChild(name, 'review');
    await chat.waitForEnd();
    const settled = await chat.waitForBlock();
    assert.equal(settled.length, 4, settled.join('\n'));
    for (const line of settled.slice(0, 3)) assert.match(line, /review/);

    const everything = await chat.wholeResponse();
    assert.doesNotMatch(everything, /7012/, 'output of a command in the chat');
    assert.doesNotMatch(everything, /"file_path"|"pattern"/, 'tool calls of a child in the chat');
    const definitions = (await subagents.events('group.accepted')).at(-1)?.group.children.map(({ definition }) => definition);
    assert.deepEqual(definitions, ['Explore', 'general-purpose', 'general-purpose']);
  });

  it('lists five children with name, state and elapsed time, each up to date within two seconds', async () => {
    const names = ['North', 'East', 'South', 'West', 'Centre'];
    await subagents.delegate(...names.map((name, index) => task(name, index === 0 ? 'sleep 4' : 'sleep 60')));
    await subagents.waitForChild('Centre', 'queued');
    await subagents.waitForChild('South', 'running');
    const { children } = await subagents.newestGroup();
    assert.deepEqual(children.map(({ label }) => label), names);
    assert.deepEqual(children.map(stateOf), ['running', 'running', 'running', 'queued', 'queued']);
    for (const row of children.slice(0, 3)) assert.match(row.description, /\b\d+\s?s\b/);

    // Elapsed time goes on by itself.
    const before = await subagents.child('South');
    await waitFor('another elapsed time', 2_000, async () => ((await subagents.child('South'))?.description === before?.description ? undefined : true));

    await subagents.waitForChild('North', 'review');
    const seen = Date.now();
    const settled = (await subagents.events('child.settled')).at(-1);
    assert.ok(settled !== undefined && seen - settled.at < 2_000, `shown ${seen - (settled?.at ?? 0)} ms after it happened`);
    await subagents.waitForChild('West', 'running', 2_000);
  });

  it('gives each state a label and an icon of its own, and namesakes a number', async () => {
    const { workbench } = subagents.product;
    await subagents.delegate(
      task('Asker', 'run echo which-state'),
      task('Twin', 'sleep 60'),
      task('Breaks', 'fail: no such luck'),
      task('Accepted one', 'sleep 0'),
      task('Reviewed one', 'sleep 0'),
      task('Stopped one', 'sleep 60'),
      task('Twin', 'sleep 61'),
    );
    await subagents.waitForChild('Reviewed one', 'review');
    await subagents.waitForChild('Accepted one', 'review');
    const completed = await subagents.pressUntil('Accepted one', 'Accept', 'completed');
    await subagents.waitForChild('Stopped one', 'running');
    const cancelled = await subagents.pressUntil('Stopped one', 'Cancel Subagent', 'cancelled');
    const rows = {
      running: await subagents.waitForChild('Twin #1', 'running'),
      waiting: await subagents.waitForChild('Asker', 'waiting'),
      failed: await subagents.waitForChild('Breaks', 'failed'),
      completed,
      review: await subagents.waitForChild('Reviewed one', 'review'),
      cancelled,
    };
    await subagents.waitForChild('Twin #2', 'running');
    // All places are taken now.
    await workbench.chat.clickButton('Continue in Background');
    await workbench.chat.waitForEnd();
    await subagents.delegate(task('Last in line', 'sleep 5'));
    const queued = await subagents.waitForChild('Last in line', 'queued');

    const all = { ...rows, queued };
    const icons = Object.values(all).map(({ icon }) => icon.filter((name) => !name.startsWith('codicon-modifier')).join(' '));
    assert.equal(new Set(icons).size, icons.length, icons.join('\n'));
    assert.ok(icons.every((icon) => icon !== ''));
    for (const [state, row] of Object.entries(all)) assert.equal(stateOf(row), state, saidBy(row));
    for (const row of Object.values(all)) assert.ok(row.ariaLabel.includes(row.label) && row.ariaLabel.length > row.label.length, 'a screen reader hears the state too');
  });

  it('leads from the block to the group in the panel, and cancels from it', async () => {
    const { workbench, page } = subagents.product;
    await subagents.delegate(task('Linked', 'sleep 60'), task('Also linked', 'sleep 60'));
    await subagents.waitForChild('Also linked', 'running');
    await workbench.openContainer('Explorer');
    await workbench.chat.clickLink('Show in Panel');
    await waitFor('the group in the panel', 10_000, async () => ((await page.locator('.monaco-list-row.focused .label-name').allInnerTexts()).some((name) => name.startsWith('Linked')) ? true : undefined));
    await subagents.waitForChild('Linked', 'running');

    await workbench.chat.clickLink('Cancel');
    await subagents.waitForChild('Linked', 'cancelled');
    await subagents.waitForChild('Also linked', 'cancelled');
    await workbench.chat.waitForEnd();
    const block = await workbench.chat.waitForBlock();
    for (const line of block.slice(0, 2)) assert.match(line, /cancelled/);
  });

  it('never shows as completed what failed, ran out of turns or was cancelled', async () => {
    const { workbench } = subagents.product;
    const badge = await subagents.badge();
    await subagents.delegate(task('Unlucky', 'fail: the disk is on fire'), task('@one-turn Short of breath', 'run seq 1 3'), task('Called off', 'sleep 60'));
    await subagents.waitForChild('Called off', 'running');
    await subagents.tree.inlineAction('Called off', 'Cancel Subagent');
    await subagents.waitForChild('Called off', 'cancelled');
    await workbench.chat.waitForEnd();

    const expected = { 'Unlucky': 'failed', 'Short of breath': 'failed', 'Called off': 'cancelled' } as const;
    assert.deepEqual(await subagents.states(), expected);
    const block = await workbench.chat.waitForBlock();
    for (const [index, state] of Object.values(expected).entries()) {
      assert.match(block[index] ?? '', new RegExp(state));
      assert.doesNotMatch(block[index] ?? '', /completed/);
    }
    const reasons = { 'Unlucky': /the disk is on fire/, 'Short of breath': /turn/i, 'Called off': /cancelled/ };
    for (const [name, reason] of Object.entries(reasons)) {
      await subagents.tree.inlineAction(name, 'Open Result');
      const text = await workbench.waitForPreview(name);
      assert.match(text, reason);
      assert.doesNotMatch(text, /completed/);
    }
    assert.equal(await subagents.badge(), badge, 'nothing of it is offered for review');
  });
});
