import { waitFor } from '../../scripts/lib/wait.ts';
import type { EventOf, RuntimeEventType } from '../../src/runtime/domain/events.ts';
import type { Product } from './product.ts';
import { storedEvents } from './storedEvents.ts';
import type { TreeRow, TreeView } from './treeView.ts';

const PARTICIPANT = 'subagents';
const CONTAINER = 'Subagents';

/** What the row of a child says about its state. */
export type RowState = 'queued' | 'waiting' | 'asking' | 'running' | 'review' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

/** One task of a list: the first line names the child, and the others say what it does. */
export function task(name: string, ...orders: readonly string[]): string {
  return [`- ${name}`, ...orders.map((order) => `  ${order}`)].join('\n');
}

/** The extension as its user sees it: the chat participant, the panel, the approvals. */
export class Subagents {
  readonly product: Product;
  readonly tree: TreeView;

  constructor(product: Product) {
    this.product = product;
    this.tree = product.workbench.tree('Groups');
  }

  /** A known state: nothing runs, no notification or editor is open, the panel shows, and the conversation is new. */
  async begin(): Promise<void> {
    const { workbench } = this.product;
    await workbench.openContainer(CONTAINER);
    await workbench.runCommand('Subagents: Cancel All');
    await this.waitForIdle();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('View: Close All Editors');
    await workbench.chat.open();
    await workbench.chat.waitForEnd();
    await workbench.chat.startNew();
  }

  /** Delegates a list of tasks from the chat. */
  async delegate(...tasks: readonly string[]): Promise<void> {
    await this.product.workbench.chat.send(PARTICIPANT, tasks.join('\n'));
  }

  /** Sends a message, with a slash command where one is given. */
  async say(text: string, command?: string): Promise<void> {
    await this.product.workbench.chat.send(PARTICIPANT, text, command);
  }

  /** The row of a child by its name, once it is in one of the states. */
  async waitForChild(name: string, states: RowState | readonly RowState[], timeoutMs = 20_000): Promise<TreeRow> {
    const wanted = [states].flat();
    return this.tree.waitForRow(`${name}: ${wanted.join(' or ')}`, (row) => isChild(row, name) && wanted.includes(stateOf(row) ?? 'queued'), timeoutMs);
  }

  /** The row of a child as it is now. */
  async child(name: string): Promise<TreeRow | undefined> {
    return (await this.tree.rows()).find((row) => isChild(row, name));
  }

  /** States of the newest group's children by name. */
  async states(): Promise<Record<string, RowState | undefined>> {
    return Object.fromEntries((await this.newestGroup()).children.map((row) => [row.label, stateOf(row)]));
  }

  /** The newest group's row, and its children's. */
  async newestGroup(): Promise<{ readonly group: TreeRow; readonly children: readonly TreeRow[] }> {
    const rows = await this.tree.rows();
    const start = rows.findIndex(({ level }) => level === 1);
    const end = rows.findIndex(({ level }, index) => index > start && level === 1);
    const group = rows[start];
    if (group === undefined) throw new Error('The tree has no group.');
    return { group, children: rows.slice(start + 1, end === -1 ? undefined : end).filter(({ level }) => level === 2) };
  }

  /** The row of a waiting request, by a part of its action. */
  async waitForRequestRow(action: string, timeoutMs = 15_000): Promise<TreeRow> {
    return this.tree.waitForRow(`a request with ${action}`, (row) => isRequest(row) && saidBy(row).includes(action), timeoutMs);
  }

  /** Waits until no such request is in the tree. */
  async waitForNoRequestRow(action: string): Promise<void> {
    await waitFor(`the end of the request with ${action}`, 15_000, async () => ((await this.requestRows(action)).length === 0 ? true : undefined));
  }

  private async requestRows(action: string): Promise<readonly TreeRow[]> {
    return (await this.tree.rows()).filter((row) => isRequest(row) && saidBy(row).includes(action));
  }

  /** The row of a file under its unfolded child, by its name, once it says something. */
  async waitForFile(name: string, says: string | RegExp, timeoutMs = 20_000): Promise<TreeRow> {
    return this.tree.waitForRow(`the file ${name}: ${String(says)}`, (row) => isFile(row) && row.label === name && (typeof says === 'string' ? saidBy(row).includes(says) : says.test(saidBy(row))), timeoutMs);
  }

  /** The rows of files that show. */
  async files(): Promise<readonly TreeRow[]> {
    return (await this.tree.rows()).filter(isFile);
  }

