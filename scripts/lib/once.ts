import { join } from 'node:path';
import type { TrackedTask, TrackedTaskStatus } from '../../src/runtime/domain/trackedTasks.ts';
import { RunProjection } from '../../src/runtime/store/projection.ts';
import { startProduct, type Product } from '../../test/support/product.ts';
import { storedEvents } from '../../test/support/storedEvents.ts';
import { outDir } from './paths.ts';
import { vsCodeVersion } from './vscode.ts';
import { waitFor } from './wait.ts';

/** What `npm start -- --once` prints as its last line. */
export interface OnceReport {
  readonly vscode: string;
  readonly groups: readonly { readonly id: string; readonly status: string; readonly children: readonly OnceChild[] }[];
  readonly approvals: { readonly allowed: number; readonly denied: number };
  readonly tasks: Readonly<Record<'review' | 'completed' | 'failed' | 'cancelled', number>>;
  /** Path of a picture of the window at the end. */
  readonly screenshot: string;
}

interface OnceChild {
  readonly display_name: string;
  readonly agentId: string;
  readonly status: string;
}

const SETTLE_LIMIT_MS = 90_000;

const PROMPT = ['- @Explore find where "discount" is applied', '- @code-reviewer review `src/pricing.ts`', '- run node --version'].join('\n');

/** Does the main job in a browser without a window, prints the report as one line of JSON, and gives the exit code. */
export async function runOnce(): Promise<number> {
  const product = await startProduct();
  try {
    const report = await mainJob(product);
    console.log(JSON.stringify(report));
    return isComplete(report) ? 0 : 1;
  } catch (error) {
    console.error(error);
    return 1;
  } finally {
    await product.stop();
  }
}

/** Delegates three tasks from the chat view, allows one call, waits for the group, and accepts one result from the tree. */
export async function mainJob({ workbench, dataDir }: Product): Promise<OnceReport> {
  await workbench.openContainer('Subagents');
  await workbench.chat.send('subagents', PROMPT);
  await workbench.notifications.waitFor('node --version', SETTLE_LIMIT_MS);
  await workbench.notifications.clickLink('node --version', 'Allow');

  const groups = workbench.tree('Groups');
  await waitFor('three results in review', SETTLE_LIMIT_MS, async () => {
    const rows = await groups.rows();
    return rows.filter(({ level, description }) => level === 2 && description.startsWith('review')).length === 3 || undefined;
  });
  await workbench.chat.waitForEnd(SETTLE_LIMIT_MS);
  const first = (await groups.rows()).find(({ level }) => level === 2);
  await groups.inlineAction(first?.label ?? '', 'Accept');
  await groups.waitForRow('an accepted result', ({ level, description }) => level === 2 && description.startsWith('completed'));
  const screenshot = await workbench.screenshot(join(outDir, 'screenshots', 'once.png'));
  return { vscode: await vsCodeVersion(), ...(await readStore(dataDir)), screenshot };
}

/** What the extension itself has stored: the events of each group, and the task list. */
async function readStore(dataDir: string): Promise<Pick<OnceReport, 'groups' | 'approvals' | 'tasks'>> {
  const events = await storedEvents(dataDir);
  const projection = new RunProjection();
  for (const event of events) projection.apply(event);

  const decided = (allowed: boolean): number =>
    events.filter((event) => event.type === 'approval.decided' && event.by === 'person' && event.decision.kind.startsWith('allow') === allowed).length;
  const latest = new Map<string, TrackedTask>();
  for (const event of events) if (event.type === 'task.changed') latest.set(event.task.id, event.task);
  const inStatus = (status: TrackedTaskStatus): number => [...latest.values()].filter((task) => task.status === status).length;

  return {
    groups: projection.groups().map(({ groupId, status, children }) => ({
      id: groupId,
      status,
      children: children.map(({ displayName, agentId, status: child }) => ({ display_name: displayName, agentId, status: child })),
    })),
    approvals: { allowed: decided(true), denied: decided(false) },
    tasks: { review: inStatus('review'), completed: inStatus('completed'), failed: inStatus('failed'), cancelled: inStatus('cancelled') },
  };
}

/** All of the main job happened: a settled group of three, one approval, one accepted result. */
function isComplete({ groups, approvals, tasks }: OnceReport): boolean {
  const [group] = groups;
  return group?.status === 'completed' && group.children.length === 3 && approvals.allowed === 1 && tasks.completed === 1 && tasks.review === 2;
}
