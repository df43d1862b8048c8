import path from 'node:path';
import type { PermissionLayer } from '../domain/permissions.ts';
import type { PathScope } from '../domain/ports.ts';
import { READERS } from './defaults.ts';
import { slashed } from './globs.ts';
import { judge } from './judge.ts';

/**
 * Which files a search may show without asking: those that the tool itself (or `Read`, for one that is not built in)
 * would be allowed to read. For tools that walk folders and leave the rest out. The result takes absolute real paths
 * and never throws; the scope's roots are real.
 * @param granted real paths that the call itself was allowed to read: that very file is shown, and below a folder
 * outside the workspace what no rule keeps back, which else would ask once more for each file.
 */
export function createReadFilter(layers: readonly PermissionLayer[], { roots, ownFolders, readFolders = [] }: Pick<PathScope, 'roots' | 'ownFolders' | 'readFolders'>, granted: readonly string[] = [], tool = 'Read'): (file: string) => boolean {
  const reader = READERS.includes(tool) ? tool : 'Read';
  return (file) => {
    if (granted.includes(file)) return true;
    const relatives = [...new Set(roots)].sort((a, b) => b.length - a.length).flatMap((root) => within(root, file) ?? []);
    const own = ownFolders.some((folder) => within(folder, file) !== undefined);
    const resolved = { real: file, asked: file, inside: relatives.length > 0, relative: relatives[0] ?? slashed(file), relatives, own, granted: [...readFolders, ...granted].some((folder) => within(folder, file) !== undefined) };
    return judge({ tool: reader, isReadOnly: true, actsOnRun: false, targets: [{ kind: 'path', access: 'read', path: resolved }] }, layers).verdict === 'allow';
  };
}

function within(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file);
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative) ? undefined : slashed(relative) || '.';
}
