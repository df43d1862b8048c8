import * as vscode from 'vscode';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import type { TrackedTask } from '../../runtime/domain/trackedTasks.ts';
import { runsElsewhere } from '../rounds.ts';
import { shownStatus } from '../waiting.ts';
import { openCommand } from '../tree/treeItems.ts';
import { rowItem, tooltip } from '../tree/rowItem.ts';
import { statusRow, taskRow, taskTooltip, type TaskContext } from './taskItem.ts';
import { nodeId, type TaskNode } from './taskNodes.ts';

/** The row of a node as VS Code wants it. A task that is gone gives an empty row until the list is asked again. */
export function taskTreeItem(node: TaskNode, agent: LiteAgent): vscode.TreeItem {
  switch (node.kind) {
    case 'status': {
      const count = agent.tasks.list().filter((task) => shownStatus(task, agent) === node.status).length;
      const isFolded = node.status === 'completed' || node.status === 'cancelled';
      return rowItem(nodeId(node), statusRow(node.status, count, vscode.l10n), isFolded ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded);
    }
    case 'task': {
      const task = find(node.taskId, agent);
      if (task === undefined) return rowItem(nodeId(node), undefined, vscode.TreeItemCollapsibleState.None);
      const context = taskContext(task, agent);
      // Without a subagent that has begun there is nothing to open: the tooltip says all.
      return rowItem(nodeId(node), taskRow(task, context), vscode.TreeItemCollapsibleState.None, context.child && openCommand(context.child, node));
    }
  }
}

/** The tooltip of a node, made when it is asked for. */
export function taskNodeTooltip(node: TaskNode, agent: LiteAgent): vscode.MarkdownString | undefined {
  const task = node.kind === 'task' ? find(node.taskId, agent) : undefined;
  return task && tooltip(task.subject, taskTooltip(task, taskContext(task, agent)));
}

function find(id: string, agent: LiteAgent): TrackedTask | undefined {
  return agent.tasks.list().find((task) => task.id === id);
}

function taskContext({ agentId }: TrackedTask, agent: LiteAgent): TaskContext {
  const child = agentId === undefined ? undefined : agent.child(agentId);
  return { tasks: agent.tasks.list(), child, isElsewhere: child !== undefined && runsElsewhere(child, agent), locale: vscode.env.language, l10n: vscode.l10n };
}
