import type { ResolvedPath } from '../../src/runtime/permissions/paths.ts';
import { readWith } from '../../src/runtime/permissions/shell.ts';
import { loadGrammar } from '../../src/runtime/permissions/shellGrammar.ts';
import type { CallSubject, SubjectTarget } from '../../src/runtime/permissions/subject.ts';

const parse = await loadGrammar();
const READ_ONLY = ['Read', 'Grep', 'Glob', 'WebFetch'];

/** A path in the workspace folder `/work` when relative, outside when absolute. */
export function pathAt(path: string): ResolvedPath {
  const inside = !path.startsWith('/');
  const real = inside ? (path === '.' ? '/project' : `/project/${path}`) : path;
  return { real, asked: real, inside, relative: path, relatives: inside ? [path] : [], own: false };
}

export function ownFile(path: string): ResolvedPath {
  return { ...pathAt(path), own: true };
}

export function subject(tool: string, targets: readonly SubjectTarget[], actsOnRun = false): CallSubject {
  return { tool, isReadOnly: READ_ONLY.includes(tool), actsOnRun, targets };
}

export function reads(path: string, tool = 'Read'): CallSubject {
  return subject(tool, [{ kind: 'path', access: 'read', path: pathAt(path) }]);
}

export function edits(path: string, tool = 'Edit'): CallSubject {
  return subject(tool, [{ kind: 'path', access: 'write', path: pathAt(path) }]);
}

export function runs(command: string): CallSubject {
  const reading = readWith(parse, command);
  const files = reading.ok ? reading.parts.filter((part) => part.kind === 'file') : [];
  return subject('Bash', [{ kind: 'command', command, reading, files: files.map(({ access, path }) => ({ access, path: pathAt(path) })) }]);
}

export function fetches(url: string): CallSubject {
  return subject('WebFetch', [{ kind: 'url', url }]);
}
