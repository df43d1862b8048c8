import type { ShellNode } from './shellGrammar.ts';
import { UnclearShell } from './shellWord.ts';

/** A file that the shell itself opens. `path` may hold `UNKNOWN`. */
export interface RedirectedFile {
  readonly access: 'read' | 'write';
  readonly path: string;
}

/** Opening these touches no file. */
const FREE = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr']);
const DESCRIPTOR = /^(?:\d+-?|-)$/;

export function isRedirection({ type }: ShellNode): boolean {
  return type === 'file_redirect' || type === 'herestring_redirect' || type === 'heredoc_redirect';
}

/**
 * The file that a redirection opens; nothing where it opens none.
 * @param wordOf reads the one word that these nodes are
 * @throws UnclearShell for what isn't understood
 */
export function redirectedFile(source: string, node: ShellNode, wordOf: (nodes: readonly ShellNode[]) => string): RedirectedFile | undefined {
  const rest = node.children[0]?.type === 'file_descriptor' ? node.children.slice(1) : node.children;
  const [operator, ...target] = rest;
  if (!operator || operator.children.length > 0) throw new UnclearShell('a redirection is not understood');
  checkPlaces(source, node, operator, target);
  const type = operator.type;
  if (target.length === 0) {
    if (type === '>&-' || type === '<&-') return undefined;
    throw new UnclearShell('a redirection is not understood');
  }
  const path = wordOf(target);
  switch (type) {
    case '<<<':
      return undefined;
    case '<':
      return FREE.has(path) ? undefined : { access: 'read', path };
    case '>':
    case '>>':
    case '>|':
    case '&>':
    case '&>>':
      return FREE.has(path) ? undefined : { access: 'write', path };
    case '>&':
      if (DESCRIPTOR.test(path) || FREE.has(path)) return undefined;
      // Here bash expands the word once more after it took the quotes off, and would run what they kept from it.
      if (!/^[\w./-]+$/.test(path)) throw new UnclearShell('a redirection is not understood');
      return { access: 'write', path };
    case '<&':
      if (DESCRIPTOR.test(path)) return undefined;
      throw new UnclearShell('a redirection is not understood');
    default:
      throw new UnclearShell('a redirection is not understood');
  }
}

/** The number stands right before the operator and one word behind it; the grammar takes further words too, which are the command's. */
function checkPlaces(source: string, node: ShellNode, operator: ShellNode, target: readonly ShellNode[]): void {
  const [first] = target;
  const isGlued = target.every((each, index) => index === 0 || each.start === target[index - 1]?.end);
  const descriptor = source.slice(node.start, operator.start);
  if (!/^\d*$/.test(descriptor) || !isGlued || (first && !/^[ \t]*$/.test(source.slice(operator.end, first.start)))) throw new UnclearShell('a redirection is not understood');
}
