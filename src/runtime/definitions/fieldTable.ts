import { AGENT_COLORS } from '../domain/definitions.ts';
import type { ReasoningEffort } from '../domain/models.ts';
import type { OnAsk } from '../domain/permissions.ts';

/** What the value of a field is. */
export type FieldValue =
  | { readonly kind: 'text' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'count' }
  | { readonly kind: 'duration' }
  /** One of these words. */
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'model' }
  | { readonly kind: 'tools' }
  | { readonly kind: 'skills' }
  | { readonly kind: 'servers' }
  /** Patterns of permission rules. */
  | { readonly kind: 'rules' }
  | { readonly kind: 'map'; readonly fields: readonly Field[] }
  /** A map that is looked at by whoever uses it. */
  | { readonly kind: 'schema' };

/** A field of definitions, as it is written in a file. */
export interface Field<Name extends string = string> {
  readonly name: Name;
  readonly value: FieldValue;
  /** False for one that is read but that a new file would write differently. */
  readonly isOffered: boolean;
  /** How it is written with its value: one line, or more where its value is a map. */
  readonly example: string;
}

export const EFFORTS: readonly ReasoningEffort[] = ['low', 'medium', 'high'];
export const ON_ASK: readonly OnAsk[] = ['ask', 'deny'];

const field = <const Name extends string>(name: Name, value: FieldValue, example: string, isOffered = true): Field<Name> => ({ name, value, example, isOffered });

const PERMISSION = [
  field('allow', { kind: 'rules' }, 'allow: [Read, "Edit(src/**)"]'),
  field('ask', { kind: 'rules' }, 'ask: ["Bash(git push:*)"]'),
  field('deny', { kind: 'rules' }, 'deny: ["Read(secrets/**)"]'),
  field('onAsk', { kind: 'word', words: ON_ASK }, 'onAsk: deny'),
] as const;

/** What a `permission` may hold. */
export const PERMISSION_KEYS: readonly string[] = PERMISSION.map(({ name }) => name);

const OWN_FIELDS = [
  field('name', { kind: 'text' }, 'name: code-reviewer'),
  field('description', { kind: 'text' }, 'description: Reviews a change before it is merged.'),
  field('tools', { kind: 'tools' }, 'tools: [Read, Grep, Glob, "github/*"]'),
  field('disallowedTools', { kind: 'tools' }, 'disallowedTools: [Bash]'),
  field('readOnly', { kind: 'flag' }, 'readOnly: true'),
  field('model', { kind: 'model' }, 'model: inherit'),
  field('effort', { kind: 'word', words: EFFORTS }, 'effort: high'),
  field('maxTurns', { kind: 'count' }, 'maxTurns: 30'),
  field('maxDuration', { kind: 'duration' }, 'maxDuration: 15m'),
  field('skills', { kind: 'skills' }, 'skills: [release-notes]'),
  field('mcpServers', { kind: 'servers' }, 'mcpServers: [github]'),
  field('permission', { kind: 'map', fields: PERMISSION }, 'permission:\n  ask: ["Bash(git push:*)"]\n  onAsk: deny'),
  field('resultSchema', { kind: 'schema' }, 'resultSchema:\n  type: object\n  properties:\n    summary: {type: string}\n  required: [summary]'),
  field('isolation', { kind: 'word', words: ['worktree', 'none'] }, 'isolation: worktree'),
  field('color', { kind: 'word', words: AGENT_COLORS }, 'color: blue'),
  field('delegable', { kind: 'flag' }, 'delegable: false'),
  field('disable-model-invocation', { kind: 'flag' }, 'disable-model-invocation: true', false),
] as const;

export type FieldName = (typeof OWN_FIELDS)[number]['name'];
export type PermissionKey = (typeof PERMISSION)[number]['name'];

/** The fields of definitions, in the order in which people write them. The loader has a reader for each, and for no others but those of other products. */
export const FIELDS: readonly Field<FieldName>[] = OWN_FIELDS;
