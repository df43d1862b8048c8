import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import { Coalescer } from '../coalesce.ts';
import { onAgent, type UiContext } from '../context.ts';
import { startedAgent } from '../startedAgent.ts';
import { definitionNodes, nodeId, sourceNodes, type AgentNode } from './agentNodes.ts';
import { agentNodeTooltip, agentTreeItem } from './agentTreeItems.ts';

const REFRESH_MS = 100;

/** The rows of the Agents view: the files of definitions by source. It keeps ids only and asks the agent for everything else. */
export class AgentsTree implements vscode.TreeDataProvider<AgentNode>, Disposable {
  readonly #context: UiContext;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #store = new DisposableStore();
  /** The very objects that VS Code knows, by row id: it recognises elements by identity. */
  #nodes = new Map<string, AgentNode>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: UiContext) {
    this.#context = context;
    const refresh = this.#store.add(new Coalescer(REFRESH_MS, () => this.#changed.fire(undefined)));
    this.#store.add(this.#changed);
    this.#store.add(onAgent(context.access, (agent) => {
      refresh.schedule();
      return agent.subscribe((event) => {
        if (event.type === 'definitions.reloaded') refresh.schedule();
      });
    }));
  }

  async getChildren(parent?: AgentNode): Promise<AgentNode[]> {
    const agent = this.#context.access.current ?? (parent === undefined ? await startedAgent(this.#context) : undefined);
    if (agent === undefined) return [];
    const found = agent.definitions.found();
    if (parent === undefined) {
      const all = [...sourceNodes(found), ...sourceNodes(found).flatMap(({ source }) => definitionNodes(found, source))];
      // What is gone is forgotten.
      this.#nodes = new Map(all.map((node) => [nodeId(node), this.#nodes.get(nodeId(node)) ?? node]));
    }
    const nodes = parent === undefined ? sourceNodes(found) : parent.kind === 'source' ? definitionNodes(found, parent.source) : [];
    return nodes.map((node) => this.#nodes.get(nodeId(node)) ?? node);
  }

  getTreeItem(node: AgentNode): vscode.TreeItem {
    const agent = this.#context.access.current;
    return agent === undefined ? new vscode.TreeItem('') : agentTreeItem(node, agent);
  }

  resolveTreeItem(item: vscode.TreeItem, node: AgentNode): vscode.TreeItem {
    const agent = this.#context.access.current;
    if (agent !== undefined) item.tooltip = agentNodeTooltip(node, agent);
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
