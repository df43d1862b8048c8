import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { Coalescer } from '../coalesce.ts';
import { onAgent, type UiContext } from '../context.ts';
import { startedAgent } from '../startedAgent.ts';
import { affectedChildren, PlacedTasks, type StaleRows } from './placedTasks.ts';
import { nodeId, statusNodes, taskNodes, type TaskNode } from './taskNodes.ts';
import { taskTreeItem, taskNodeTooltip } from './taskTreeItems.ts';

const REFRESH_MS = 100;

/** The rows of the Tasks view. It keeps ids only and asks the agent for everything else. */
export class TasksTree implements vscode.TreeDataProvider<TaskNode>, Disposable {
  readonly #context: UiContext;
  readonly #changed = new vscode.EventEmitter<TaskNode[] | undefined>();
  readonly #store = new DisposableStore();
  readonly #refresh: Coalescer;
  /** The very objects that VS Code knows, by row id: it recognises elements by identity. */
  readonly #nodes = new Map<string, TaskNode>();
  readonly #stale = new Set<string | undefined>();
  #placed = new PlacedTasks([]);

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: UiContext) {
    this.#context = context;
    this.#refresh = this.#store.add(new Coalescer(REFRESH_MS, () => this.#fire()));
    this.#store.add(this.#changed);
    this.#store.add(onAgent(context.access, (agent) => {
      this.#placeAll(agent);
      return agent.subscribe((event) => this.#onEvent(agent, event));
    }));
  }

  async getChildren(parent?: TaskNode): Promise<TaskNode[]> {
    const agent = this.#context.access.current ?? (parent === undefined ? await startedAgent(this.#context) : undefined);
    const tasks = agent?.tasks.list() ?? [];
    if (parent === undefined) return this.#keep(statusNodes(tasks), ({ kind }) => kind === 'status');
    return parent.kind === 'status' ? this.#keep(taskNodes(tasks, parent.status), ({ kind, status }) => kind === 'task' && status === parent.status) : [];
  }

  getTreeItem(node: TaskNode): vscode.TreeItem {
    const agent = this.#context.access.current;
    return agent === undefined ? new vscode.TreeItem('') : taskTreeItem(node, agent);
  }

  resolveTreeItem(item: vscode.TreeItem, node: TaskNode): vscode.TreeItem {
    const agent = this.#context.access.current;
    if (agent !== undefined) item.tooltip = taskNodeTooltip(node, agent);
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #placeAll(agent: LiteAgent): void {
    this.#placed = new PlacedTasks(agent.tasks.list());
    this.#invalidate(new Set([undefined]));
  }

  #onEvent(agent: LiteAgent, event: RuntimeEvent): void {
    if (this.#placed.holdsMoreThan(agent.tasks.list())) return this.#placeAll(agent);
    if (event.type === 'task.changed') return this.#invalidate(this.#placed.change(event.task, agent.tasks.list()));
    const affected = affectedChildren(event);
    if (affected === undefined) return;
    const children = 'agentId' in affected ? [agent.child(affected.agentId)] : (agent.group(affected.groupId)?.children ?? []);
    for (const child of children) if (child?.taskId !== undefined) this.#invalidate(this.#placed.row(child.taskId));
  }

  #invalidate(rows: StaleRows): void {
    if (rows.size === 0) return;
    for (const row of rows) this.#stale.add(row);
    this.#refresh.schedule();
  }

  #fire(): void {
    const all = this.#stale.has(undefined);
    const nodes = [...this.#stale].flatMap((id) => (id === undefined ? [] : (this.#nodes.get(id) ?? [])));
    this.#stale.clear();
    if (all) this.#changed.fire(undefined);
    else if (nodes.length > 0) this.#changed.fire(nodes);
  }

  /** The known objects of these rows, which are all that there are in their place: others that were there are forgotten. */
  #keep(nodes: readonly TaskNode[], isThere: (node: TaskNode) => boolean): TaskNode[] {
    const ids = new Set(nodes.map(nodeId));
    for (const [id, node] of this.#nodes) if (isThere(node) && !ids.has(id)) this.#nodes.delete(id);
    return nodes.map((node) => this.#node(node));
  }

  /** The known object of a row. One that got a subagent is another one, since commands act on what it names. */
  #node(node: TaskNode): TaskNode {
    const id = nodeId(node);
    const known = this.#nodes.get(id);
    if (known !== undefined && (known.kind === 'status' || (node.kind === 'task' && known.agentId === node.agentId))) return known;
    this.#nodes.set(id, node);
    return node;
  }
}
