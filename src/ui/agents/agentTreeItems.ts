import * as vscode from 'vscode';
import { COMMANDS } from '../../ids.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { rowItem, tooltip } from '../tree/rowItem.ts';
import { definitionRow, definitionTooltip, sourceRow } from './agentItem.ts';
import { definitionOf, nodeId, type AgentNode } from './agentNodes.ts';

/** The row of a node as VS Code wants it. A definition that is gone gives an empty row until the list is asked again. */
export function agentTreeItem(node: AgentNode, { definitions }: Pick<LiteAgent, 'definitions'>): vscode.TreeItem {
  const found = definitions.found();
  switch (node.kind) {
    case 'source':
      return rowItem(nodeId(node), sourceRow(node.source, found, vscode.l10n), vscode.TreeItemCollapsibleState.Expanded);
    case 'definition': {
      const one = definitionOf(found, node.definitionId);
      const open = { command: COMMANDS.openDefinition, title: vscode.l10n.t('Open File'), arguments: [node] };
      return rowItem(nodeId(node), one && definitionRow(one, vscode.l10n), vscode.TreeItemCollapsibleState.None, open);
    }
  }
}

/** The tooltip of a node, made when it is asked for. */
export function agentNodeTooltip(node: AgentNode, { definitions }: Pick<LiteAgent, 'definitions'>): vscode.MarkdownString | undefined {
  const one = node.kind === 'definition' ? definitionOf(definitions.found(), node.definitionId) : undefined;
  return one && tooltip(one.name, definitionTooltip(one, vscode.l10n));
}
