import assert from 'node:assert/strict';
import { waitFor } from '../../scripts/lib/wait.ts';
import { killExtensionHosts } from '../support/extensionHost.ts';
import { startProduct } from '../support/product.ts';
import { deliveries } from '../support/storedTranscripts.ts';
import { Subagents, task } from '../support/subagents.ts';
import type { Workbench } from '../support/workbench.ts';

describe('after a reload or a crash', () => {
  let subagents: Subagents;
  let workbench: Workbench;

  before(async () => {
    subagents = new Subagents(await startProduct());
    workbench = subagents.product.workbench;
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  const reopen = async (): Promise<void> => {
    await subagents.product.reload();
    await workbench.openContainer('Subagents');
  };

  it('the same groups and children are there, none runs, and Resume brings the group to its one end', async () => {
    await subagents.delegate(task('Quick', 'sleep 1'), task('Long', 'sleep 4'), task('Asker', 'run echo resumed-call'));
    await subagents.waitForChild('Quick', 'review');
    await subagents.waitForChild('Long', 'running');
    await subagents.waitForChild('Asker', 'waiting');
    await killExtensionHosts(subagents.product.dataDir);
    await reopen();

    await subagents.waitForChild('Long', 'interrupted');
    const { group } = await subagents.newestGroup();
    assert.deepEqual(await subagents.states(), { Quick: 'review', Long: 'interrupted', Asker: 'interrupted' });
    assert.match(group.description, /interrupted/);
    assert.equal(await deliveries(subagents.product.dataDir, 'Asker'), 0);

    await subagents.tree.inlineAction(group.label, 'Resume');
    await subagents.waitForChild('Asker', 'waiting');
    await subagents.answerInTree('resumed-call', 'Allow');
    await subagents.waitForChild('Asker', 'review');
    await subagents.waitForChild('Long', 'review');
    await waitFor('the results in the conversation', 15_000, async () => ((await deliveries(subagents.product.dataDir, 'Asker')) > 0 ? true : undefined));

    // Another start must neither lose nor repeat anything.
    await reopen();
    await subagents.tree.expand(group.label);
    await subagents.waitForChild('Asker', 'review');
    assert.deepEqual(await subagents.states(), { Quick: 'review', Long: 'review', Asker: 'review' });
    assert.equal(await deliveries(subagents.product.dataDir, 'Asker'), 1);
  });

  it('the conversation goes on, and opens with what came in the meantime', async () => {
    await subagents.delegate(task('Cut short', 'sleep 6'), task('Done before', 'sleep 1'));
    await workbench.chat.clickButton('Continue in Background');
    await workbench.chat.waitForEnd();
    await subagents.waitForChild('Done before', 'review');
    // In a browser, VS Code keeps for certain only the conversations that were left.
    await workbench.chat.startNew();
    await reopen();
    await subagents.waitForChild('Cut short', 'interrupted');
    await subagents.tree.inlineAction('Cut short', 'Resume');
    await subagents.waitForChild('Cut short', 'review');
    await waitFor('the results in the conversation', 15_000, async () => ((await deliveries(subagents.product.dataDir, 'Cut short')) > 0 ? true : undefined));
    // Neither in this window nor in the next did any response show them.
    await reopen();

    await workbench.chat.openSession('Cut short');
    const before = await workbench.chat.responseCount();
    await subagents.say('hello');
    await waitFor('the response', 15_000, async () => ((await workbench.chat.responseCount()) > before ? true : undefined));
    await workbench.chat.waitForText(/Cut short/);
    await workbench.chat.waitForEnd();
    await subagents.say('hello');
    await workbench.chat.waitForEnd();
    assert.doesNotMatch(await workbench.chat.wholeResponse(), /Cut short/, 'once only');
    assert.equal(await deliveries(subagents.product.dataDir, 'Cut short'), 1);
  });

  it('what is interrupted can be cancelled, and what is over stays over', async () => {
    await subagents.delegate(task('Given up', 'sleep 60'), task('Given up too', 'sleep 60'));
    await subagents.waitForChild('Given up', 'running');
    await reopen();
    await subagents.waitForChild('Given up', 'interrupted');
    // A row that is drawn anew under the button loses the press, and its user presses again.
    await waitFor('the group to be cancelled', 30_000, async () => {
      await subagents.tree.inlineAction('Given up and 1 more', 'Cancel Group');
      return subagents.waitForChild('Given up', 'cancelled', 5_000).catch(() => undefined);
    });
    await subagents.waitForChild('Given up too', 'cancelled');
    await reopen();
    await subagents.tree.expand('Given up and 1 more');
    await subagents.waitForChild('Given up', 'cancelled');
    assert.deepEqual((await workbench.statusBarItems()).filter((text) => /\d+ running/.test(text)), []);
  });

  it('a settled subagent takes a second round on its row', async () => {
    await subagents.delegate(task('Stays', 'sleep 0'), task('Twice', 'sleep 1', 'fail: on purpose'));
    await subagents.waitForChild('Twice', 'failed');
    await workbench.chat.waitForEnd();
    const groups = (await subagents.tree.rows()).filter(({ level }) => level === 1).length;
    await subagents.tree.contextAction('Twice', 'Resume With…');
    await workbench.quickPick.type('run echo second-round');
    await workbench.quickPick.press('Enter');
    await subagents.waitForChild('Twice', 'waiting');
    await subagents.answerInTree('second-round', 'Allow');
    await subagents.waitForChild('Twice', 'review');
    assert.equal((await subagents.tree.rows()).filter(({ level }) => level === 1).length, groups);
    await waitFor('the results of both rounds', 15_000, async () => ((await deliveries(subagents.product.dataDir, '## Twice')) === 2 ? true : undefined));
  });
});
