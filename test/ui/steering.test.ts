import assert from 'node:assert/strict';
import { waitFor } from '../../scripts/lib/wait.ts';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';

describe('a subagent at work', () => {
  let subagents: Subagents;

  before(async () => {
    subagents = new Subagents(await startProduct({ machineSettings: { 'subagents.permissions.allow': ['Bash(sleep:*)'] } }));
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  it('takes a message, which waits until it is read', async () => {
    const { quickPick, notifications } = subagents.product.workbench;
    await subagents.delegate(task('Talk to me', 'run sleep 600'), task('Another', 'sleep 1'));
    await subagents.waitForChild('Talk to me', 'running');
    await subagents.tree.inlineAction('Talk to me', 'Send Message…');
    assert.match(await quickPick.title(), /Message to “Talk to me”/);
    await quickPick.input.fill('Only the docs.');
    await subagents.product.page.keyboard.press('Enter');
    await subagents.tree.waitForRow('a waiting message', ({ label, description }) => label === 'Talk to me' && description.includes('message waits'));
    await subagents.tree.contextAction('Talk to me', 'Retry Turn');
    await notifications.waitFor('“Talk to me” stops what it is at and asks its model again.');
    await waitFor('the message to be read', 20_000, async () => ((await subagents.events('message.delivered')).some(({ text }) => text === 'Only the docs.') ? true : undefined));
  });
});
