import * as vscode from 'vscode';
import { COMMANDS } from '../../ids.ts';
import { findDefinition } from '../../runtime/definitions/names.ts';
import type { ChildView } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { isSettled, ownChildren, rowChildren } from '../children.ts';
import { agentName, childName } from '../names.ts';
import { runsElsewhere } from '../rounds.ts';
import { approvalRow, approvalTooltip } from './approvalItem.ts';
import { childRow, childTooltip, queuePlaces, type ChildContext } from './childItem.ts';
import { groupRow, groupTooltip } from './groupItem.ts';
import { nodeId, type Node } from './nodes.ts';
import type { Row } from './presentation.ts';
import { rowItem, tooltip } from './rowItem.ts';

/** The row of a node as VS Code wants it. A node whose subject is gone gives an empty row until the list is asked again. */
export function treeItem(node: Node, agent: LiteAgent): vscode.TreeItem {
  switch (node.kind) {
    case 'group': {
      const group = agent.group(node.groupId);
      const state = node.isOld ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
      return group === undefined ? gone(node) : item(node, groupRow(group, groupContext()), state);
    }
    case 'child': {
      const child = agent.child(node.agentId);
      if (child === undefined) return gone(node);
      const state = child.approvals.length > 0 && !runsElsewhere(child, agent) ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None;
      return item(node, childRow(child, childContext(child, agent)), state, openCommand(child, node));
    }
    case 'approval': {
      const request = agent.approvals.pending().find((candidate) => candidate.id === node.requestId);
      if (request === undefined) return gone(node);
      const command = { command: COMMANDS.showApprovalDetails, title: vscode.l10n.t('Show Details'), arguments: [node] };
      return item(node, approvalRow(request, agentName(request.agent, agent.groups(), vscode.l10n), vscode.l10n), vscode.TreeItemCollapsibleState.None, command);
    }
  }
}

/** The tooltip of a node, made when it is asked for. */
export function nodeTooltip(node: Node, agent: LiteAgent): vscode.MarkdownString | undefined {
  switch (node.kind) {
    case 'group': {
      const group = agent.group(node.groupId);
      return group && tooltip(groupRow(group, groupContext()).label, groupTooltip(group, groupContext()));
    }
    case 'child': {
      const child = agent.child(node.agentId);
      return child && tooltip(child.displayName, childTooltip(child, childContext(child, agent)));
    }
    case 'approval': {
      const request = agent.approvals.pending().find((candidate) => candidate.id === node.requestId);
      return request && tooltip(vscode.l10n.t('Waits for approval'), approvalTooltip(request, agentName(request.agent, agent.groups(), vscode.l10n), vscode.l10n));
    }
  }
}

function item(node: Node, row: Row, state: vscode.TreeItemCollapsibleState, command?: vscode.Command): vscode.TreeItem {
  return rowItem(nodeId(node), row, state, command);
}

function gone(node: Node): vscode.TreeItem {
  return rowItem(nodeId(node), undefined, vscode.TreeItemCollapsibleState.None);
}

/** A click opens what there is: the result once settled, what it does so far before. */
export function openCommand(child: ChildView, node: object): vscode.Command | undefined {
  if (child.status === 'queued') return undefined;
  return isSettled(child.status)
    ? { command: COMMANDS.openResult, title: vscode.l10n.t('Open Result'), arguments: [node] }
    : { command: COMMANDS.openTranscript, title: vscode.l10n.t('Open Transcript'), arguments: [node] };
}

function childContext(child: ChildView, agent: LiteAgent): ChildContext {
  const group = agent.group(child.groupId);
  const place = (): number => queuePlaces(ownChildren(agent.groups())).get(child.agentId) ?? 1;
  return {
    name: childName(child, group === undefined ? [child] : rowChildren(group)),
    place: child.status === 'queued' ? place() : 0,
    now: Date.now(),
    isElsewhere: runsElsewhere(child, agent),
    color: findDefinition(agent.definitions.list(), child.definition)?.color,
    hasRefused: agent.approvals.refused(child.agentId).length > 0,
    cwd: group?.cwd ?? '',
    locale: vscode.env.language,
    l10n: vscode.l10n,
  };
}

function groupContext(): Parameters<typeof groupRow>[1] {
  return { now: Date.now(), locale: vscode.env.language, l10n: vscode.l10n };
}
