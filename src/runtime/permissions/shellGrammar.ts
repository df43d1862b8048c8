import type { Node, Parser } from '@vscode/tree-sitter-wasm';
import { UnclearShell } from './shellWord.ts';

/** A node of the grammar's tree. Positions are those of the source text; tokens have no children. */
export interface ShellNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly ShellNode[];
}

/**
 * The tree of a command line by the grammar of bash.
 * @throws UnclearShell for what isn't bash, takes too long or is nested too deeply; anything else when the parser
 * itself failed, which then is of no more use
 */
export type ParseShell = (command: string) => ShellNode;

/** Milliseconds for one command line. The grammar tries several readings at once, and some texts have very many. */
const TIME_LIMIT = 400;
const MAX_DEPTH = 100;

/** Where the runtime lies. It tells so only the first time that it is started. */
let folder = '';

/** Loads the grammar, which takes a moment. Rejects where its files are missing. */
export async function loadGrammar(): Promise<ParseShell> {
  const { default: runtime } = await import('@vscode/tree-sitter-wasm');
  await runtime.Parser.init({
    locateFile(file, place) {
      folder = place;
      return `${place}${file}`;
    },
  });
  // The grammar lies beside the runtime, in the package as well as in the bundle.
  const grammar = await runtime.Language.load(`${folder}tree-sitter-bash.wasm`);
  return parseWith(new runtime.Parser().setLanguage(grammar));
}

function parseWith(parser: Parser): ParseShell {
  return (command) => {
    const end = performance.now() + TIME_LIMIT;
    const tree = parser.parse(command, null, { progressCallback: () => performance.now() > end });
    if (!tree) {
      // Else the parser would go on with the old text the next time.
      parser.reset();
      throw new UnclearShell('it takes too long to read');
    }
    try {
      if (tree.rootNode.hasError) throw new UnclearShell('it is not a complete command of bash');
      return copyOf(tree.rootNode, 0);
    } finally {
      tree.delete();
    }
  };
}

function copyOf(node: Node, depth: number): ShellNode {
  if (depth > MAX_DEPTH) throw new UnclearShell('it is nested too deeply');
  if (node.isError || node.isMissing) throw new UnclearShell('it is not a complete command of bash');
  const children = node.children.flatMap((each) => (each ? [copyOf(each, depth + 1)] : []));
  return { type: node.type, start: node.startIndex, end: node.endIndex, children };
}