  /** Presses an inline action of a file until its row says something. */
  async pressFileUntil(name: string, action: string, says: string | RegExp): Promise<TreeRow> {
    // As in `answerInTree`.
    return waitFor(`${name} to say ${String(says)}`, 20_000, async () => {
      if ((await this.tree.inlineActions(name)).includes(action)) await this.tree.inlineAction(name, action);
      return this.waitForFile(name, says, 3_000).catch(() => undefined);
    });
  }

  /** Presses an inline action of a child until it is in a state. */
  async pressUntil(name: string, action: string, state: RowState): Promise<TreeRow> {
    // As in `answerInTree`.
    return waitFor(`${name} to be ${state}`, 20_000, async () => {
      await this.tree.inlineAction(name, action);
      return this.waitForChild(name, state, 3_000).catch(() => undefined);
    });
  }

  /** Opens a child's result and waits for a text in it. */
  async openResult(name: string, text: string): Promise<string> {
    // As in `answerInTree`.
    return waitFor(`the result of ${name} with ${text}`, 30_000, async () => {
      await this.tree.inlineAction(name, 'Open Result');
      return this.product.workbench.waitForPreview(text, 8_000).catch(() => undefined);
    });
  }

  /** Presses an inline action of a waiting request. */
  async answerInTree(action: string, answer: 'Allow' | 'Deny'): Promise<void> {
    const { label } = await this.waitForRequestRow(action);
    // A row that is drawn anew under the button loses the press, and its user presses again.
    await waitFor(`${action} to be answered in the tree`, 20_000, async () => {
      await this.tree.inlineAction(label, answer);
      return waitFor('its row to go', 3_000, async () => ((await this.requestRows(action)).length === 0 ? true : undefined)).catch(() => undefined);
    });
  }

  /** The number on the panel's icon; 0 without one. */
  async badge(): Promise<number> {
    return Number((await this.product.workbench.badge(CONTAINER)) ?? 0);
  }

  async waitForBadge(count: number): Promise<void> {
    await waitFor(`the badge ${count}`, 10_000, async () => ((await this.badge()) === count ? true : undefined));
  }

  /** Waits until nothing is queued or running. */
  async waitForIdle(timeoutMs = 30_000): Promise<void> {
    await waitFor('the end of all groups', timeoutMs, async () => {
      const rows = await this.tree.rows();
      return rows.some((row) => row.level === 2 && ['queued', 'running', 'waiting', 'asking'].includes(stateOf(row) ?? '')) ? undefined : true;
    });
  }

  /** Stored events of one type. */
  async events<T extends RuntimeEventType>(type: T): Promise<EventOf<T>[]> {
    return (await storedEvents(this.product.dataDir)).filter((event): event is EventOf<T> => event.type === type);
  }

  /** The decisions on requests whose action contains the text. */
  async decisions(action: string): Promise<string[]> {
    const events = await this.events('approval.decided');
    return events.filter(({ request }) => request.action.includes(action)).map(({ decision }) => decision.kind);
  }

  /** Waits until requests whose action contains the text were decided, and gives the decisions. */
  async waitForDecisions(action: string): Promise<string[]> {
    return waitFor(`a decision on ${action}`, 10_000, async () => {
      const decisions = await this.decisions(action);
      return decisions.length > 0 ? decisions : undefined;
    });
  }
}

/** Everything that a row says. */
export function saidBy({ label, description, ariaLabel }: TreeRow): string {
  return `${label} ${description} ${ariaLabel}`;
}

/** The state that a child's row tells, in the words that the panel uses for states. */
export function stateOf(row: TreeRow): RowState | undefined {
  const said = `${row.description} ${row.ariaLabel.slice(row.label.length)}`;
  const words: readonly (readonly [RowState, RegExp])[] = [
    ['waiting', /waiting for approval/i],
    ['asking', /waiting for an answer/i],
    ['interrupted', /\binterrupted\b/i],
    ['queued', /\bqueued\b/i],
    ['failed', /\bfailed\b/i],
    ['cancelled', /\bcancelled\b/i],
    ['review', /\breview\b/i],
    ['completed', /\bcompleted\b/i],
  ];
  return words.find(([, word]) => word.test(said))?.[0] ?? (row.description === '' ? undefined : 'running');
}

/** Requests and files stand under the same children. What is asked says who asks. */
function isRequest({ level, ariaLabel }: TreeRow): boolean {
  return level === 3 && / asks(?: to use |: )/.test(ariaLabel);
}

function isFile(row: TreeRow): boolean {
  return row.level === 3 && !isRequest(row);
}

function isChild(row: TreeRow, name: string): boolean {
  return row.level === 2 && row.label === name;
}
