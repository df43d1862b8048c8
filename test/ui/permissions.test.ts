import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../../scripts/lib/wait.ts';
import { startProduct } from '../support/product.ts';
import { saidBy, Subagents, task } from '../support/subagents.ts';
import type { Workbench } from '../support/workbench.ts';

describe('permissions', () => {
  let subagents: Subagents;
  let workbench: Workbench;

  before(async () => {
    subagents = new Subagents(await startProduct({ settings: { 'subagents.maxParallelSubagents': 8 } }));
    workbench = subagents.product.workbench;
  });

  after(() => subagents.product.stop());

  beforeEach(() => subagents.begin());

  it('for three edits at once each show their own diff and are settled separately', async () => {
    const edits = ['first', 'second', 'third'].map((word) => ({ name: `The ${word}`, file: `${word}.md`, text: `words of the ${word}` }));
    await subagents.delegate(...edits.map(({ name, file, text }) => task(name, `write ${file}: ${text}`)));
    for (const { name } of edits) await subagents.waitForChild(name, 'waiting');
    for (const { file, text } of edits) {
      await subagents.tree.click((await subagents.waitForRequestRow(file)).label);
      const shown = await workbench.waitForEditorText(text);
      for (const other of edits) assert.equal(shown.includes(other.text), other.text === text, `${file} shows ${shown}`);
    }
    assert.deepEqual((await subagents.events('approval.decided')).length, 0, 'looking decides nothing');

    const [first, second, third] = edits;
    assert.ok(first && second && third);
    await subagents.answerInTree(second.file, 'Deny');
    await subagents.waitForChild(second.name, 'review');
    await subagents.waitForChild(first.name, 'waiting');
    await subagents.answerInTree(third.file, 'Allow');
    await subagents.waitForChild(third.name, 'review');
    await subagents.waitForChild(first.name, 'waiting');
    await subagents.answerInTree(first.file, 'Allow');
    await subagents.waitForChild(first.name, 'review');
    assert.deepEqual(await Promise.all(edits.map(({ file }) => subagents.decisions(file))), [['allow_once'], ['deny'], ['allow_once']]);
    assert.deepEqual(await Promise.all(edits.map(({ file }) => written(file))), ['words of the first', undefined, 'words of the third']);
  });

  it('for many requests are answered in any order and on any surface, each once, and leave nothing behind', async () => {
    const seed = Math.floor(Math.random() * 1e9);
    const names = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal'];
    await subagents.delegate(...names.map((name) => task(name, `run echo storm-${name}`)));
    for (const name of names) await subagents.waitForRequestRow(`storm-${name}`);
    const answers = await answerAll(names, randomOf(seed)).catch((cause: unknown) => assert.fail(`seed ${seed}: ${String(cause)}`));
    for (const name of names) await subagents.waitForChild(name, 'review');
    for (const name of names) assert.deepEqual(await subagents.decisions(`storm-${name}`), [answers.get(name)], `${name}, seed ${seed}`);
    await subagents.waitForNoRequestRow('storm-');
    await workbench.notifications.waitForGone('storm-');
    const withdrawn = (await subagents.events('approval.withdrawn')).filter(({ request }) => request.action.includes('storm-'));
    assert.deepEqual(withdrawn, []);
  });

  it('are listed in a document, newest first, with who decided', async () => {
    await subagents.delegate(task('Listed', 'run echo listed-call'));
    await subagents.waitForChild('Listed', 'waiting');
    await workbench.runCommand('Subagents: Show Permission Decisions');
    const before = await workbench.waitForPreview('Permission decisions');
    assert.doesNotMatch(before, /listed-call/);
    await subagents.answerInTree('listed-call', 'Deny');
    const shown = await workbench.waitForPreview('listed-call');
    const row = shown.split('\n').find((line) => line.includes('listed-call')) ?? '';
    assert.match(row, /Listed\s+denied\s+Bash\s+echo listed-call\s+you/);
    const lines = shown.split('\n').filter((line) => line.includes('Bash') || line.includes('Write'));
    assert.equal(lines[0], row);
  });

  it('let a refused call be allowed once, by the child itself trying again', async () => {
    await subagents.delegate(task('Second try', 'run echo other-call', 'run echo second-chance'), task('Bystander', 'sleep 1'));
    await subagents.answerInTree('other-call', 'Deny');
    await subagents.answerInTree('second-chance', 'Deny');
    await subagents.waitForChild('Second try', 'review');
    await workbench.chat.waitForEnd();

    await subagents.tree.contextAction('Second try', 'Allow Once and Retry');
    assert.deepEqual((await workbench.quickPick.items()).map(({ label }) => label), ['echo second-chance', 'echo other-call']);
    await workbench.quickPick.pick('echo second-chance');
    await subagents.tree.waitForRow('the second round at its end', (row) => row.label === 'Second try' && /review/.test(saidBy(row)) && /round 2/.test(saidBy(row)));
    await subagents.tree.inlineAction('Second try', 'Open Result');
    const result = await workbench.waitForPreview(/Ran: echo second-chance/);
    assert.match(result, /refused: echo other-call/);
    assert.deepEqual(await subagents.decisions('second-chance'), ['deny'], 'it was not asked for again');
    assert.deepEqual((await subagents.events('permission.granted')).map(({ action }) => action), ['echo second-chance']);
    await workbench.chat.waitForEnd();
    // One is left.
    await subagents.tree.contextAction('Second try', 'Allow Once and Retry');
    await subagents.tree.waitForRow('the third round at its end', (row) => row.label === 'Second try' && /review/.test(saidBy(row)) && /round 3/.test(saidBy(row)));
    assert.ok(!(await subagents.tree.contextActions('Second try')).includes('Allow Once and Retry'));
  });

  /** Answers each child's request on some surface with some verdict. */
  async function answerAll(names: readonly string[], random: () => number): Promise<ReadonlyMap<string, 'allow_once' | 'deny'>> {
    const answers = new Map<string, 'allow_once' | 'deny'>();
    while (answers.size < names.length) {
      const open = names.filter((name) => !answers.has(name));
      const surface = pick(['notification', 'tree', 'list'] as const, random);
      const verdict = pick(['Allow', 'Deny'] as const, random);
      const name = surface === 'notification' ? await onNotification(open) : pick(open, random);
      const action = `storm-${name}`;
      if (surface === 'notification') await workbench.notifications.clickLink(action, verdict);
      else if (surface === 'tree') await answerInTree(action, verdict);
      else await answerInList(name, verdict, open.length);
      answers.set(name, verdict === 'Allow' ? 'allow_once' : 'deny');
      await subagents.waitForDecisions(action);
    }
    return answers;
  }

  /** The child whose request the notification shows. */
  async function onNotification(open: readonly string[]): Promise<string> {
    return waitFor('a notification of an open request', 15_000, async () => {
      const texts = (await workbench.notifications.list()).map(({ text }) => text);
      return open.find((name) => texts.some((text) => text.includes(`storm-${name}`)));
    });
  }

  /** A row that was just drawn anew may lose a click, and says so: whoever sees that presses again. */
  async function answerInTree(action: string, verdict: 'Allow' | 'Deny'): Promise<void> {
    await waitFor(`${verdict} for ${action}`, 30_000, async () => {
      if ((await subagents.decisions(action)).length > 0) return true;
      await subagents.answerInTree(action, verdict);
      return subagents.waitForDecisions(action).then(() => true, () => undefined);
    });
  }

  async function answerInList(name: string, verdict: 'Allow' | 'Deny', open: number): Promise<void> {
    await workbench.runCommand('Subagents: Review Pending Approvals');
    if (open > 1) await workbench.quickPick.pick(name);
    const label = verdict === 'Allow' ? 'Allow once' : 'Deny';
    const item = await waitFor(`the decision ${label}`, 10_000, async () => (await workbench.quickPick.items()).find((candidate) => candidate.label.endsWith(label)));
    await workbench.quickPick.pick(item.label);
  }

  async function written(file: string): Promise<string | undefined> {
    const text = await readFile(join(subagents.product.workspaceDir, file), 'utf8').catch(() => undefined);
    return text?.trim();
  }
});

