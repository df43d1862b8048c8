import { createHash } from 'node:crypto';

const VALID = /^[A-Za-z0-9_-]{1,64}$/;
const KEPT = 55;
const names = new Map<string, string>();

/**
 * The name under which a model knows a tool: every provider takes letters, digits, `_` and `-`, 64 of them. A name
 * that has to be changed ends with a hash of the whole, so that no two become one.
 */
export function wireName(name: string): string {
  if (VALID.test(name)) return name;
  const known = names.get(name);
  if (known !== undefined) return known;
  const wire = `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, KEPT)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  names.set(name, wire);
  return wire;
}
