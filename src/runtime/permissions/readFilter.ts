import path from 'node:path';
import type { PermissionLayer } from '../domain/permissions.ts';
import { judge } from './judge.ts';
import { slashed } from './globs.ts';

/**
 * Which files a search may show without asking: those that `Read` would be allowed to open. For tools that walk
 * folders and leave the rest out. The result takes absolute real paths inside the root, and never throws.
 */
export function createReadFilter(layers: readonly PermissionLayer[], root: string): (file: string) => boolean {
  return (file) => {
    const relative = slashed(path.relative(root, file)) || '.';
    const resolved = { real: file, asked: file, inside: true, relative, relatives: [relative], own: false };
    return judge({ tool: 'Read', isReadOnly: true, actsOnRun: false, targets: [{ kind: 'path', access: 'read', path: resolved }] }, layers).verdict === 'allow';
  };
}
