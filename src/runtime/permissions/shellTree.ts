import type { ShellNode } from './shellGrammar.ts';
import { restOfHeredoc } from './shellHeredoc.ts';
import { holesOf, isWordNode } from './shellHoles.ts';
import { isRedirection, redirectedFile, type RedirectedFile } from './shellRedirect.ts';
import { readTest } from './shellTest.ts';
import { readWord, UnclearShell } from './shellWord.ts';

/** One simple command as its words, unquoted, with `UNKNOWN` for what only the shell knows. Without words it only sets variables. */
export interface SimpleCommand {
  readonly assignments: readonly Assignment[];
  readonly words: readonly string[];
}

export interface Assignment {
  readonly name: string;
  readonly value: string;
}

/** All that a command line runs and all files that it opens by itself. */
export interface ShellFacts {
  readonly commands: readonly SimpleCommand[];
  readonly files: readonly RedirectedFile[];
}

const MAX_COMMANDS = 500;
/** What holds statements, with the tokens that may stand between them. Nothing else is known, and what isn't known isn't understood. */
const CONTAINERS = new Set([
  'program', 'list', 'pipeline', 'negated_command', 'subshell', 'compound_statement', 'if_statement', 'elif_clause', 'else_clause', 'while_statement',
  'do_group', 'for_statement', 'case_statement', 'case_item', 'function_definition', 'command_substitution', 'process_substitution',
]);
const WITH_WORDS = new Set(['for_statement', 'case_statement', 'case_item', 'function_definition']);
const TOKENS = new Set([
  '&&', '||', ';', '|', '|&', '&', '!', '(', ')', '{', '}', ';;', ';&', ';;&', '\n', '$(', '`', '<(', '>(',
  'if', 'then', 'elif', 'else', 'fi', 'while', 'until', 'do', 'done', 'for', 'in', 'case', 'esac', 'function',
]);
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)\+?=/;

/**
 * Walks the tree of a command line. Only known nodes are taken, and every character between them must be a blank or
 * a line end where the shell allows one: the grammar's tree alone is sometimes wrong without any error in it.
 * @throws UnclearShell for anything that isn't understood for certain
 */
export function readTree(source: string, root: ShellNode): ShellFacts {
  const reader = new TreeReader(source);
  reader.readAll(root);
  return reader;
}

class TreeReader implements ShellFacts {
  readonly commands: SimpleCommand[] = [];
  readonly files: RedirectedFile[] = [];
  readonly #source: string;
  /** How many substitutions are open around what is read. */
  #substitutions = 0;
  /** Words end here at the latest: within backticks at the second one. */
  #limit: number;

  constructor(source: string) {
    this.#source = source;
    this.#limit = source.length;
  }

  readAll(root: ShellNode): void {
    this.#container({ ...root, start: 0, end: this.#source.length });
  }

