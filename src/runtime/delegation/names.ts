import { randomId } from '../base/ids.ts';

/** Fifty random bits: short enough to read, long enough never to meet twice. */
const ID_LENGTH = 10;
const SLUG_LENGTH = 32;

export function newGroupId(): string {
  return `bg_${randomId().slice(0, ID_LENGTH)}`;
}

/** `agent-<type>-<id>`, safe in file names, URIs and attributes whatever the type is called. */
export function newAgentId(type: string): string {
  return `agent-${slug(type)}-${randomId().slice(0, ID_LENGTH)}`;
}

/** A type's name in a-z, 0-9 and hyphens; `custom` where nothing of it is left. */
function slug(type: string): string {
  const plain = type.normalize('NFKD').toLowerCase().replace(/\p{M}+/gu, '').replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, SLUG_LENGTH).replace(/^-+|-+$/g, '') || 'custom';
}
