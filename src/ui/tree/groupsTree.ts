import * as vscode from 'vscode';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { GroupView } from '../../runtime/domain/agents.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { Coalescer } from '../coalesce.ts';
import { rowChildren } from '../children.ts';
import { onAgent, type UiContext } from '../context.ts';
import { ChangeCache } from '../review/changeCache.ts';
import type { FileFacts } from '../review/fileFacts.ts';
import { onFileTouched } from '../review/touchedFiles.ts';
import { homesOf, runsElsewhere } from '../rounds.ts';
import { startedAgent } from '../startedAgent.ts';
import { childState } from './childItem.ts';
import { DrawnGroups } from './drawnGroups.ts';
import { affected, nodeId, topNodes, type Node } from './nodes.ts';
import { groupContext, nodeTooltip, treeItem } from './treeItems.ts';

/** Longer than the 200 ms for which VS Code waits until no refresh is wanted any more: shorter ones in a row would all be put off. */
const REFRESH_MS = 250;
/** A row that is drawn anew under a pressed button loses the click, so the clock is not shown to the second. */
const TICK_SECONDS = 2;
const GROUP_SECONDS = 12;
const TOOLTIP_MS = 5000;

type ChildNode = Extract<Node, { kind: 'child' }>;

/** The rows of the Groups view. It keeps ids only and asks the agent for everything else. */
export class GroupsTree implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #context: UiContext;
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly #store = new DisposableStore();
  readonly #refresh: Coalescer;
  /** The very objects that VS Code knows, by row id: it recognises elements by identity. */
  readonly #nodes = new Map<string, Node>();
  /** Row ids to refresh; `undefined` stands for the whole list. */
  readonly #stale = new Set<string | undefined>();
  /** Groups that may say something else. */
  readonly #touched = new Set<string>();
  readonly #drawn = new DrawnGroups();
  readonly #since = Date.now();
  #changes: ChangeCache | undefined;
  #ticking: NodeJS.Timeout | undefined;
  /** Until then somebody reads a tooltip, which a refresh of its row would close. */
  #quietUntil = 0;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: UiContext) {
    this.#context = context;
    this.#refresh = this.#store.add(new Coalescer(REFRESH_MS, () => this.#fire()));
    this.#store.add(this.#changed);
    this.#store.add({ dispose: () => clearInterval(this.#ticking) });
    this.#store.add(onAgent(context.access, (agent) => {
      this.#invalidate(undefined);
      this.#tick(agent);
      const store = new DisposableStore();
      this.#changes = store.add(new ChangeCache(agent, (agentId) => this.#invalidate(`child/${agentId}`)));
      store.add(onFileTouched((path) => this.#changes?.touch([path])));
      store.add(agent.subscribe((event) => this.#onEvent(agent, event)));
      return store;
    }));
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    const agent = this.#context.access.current ?? (parent === undefined ? await startedAgent(this.#context) : undefined);
    if (agent === undefined) return [];
    if (parent === undefined) return this.#keep(topNodes(agent.groups(), agent.approvals.pending(), this.#since));
    switch (parent.kind) {
      case 'group': {
        const group = agent.group(parent.groupId);
        return group === undefined ? [] : rowChildren(group).map(({ agentId }) => this.#node({ kind: 'child', groupId: parent.groupId, agentId }));
      }
      case 'child':
        return [...this.#requests(agent, parent), ...(await this.#files(agent, parent))];
      case 'file':
      case 'approval':
        return [];
    }
  }

  #requests(agent: LiteAgent, { groupId, agentId }: ChildNode): readonly Node[] {
    return decidable(agent, agentId).map((requestId) => this.#node({ kind: 'approval', requestId, parent: { groupId, agentId } }));
  }

  async #files(agent: LiteAgent, { groupId, agentId }: ChildNode): Promise<readonly Node[]> {
    if (agent.child(agentId)?.changedFiles.length === 0) return [];
    try {
      return (await this.#changesOf(agentId)).map(({ path }) => this.#node({ kind: 'file', file: { agentId, path }, parent: { groupId, agentId } }));
    } catch (error) {
      this.#context.log.error(`the changes of ${agentId} can not be shown: ${errorText(error)}`);
      return [];
    }
  }

  getParent(node: Node): Node | undefined {
    if (node.kind === 'child') return this.#nodes.get(`group/${node.groupId}`);
    return (node.kind === 'approval' || node.kind === 'file') && node.parent !== undefined ? this.#nodes.get(`child/${node.parent.agentId}`) : undefined;
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    const agent = this.#context.access.current;
    return agent === undefined ? new vscode.TreeItem('') : treeItem(node, agent, (agentId) => this.#changesOf(agentId), this.#drawn);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    const agent = this.#context.access.current;
    this.#quietUntil = Date.now() + TOOLTIP_MS;
    if (agent !== undefined) item.tooltip = await nodeTooltip(node, agent, (agentId) => this.#changesOf(agentId));
    return item;
  }

  async #changesOf(agentId: string): Promise<readonly FileFacts[]> {
    return (await this.#changes?.of(agentId)) ?? [];
  }

  /** The row that shows a group: its own, or that of the child of which it is a later round. Nothing for an unknown one. */
  async find(groupId: string): Promise<Node | undefined> {
    const group = this.#context.access.current?.group(groupId);
    const [first] = group?.children ?? [];
    return group?.isRound === true && first !== undefined ? this.findChild(first.groupId, first.agentId) : this.#findGroup(groupId);
  }

  async #findGroup(groupId: string): Promise<Node | undefined> {
    const top = await this.getChildren();
    return top.find((node) => node.kind === 'group' && node.groupId === groupId);
  }

  /** The row of a child, wherever it stands, or nothing for an unknown one. */
  async findChild(groupId: string, agentId: string): Promise<Node | undefined> {
    const group = await this.#findGroup(this.#context.access.current?.child(agentId)?.groupId ?? groupId);
    const children = group === undefined ? [] : await this.getChildren(group);
    return children.find((node) => node.kind === 'child' && node.agentId === agentId);
  }

  /** Whether VS Code has asked for the row of a child's request, as it does only where the child's row is unfolded. */
  hasAskedFor(requestId: string): boolean {
    return this.#nodes.has(`approval/${requestId}`);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #onEvent(agent: LiteAgent, event: RuntimeEvent): void {
    const change = affected(event);
    if (change === undefined) return;
    if (change === 'all' || this.#isUnlisted(agent, event)) this.#invalidate(undefined);
    else if (change.agentId === undefined) for (const home of homesOf(agent, change.groupId)) this.#invalidate(`group/${home}`);
    else {
      this.#invalidate(`child/${change.agentId}`);
      for (const home of homesOf(agent, change.groupId, change.agentId)) this.#touched.add(home);
    }
    if (event.type === 'child.started' || event.type === 'child.settled' || event.type === 'child.interrupted') this.#refreshQueue(agent);
    this.#tick(agent);
  }

  /** A group that should have a row and has none yet. A later round never has: asking for the whole list anew would lose clicks for nothing. */
  #isUnlisted(agent: LiteAgent, event: RuntimeEvent): boolean {
    // The first that is heard of a group: one of another window is read without having been accepted here.
    const groupId = event.type === 'group.accepted' ? event.group.groupId : event.type === 'group.refreshed' ? event.groupId : undefined;
    return groupId !== undefined && agent.group(groupId)?.isRound === false && !this.#nodes.has(`group/${groupId}`);
  }

  /** A place that gets free moves every other one up, in all groups. Row by row: the whole list anew would lose clicks. */
  #refreshQueue(agent: LiteAgent): void {
    for (const group of agent.groups()) {
      if (group.status !== 'running') continue;
      for (const child of group.children) if (child.status === 'queued') this.#invalidate(`child/${child.agentId}`);
    }
  }

  #invalidate(id: string | undefined): void {
    this.#stale.add(id);
    this.#refresh.schedule();
  }

  #fire(): void {
    for (const groupId of this.#touched) {
      const group = this.#context.access.current?.group(groupId);
      if (group !== undefined && this.#drawn.saysMore(group, groupContext())) this.#stale.add(`group/${groupId}`);
    }
    this.#touched.clear();
    const all = this.#stale.has(undefined);
    const nodes = [...this.#stale].map((id) => (id === undefined ? undefined : this.#nodes.get(id))).filter((node) => node !== undefined);
    this.#stale.clear();
    if (all) this.#changed.fire(undefined);
    else if (nodes.length > 0) this.#changed.fire(nodes);
  }

  /** One timer for all elapsed times, alive only while something runs. */
  #tick(agent: LiteAgent): void {
    const isRunning = agent.groups().some(isTicking);
    if (isRunning && this.#ticking === undefined) {
      let seconds = 0;
      this.#ticking = setInterval(() => {
        seconds += TICK_SECONDS;
        if (Date.now() > this.#quietUntil) {
          this.#refreshElapsed(agent, seconds % GROUP_SECONDS === 0);
          this.#fire();
        }
        this.#tick(agent);
      }, TICK_SECONDS * 1000);
    } else if (!isRunning) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
    }
  }

  /** Refreshing a row with children asks for them anew, under a progress bar: so those wait for the slower beat. */
  #refreshElapsed(agent: LiteAgent, groupsToo: boolean): void {
    for (const group of agent.groups()) {
      if (!isTicking(group)) continue;
      // A row that is drawn anew loses the click that is on its way: not while someone is to decide there.
      const isAsking = group.children.some(({ approvals }) => approvals.length > 0);
      if (groupsToo && !isAsking) this.#stale.add(`group/${group.groupId}`);
      for (const child of group.children) {
        const state = childState(child, Date.now());
        if (state === 'running' || state === 'silent' || state === 'retrying') this.#stale.add(`child/${child.agentId}`);
      }
    }
  }

  /** The known objects for the top rows, forgetting rows whose group is gone. */
  #keep(nodes: readonly Node[]): Node[] {
    const groups = new Set(nodes.map((node) => (node.kind === 'group' ? node.groupId : undefined)));
    for (const [id, node] of this.#nodes) {
      const groupId = node.kind === 'approval' || node.kind === 'file' ? node.parent?.groupId : node.groupId;
      if (!groups.has(groupId) || node.kind === 'approval') this.#nodes.delete(id);
    }
    return nodes.map((node) => this.#node(node));
  }

  #node(node: Node): Node {
    const id = nodeId(node);
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    this.#nodes.set(id, node);
    return node;
  }
}

/** Whether its rows show a clock. What another window runs is drawn when it is read. */
function isTicking({ status, isElsewhere }: GroupView): boolean {
  return status === 'running' && !isElsewhere;
}

/** The requests of a child that can be answered here: those of another window are that window's. */
function decidable(agent: LiteAgent, agentId: string): readonly string[] {
  const child = agent.child(agentId);
  return child === undefined || runsElsewhere(child, agent) ? [] : child.approvals;
}
