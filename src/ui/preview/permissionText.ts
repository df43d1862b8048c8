import type { EffectiveChild } from '../../runtime/domain/effectiveAgent.ts';
import type { PermissionLayer } from '../../runtime/domain/permissions.ts';
import type { L10n } from '../l10n.ts';
import { joined } from '../tree/presentation.ts';
import { table } from './toolText.ts';

/** Who has a say in what it may do. */
export function permissionSection({ layers, permissionMode }: EffectiveChild, l10n: L10n): readonly string[] {
  const heads = [l10n.t('Who says it'), l10n.t('Denied'), l10n.t('Asks'), l10n.t('Allowed'), l10n.t('Besides')];
  const rows = layers.map((layer) => [layerWords(layer.name, l10n), rules(layer.lists.deny), rules(layer.lists.ask), rules(layer.lists.allow), besides(layer, l10n)]);
  return [
    `## ${l10n.t('Permissions')}`,
    ...(permissionMode === 'dry-run' ? [`> ${l10n.t('Dry run: rules are recorded, but stop nothing.')}`] : []),
    l10n.t('Each call is judged by every line of this table, and the strictest word counts. Within a line, denied comes before asks, and asks before allowed.'),
    table(heads, rows),
  ];
}

function rules(list: readonly string[] = []): string {
  return list.join(', ');
}

function besides({ name, lists, onAsk, readOnlyCommands }: PermissionLayer, l10n: L10n): string {
  return joined(
    name === 'user' ? l10n.t('what no rule names: reading in the workspace is allowed, writing outside of it denied, all else asks') : undefined,
    name !== 'user' && lists.allow !== undefined ? l10n.t('what is not allowed here asks') : undefined,
    onAsk === 'deny' ? l10n.t('it never asks: what would ask is denied') : undefined,
    readOnlyCommands === 'deny' ? l10n.t('commands that are not known to only read are denied') : undefined,
    readOnlyCommands === 'ask' ? l10n.t('commands that are not known to only read ask') : undefined,
  );
}

function layerWords(name: PermissionLayer['name'], l10n: L10n): string {
  switch (name) {
    case 'user':
      return l10n.t('user settings');
    case 'workspace':
      return l10n.t('workspace settings');
    case 'parent':
      return l10n.t('the agent that delegates');
    case 'subagentPermission':
      return l10n.t('setting subagentPermission');
    case 'definition':
      return l10n.t('definition');
  }
}
