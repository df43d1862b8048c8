import type { ShellNode } from './shellGrammar.ts';
import { UnclearShell, type Hole } from './shellWord.ts';

/** What words consist of. Tokens within them (quotes, `$`, `=`) have no meaning of their own here: the word itself is read again. */
const WORD_NODES = new Set([
  'word', 'number', 'string', 'string_content', 'raw_string', 'ansi_c_string', 'translated_string', 'concatenation', 'command_name', 'extglob_pattern',
  'brace_expression', 'variable_assignment', 'variable_name', 'special_variable_name', 'simple_expansion', 'expansion', 'command_substitution', 'process_substitution',
]);
const TEST_NODES = new Set(['test_command', 'unary_expression', 'binary_expression', 'test_operator']);
const VARIABLE = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])$/;
/** No assignment, no indirection, no subscript, no arithmetic; defaults and patterns without any quoting. */
const BRACED = /^\$\{(?:#?[A-Za-z_]\w*|[0-9@*#?$!-])(?:(?::?[-+?]|%%?|##?)[\w./:@,*+-]*)?\}$/;

/** True for a node that is a word or a part of one. */
export function isWordNode({ type, children }: ShellNode): boolean {
  return WORD_NODES.has(type) || (children.length === 0 && (type === '$' || /^(?:declare|typeset|export|readonly|local|unset|unsetenv)$/.test(type)));
}

/**
 * The outermost expansions in these nodes, in order.
 * @param onSubstitution is handed each command or process substitution
 * @throws UnclearShell for nodes and expansions that aren't known
 */
export function holesOf(source: string, nodes: readonly ShellNode[], onSubstitution: (node: ShellNode) => void): readonly Hole[] {
  return nodes.flatMap((node) => {
    switch (node.type) {
      case 'simple_expansion':
      case 'expansion':
      case 'command_substitution':
      case 'process_substitution':
        return [holeOf(source, node, onSubstitution)];
      default:
        if (node.type === 'comment' || (node.children.length > 0 && !WORD_NODES.has(node.type) && !TEST_NODES.has(node.type))) throw new UnclearShell(`it holds what the grammar calls ${node.type.replaceAll('_', ' ')}`);
        return holesOf(source, node.children, onSubstitution);
    }
  });
}

function holeOf(source: string, node: ShellNode, onSubstitution: (node: ShellNode) => void): Hole {
  // Within double quotes the grammar counts the blanks before an expansion to it.
  const start = node.start + (/^\s*/.exec(source.slice(node.start, node.end))?.[0].length ?? 0);
  const text = source.slice(start, node.end);
  switch (node.type) {
    case 'simple_expansion':
      if (!VARIABLE.test(text)) throw new UnclearShell('an expansion is not understood');
      break;
    case 'expansion':
      if (!BRACED.test(text)) throw new UnclearShell('an expansion is not understood');
      break;
    default:
      // Backticks are found before anything in them is read, and a backslash means something else there.
      if (text.startsWith('`') && /[`\\"#]/.test(text.slice(1, -1))) throw new UnclearShell('a command in backticks is not understood');
      onSubstitution({ ...node, start });
  }
  return { start, end: node.end };
}
