import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../../scripts/lib/wait.ts';
import { startProduct } from '../support/product.ts';
import { Subagents, task } from '../support/subagents.ts';
import type { Workbench } from '../support/workbench.ts';

describe('approvals', () => {
  let subagents: Subagents;
  let workbench: Workbench;

  before(async () => {
    subagents = new Subagents(await startProduct({ machineSettings: { 'subagents.permissions.allow': ['Bash(seq:*)'] } }));
    workbench = subagents.product.workbench;
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  it('raise a notification within two seconds, with the asking child folded away', async () => {
    await subagents.delegate(task('Folded asker', 'sleep 3', 'run echo from-below'), task('Bystander', 'sleep 60'));
    await subagents.waitForChild('Folded asker', 'running');
    await subagents.tree.collapse('Folded asker and 1 more');
    const toast = await workbench.notifications.waitFor('echo from-below');
    const shownAt = Date.now();
    const [wanted] = (await subagents.events('approval.wanted')).filter(({ request }) => request.action.includes('from-below'));
    assert.ok(wanted !== undefined && shownAt - wanted.at < 2_000, `shown ${shownAt - (wanted?.at ?? 0)} ms after it was wanted`);
    assert.match(toast.text, /Folded asker/);
    await subagents.waitForBadge(1 + await reviews());
  });

  it('name the child in the notification and in its row, with a way to its transcript', async () => {
    await subagents.delegate(task('@general-purpose Left hand', 'run echo left-call'), task('@general-purpose Right hand', 'run echo right-call'));
    await subagents.waitForChild('Left hand', 'waiting');
    await subagents.waitForChild('Right hand', 'waiting');
    const first = await workbench.notifications.waitFor('-call');
    const [mine, other] = first.text.includes('left-call') ? ['Left hand', 'Right hand'] : ['Right hand', 'Left hand'];
    assert.ok(first.text.includes(mine), first.text);
    assert.ok(!first.text.includes(other), first.text);

    await workbench.notifications.clickLink(mine, 'More…');
    await chooseDecision('Open transcript');
    await workbench.waitForEditorText(`# ${mine}`);
    await subagents.tree.contextAction(other, 'Open Transcript');
    await workbench.waitForEditorText(`# ${other}`);
    assert.deepEqual(await subagents.decisions('-call'), []);
  });

  it('show a long command in full before the decision', async () => {
    const command = `echo begin ${'0123456789 '.repeat(50)}end-of-command`;
    await subagents.delegate(task('Long winded', `run ${command}`));
    await workbench.notifications.waitFor('Long winded');
    await workbench.notifications.clickLink('Long winded', 'More…');
    await chooseDecision('Show details');
    const shown = await workbench.waitForEditorText('end-of-command');
    assert.ok(shown.replace(/\s+/g, ' ').includes(command), shown);
    await subagents.waitForChild('Long winded', 'waiting');
    await workbench.notifications.clickLink('Long winded', 'Deny');
    await subagents.waitForChild('Long winded', 'review');
    assert.deepEqual(await subagents.decisions('end-of-command'), ['deny']);
  });

  it('show a change as a diff before the file is written', async () => {
    const file = join(subagents.product.workspaceDir, 'README.md');
    const before = await readFile(file, 'utf8');
    await subagents.delegate(task('Scribe', 'write README.md: entirely new text'));
    await subagents.waitForChild('Scribe', 'waiting');
    await subagents.tree.click((await subagents.waitForRequestRow('README.md')).label);
    await subagents.product.page.locator('.editor-instance .monaco-diff-editor, .editor-instance .diff-editor').first().waitFor();
    const shown = await workbench.waitForEditorText('entirely new text');
    assert.match(shown, /Orderly/, 'what is there now');
    assert.equal(await readFile(file, 'utf8'), before);

    await subagents.answerInTree('README.md', 'Allow');
    await subagents.waitForChild('Scribe', 'review');
    assert.equal((await readFile(file, 'utf8')).trim(), 'entirely new text');
  });

  it('each get their own answer, given in reverse order in notification, tree and list', async () => {
    const names = ['One', 'Two', 'Three'];
    await subagents.delegate(...names.map((name) => task(name, `run echo reverse-${name}`)));
    for (const name of names) await subagents.waitForChild(name, 'waiting');
    const requests = (await subagents.events('approval.wanted')).map(({ request }) => request).filter(({ action }) => action.includes('reverse-'));
    const order = requests.map(({ action }) => action);
    assert.equal(order.length, 3);
    const [oldest = '', middle = '', newest = ''] = order;

    await subagents.answerInTree(newest, 'Allow');
    await subagents.waitForDecisions(newest);

    await workbench.runCommand('Subagents: Review Pending Approvals');
    const listed = await workbench.quickPick.items();
    assert.deepEqual(listed.map(({ label }) => `echo reverse-${label}`).sort(), [oldest, middle].sort());
    await workbench.quickPick.pick(middle.replace('echo reverse-', ''));
    await chooseDecision('Deny');
    await subagents.waitForDecisions(middle);

    await workbench.notifications.waitFor(oldest);
    await workbench.notifications.clickLink(oldest, 'Allow');
    for (const name of names) await subagents.waitForChild(name, 'review');
    assert.deepEqual(await Promise.all([newest, middle, oldest].map((action) => subagents.decisions(action))), [['allow_once'], ['deny'], ['allow_once']]);
  });

  it('stay pending when their notification is hidden, and settle once, from the tree (cases 6, 20)', async () => {
    const waitingBefore = await reviews();
    await subagents.delegate(task('Patient', 'run echo patient-call'));
    await workbench.notifications.waitFor('patient-call');
    await workbench.notifications.hide();
    await workbench.notifications.waitForGone('patient-call');
    await subagents.waitForChild('Patient', 'waiting');
    await subagents.waitForBadge(1 + waitingBefore);
    const items = await workbench.statusBarItems();
    assert.ok(items.some((text) => text.split(/\s+/).includes('1')), items.join(' | '));
    await workbench.runCommand('Subagents: Review Pending Approvals');
    await workbench.quickPick.waitForOpen();
    assert.match(await workbench.quickPick.title(), /Patient/);
    await workbench.quickPick.cancel();
    assert.deepEqual(await subagents.decisions('patient-call'), []);

    await subagents.answerInTree('patient-call', 'Allow');
    await subagents.waitForChild('Patient', 'review');
    assert.deepEqual(await subagents.decisions('patient-call'), ['allow_once']);
    await subagents.waitForBadge(1 + waitingBefore);
  });

  it('leave the notification when they are answered elsewhere', async () => {
    await subagents.delegate(task('Answered', 'run echo answered-in-tree'), task('Next', 'sleep 1', 'run echo asked-next'));
    await workbench.notifications.waitFor('answered-in-tree');
    await subagents.answerInTree('answered-in-tree', 'Allow');
    await workbench.notifications.waitForGone('answered-in-tree', 5_000);
    // The next one comes up by itself.
    await workbench.notifications.waitFor('asked-next');
    await workbench.notifications.clickLink('asked-next', 'Deny');
    await workbench.notifications.waitForGone('asked-next', 5_000);
  });

  it('are denied by the notification’s own Cancel', async () => {
    await subagents.delegate(task('Cancelled call', 'run echo by-cancel'));
    await workbench.notifications.waitFor('by-cancel');
    await workbench.notifications.clickButton('by-cancel', 'Cancel');
    await subagents.waitForChild('Cancelled call', 'review');
    assert.deepEqual(await subagents.decisions('by-cancel'), ['deny']);
    await workbench.notifications.waitForGone('by-cancel');
  });

  it('that are denied end neither the child nor its siblings', async () => {
    await subagents.delegate(task('Refused', 'run echo refused-call', 'run seq 8331 8333', 'sleep 2'), task('Sibling', 'sleep 60'), task('Other sibling', 'run echo other-call'));
    await subagents.waitForChild('Refused', 'waiting');
    await subagents.waitForChild('Other sibling', 'waiting');
    await subagents.answerInTree('refused-call', 'Deny');
    await subagents.waitForChild('Refused', 'running');
    assert.deepEqual(await subagents.states(), { 'Refused': 'running', 'Sibling': 'running', 'Other sibling': 'waiting' });
    await subagents.waitForChild('Refused', 'review');
    assert.deepEqual(await subagents.states(), { 'Refused': 'review', 'Sibling': 'running', 'Other sibling': 'waiting' });

    await subagents.tree.inlineAction('Refused', 'Open Result');
    const result = await workbench.waitForPreview('refused-call');
    assert.match(result, /denied/i);
    assert.match(result, /8332/, 'what it did afterwards');
  });

  it('carry a reason to the child when they are denied with one', async () => {
    await subagents.delegate(task('Advised', 'run echo please-not'), task('Not advised', 'sleep 1'));
    await workbench.notifications.waitFor('please-not');
    await workbench.notifications.clickLink('please-not', 'More…');
    await chooseDecision('Deny with message…');
    await workbench.quickPick.type('use the other printer');
    await workbench.quickPick.press('Enter');
    await subagents.waitForChild('Advised', 'review');
    await workbench.chat.waitForEnd();
    await subagents.tree.inlineAction('Advised', 'Open Result');
    assert.match(await workbench.waitForPreview('please-not'), /use the other printer/);
  });

  it('are all listed again when the view is reopened, and go with their group', async () => {
    await subagents.delegate(task('First of two', 'run echo first-of-two'), task('Second of two', 'run echo second-of-two'));
    await subagents.waitForRequestRow('first-of-two');
    await subagents.waitForRequestRow('second-of-two');
    await workbench.openContainer('Explorer');
    await workbench.openContainer('Subagents');
    await subagents.waitForRequestRow('first-of-two');
    await subagents.waitForRequestRow('second-of-two');
    const toast = await workbench.notifications.waitFor('of-two');
    assert.match(toast.text, /(?:First|Second) of two/);

    await subagents.tree.inlineAction('First of two and 1 more', 'Cancel Group');
    await workbench.notifications.waitForGone('of-two', 5_000);
    await subagents.waitForChild('First of two', 'cancelled');
    await subagents.waitForChild('Second of two', 'cancelled');
    await subagents.waitForNoRequestRow('of-two');
    assert.deepEqual(await subagents.decisions('of-two'), [], 'taken back, not decided');
    await workbench.chat.waitForEnd();

    // Nothing of it is left in the way of what comes next.
    await subagents.delegate(task('After the storm', 'run echo after-cancel'));
    const next = await workbench.notifications.waitFor('after-cancel');
    assert.match(next.text, /After the storm/);
    assert.doesNotMatch(next.text, /more wait/);
    await workbench.notifications.clickLink('after-cancel', 'Allow');
    await subagents.waitForChild('After the storm', 'review');
  });

  it('take an open list of decisions with them when they are settled elsewhere', async () => {
    await subagents.delegate(task('Undecided', 'run echo two-places'), task('Long one', 'sleep 60'));
    await workbench.notifications.waitFor('two-places');
    await workbench.notifications.clickLink('two-places', 'More…');
    await workbench.quickPick.waitForOpen();
    await workbench.notifications.clickButton('two-places', 'Cancel');
    await workbench.quickPick.waitForClosed();
    await subagents.waitForChild('Undecided', 'review');
    assert.deepEqual(await subagents.decisions('two-places'), ['deny']);
  });

  it('are not asked for what a rule allows (case 21)', async () => {
    const wantedBefore = (await subagents.events('approval.wanted')).length;
    await subagents.delegate(task('Free', 'run seq 41 43', 'sleep 1', 'run seq 44 46'));
    await subagents.waitForChild('Free', 'review');
    assert.equal((await subagents.events('approval.wanted')).length, wantedBefore);
    assert.ok((await workbench.notifications.list()).every(({ links }) => !links.includes('Allow')));
  });

  /** Chooses from the list of decisions, whose labels begin with an icon. */
  async function chooseDecision(label: string): Promise<void> {
    const item = await waitFor(`the decision ${label}`, 10_000, async () => (await workbench.quickPick.items()).find((candidate) => candidate.label.endsWith(label)));
    await workbench.quickPick.pick(item.label);
  }

  /** How many results wait for review: they are in the badge as well. */
  async function reviews(): Promise<number> {
    const latest = new Map((await subagents.events('task.changed')).map(({ task: changed }) => [changed.id, changed.status]));
    return [...latest.values()].filter((status) => status === 'review').length;
  }
});