  #statement(node: ShellNode): void {
    if (CONTAINERS.has(node.type)) return this.#container(node);
    switch (node.type) {
      case 'command':
      case 'declaration_command':
      case 'unset_command':
        return this.#command(node.children);
      case 'variable_assignment':
        return this.#command([node]);
      case 'variable_assignments':
        return this.#command(node.children);
      case 'redirected_statement':
        return this.#redirected(node);
      case 'test_command':
        return this.#add({ assignments: [], words: readTest(this.#source, node, this.#holes([node])) });
      default:
        throw new UnclearShell(`it holds what the grammar calls ${node.type.replaceAll('_', ' ')}`);
    }
  }

  #container(node: ShellNode): void {
    const { children } = node;
    let end = node.start;
    let afterStatement = false;
    for (let index = 0; index < children.length; index++) {
      const child = children[index] as ShellNode;
      const gap = this.#lineGap(end, child.start);
      end = child.end;
      const isWord = WITH_WORDS.has(node.type) && isWordNode(child) && child.type !== 'variable_assignment';
      const isStatement = child.children.length > 0 && !isWord && !isRedirection(child) && !isClause(child);
      if (isStatement && afterStatement && !gap.includes('\n')) throw new UnclearShell('two commands follow each other without a separator');
      afterStatement = isStatement;
      if (child.type === 'comment') this.#comment(child);
      else if (TOKENS.has(child.type) && child.children.length === 0) this.#token(child);
      else if (isRedirection(child) && node.type === 'command_substitution') this.#command([child]);
      else if (isRedirection(child) && node.type === 'function_definition') this.#command([child], true);
      else if (isWord) {
        const glued = gluedFrom(children, index);
        end = this.#word(glued, node.type === 'for_statement').end;
        index += glued.length - 1;
      } else this.#statement(child);
    }
    this.#lineGap(end, node.end);
  }

  /** A word between the commands: the name of a function or of a loop's variable, what a loop goes through, a pattern. */
  #word(nodes: readonly ShellNode[], inLoop: boolean): { readonly end: number } {
    const [first] = nodes;
    if (inLoop && first?.type === 'variable_name' && nodes.length === 1) {
      const { start, end } = first;
      this.#add({ words: [], assignments: [{ name: this.#source.slice(start, end), value: '' }] });
      return { end };
    }
    return this.#readWord(nodes);
  }

  #redirected(node: ShellNode): void {
    const [body, ...redirections] = node.children;
    if (body === undefined) throw new UnclearShell('a redirection is not understood');
    if (body.type === 'command' || body.type === 'variable_assignment') {
      return this.#command([...(body.type === 'command' ? body.children : [body]), ...redirections]);
    }
    if (isRedirection(body)) return this.#command(node.children);
    this.#statement(body);
    this.#gap(body.end, redirections[0]?.start ?? body.end);
    this.#command(redirections, true);
  }

  /** @param isCompound the redirections are those of a whole group, which takes no words. */
  #command(children: readonly ShellNode[], isCompound = false): void {
    const words: { readonly raw: string; readonly text: string }[] = [];
    let before: ShellNode | undefined;
    for (let index = 0; index < children.length; index++) {
      const child = children[index] as ShellNode;
      const gap = before ? this.#gap(before.end, child.start) : ' ';
      if (isRedirection(child)) {
        if (gap === '' && before) this.#checkGlued(before, child);
        words.push(...this.#redirection(child));
        before = child;
        continue;
      }
      if (gap === '' || !isWordNode(child)) throw new UnclearShell('the end of a word or a redirection is not understood');
      const glued = gluedFrom(children, index);
      const { text, end } = this.#readWord(glued);
      words.push({ raw: this.#source.slice(child.start, end), text });
      index += glued.length - 1;
      before = glued.at(-1);
    }
    if (isCompound) {
      if (words.length > 0) throw new UnclearShell('words follow a group of commands');
      return;
    }
    const first = words.findIndex(({ raw }) => !ASSIGNMENT.test(raw));
    const count = first < 0 ? words.length : first;
    this.#add({ assignments: words.slice(0, count).map(({ text }) => assignmentOf(text)), words: words.slice(count).map(({ text }) => text) });
  }

  /** `ls>f` is plain; what the shell might take for the number of the file isn't. */
  #checkGlued(before: ShellNode, redirection: ShellNode): void {
    const text = this.#source.slice(before.start, before.end);
    if (isRedirection(before) || redirection.children[0]?.type === 'file_descriptor' || text.endsWith('}') || /^\d+$/.test(text)) throw new UnclearShell('a redirection is not understood');
  }

  /** The words of the command that stand behind it. */
  #redirection(node: ShellNode): readonly { readonly raw: string; readonly text: string }[] {
    if (node.type === 'heredoc_redirect') {
      const words: { readonly raw: string; readonly text: string }[] = [];
      let end: number | undefined;
      for (const child of restOfHeredoc(this.#source, node)) {
        if (end !== undefined && this.#gap(end, child.start) === '' && isWordNode(child)) throw new UnclearShell('a word behind a here-document is not understood');
        end = child.end;
        if (isRedirection(child)) words.push(...this.#redirection(child));
        else if (isWordNode(child)) words.push({ raw: this.#source.slice(child.start, child.end), text: this.#readWord([child]).text });
        else if (TOKENS.has(child.type)) this.#token(child);
        else this.#statement(child);
      }
      return words;
    }
    const file = redirectedFile(this.#source, node, (nodes) => this.#readWord(nodes).text);
    if (file) this.files.push(file);
    return [];
  }

  /** A word of the shell's own grammar is one only where nothing touches it: `{}` is the name of a program. */
  #token({ type, start, end }: ShellNode): void {
    if (!/^[a-z{}!]/.test(type)) return;
    if (!/(?:^|[\s;&|()`])$/.test(this.#source.slice(0, start).slice(-1)) || !/^(?:$|[\s;&|()<>`])/.test(this.#source.slice(end, end + 1))) throw new UnclearShell(`"${type}" is not understood`);
  }

  #comment({ start, end }: ShellNode): void {
    const before = this.#source.slice(Math.max(0, start - 2), start);
    const isWhole = (end === this.#source.length || this.#source[end] === '\n') && !this.#source.slice(start, end).includes('\n');
    // Within substitutions not all shells look for comments in the same way.
    if (this.#substitutions > 0 || !isWhole || !/(?:^|[ \t\n;&|(])$/.test(before) || before.startsWith('\\')) throw new UnclearShell('a comment is not understood');
  }

  #readWord(nodes: readonly ShellNode[]): { readonly text: string; readonly end: number } {
    const start = nodes[0]?.start ?? 0;
    const end = nodes.at(-1)?.end ?? start;
    const word = readWord(this.#source.slice(0, this.#limit), start, this.#holes(nodes));
    if (word.end !== end || start === end) throw new UnclearShell('the end of a word is not understood');
    return { text: word.text, end };
  }

  /** The expansions in these nodes. What they run is read too. */
  #holes(nodes: readonly ShellNode[]): ReturnType<typeof holesOf> {
    return holesOf(this.#source, nodes, (substitution) => {
      const limit = this.#limit;
      if (this.#source[substitution.start] === '`') this.#limit = substitution.end - 1;
      this.#substitutions++;
      this.#container(substitution);
      this.#substitutions--;
      this.#limit = limit;
    });
  }

  #add(command: SimpleCommand): void {
    if (this.commands.length >= MAX_COMMANDS) throw new UnclearShell(`it runs more than ${MAX_COMMANDS} commands`);
    this.commands.push(command);
  }

  /** What lies between two parts of a command: nothing, or a blank. */
  #gap(start: number, end: number): string {
    const gap = this.#source.slice(start, end);
    if (!/^(?:(?:[ \t]|\\\n)*[ \t](?:[ \t]|\\\n)*)?$/.test(gap)) throw new UnclearShell('the space between two words is not understood');
    return gap;
  }

  /** What lies between commands: also line ends. */
  #lineGap(start: number, end: number): string {
    const gap = this.#source.slice(start, end);
    const plain = gap.replaceAll('\\\n', '');
    if (!/^[ \t\n]*$/.test(plain) || (plain === '' && gap !== '')) throw new UnclearShell('the space between two commands is not understood');
    return gap;
  }
}

/** The nodes that stand together without a space: one word to the shell, however the grammar sees them. */
function gluedFrom(children: readonly ShellNode[], index: number): readonly ShellNode[] {
  let end = index + 1;
  while (end < children.length && isWordNode(children[end] as ShellNode) && children[end]?.start === children[end - 1]?.end) end++;
  return children.slice(index, end);
}

/** A part of a statement that needs no separator before it. */
function isClause({ type }: ShellNode): boolean {
  return type === 'elif_clause' || type === 'else_clause' || type === 'do_group' || type === 'case_item';
}

function assignmentOf(text: string): Assignment {
  const name = ASSIGNMENT.exec(text)?.[1];
  if (name === undefined) throw new UnclearShell('an assignment is not understood');
  return { name, value: text.slice(text.indexOf('=') + 1) };
}