describe('a dry run', () => {
  let subagents: Subagents;

  before(async () => {
    subagents = new Subagents(await startProduct({ machineSettings: { 'subagents.permissionMode': 'dry-run', 'subagents.permissions.deny': ['Bash(echo denied-call)'] } }));
  });

  after(() => subagents.product.stop());

  it('shows above the groups that rules stop nothing, asks for nothing, and says what it would have done', async () => {
    const { workbench } = subagents.product;
    await subagents.begin();
    assert.match(await subagents.tree.welcome(), /Delegate/);
    await subagents.delegate(task('Dry', 'sleep 2', 'run echo asked-call', 'run echo denied-call'));
    await subagents.waitForChild('Dry', 'review');
    assert.match(await waitFor('the message of the view', 5_000, async () => (await subagents.tree.message()) || undefined), /^Dry run/);
    assert.deepEqual(await subagents.events('approval.wanted'), []);
    await workbench.runCommand('Subagents: Show Permission Decisions');
    const shown = await workbench.waitForPreview('denied-call');
    assert.match(shown, /would have been denied\s+Bash\s+echo denied-call[^]*would have asked\s+Bash\s+echo asked-call/);
  });
});

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  assert.ok(item !== undefined);
  return item;
}

/** Numbers from 0 to 1 that only depend on the seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
