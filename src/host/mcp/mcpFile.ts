import { getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { readInput, type InputDeclaration } from './inputDeclaration.ts';
import { readServer, type ServerFault, type WrittenServer } from './serverConfig.ts';
import { variablesIn } from './variables.ts';

/** What a `.vscode/mcp.json` says. Plain data, since it is read by code that is loaded on first use. */
export interface McpFile {
  /** By name, in the order of the file. */
  readonly servers: readonly FileServer[];
  readonly inputs: readonly InputDeclaration[];
  readonly problems: readonly McpFileProblem[];
}

export interface FileServer {
  readonly name: string;
  readonly server: WrittenServer;
  readonly at: FilePlace;
}

/** A stretch of the file. Lines and columns start at 1. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Something that is wrong with the file. Only what it is about is left out, but of a file with broken syntax everything. */
export type McpFileProblem = { readonly at: FilePlace } & (
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'syntax' | 'no_object' | 'bad_servers' | 'bad_inputs' | 'bad_input' | 'no_servers' }
  | { readonly kind: 'bad_server'; readonly name: string; readonly fault: ServerFault }
  | { readonly kind: 'unknown_variable'; readonly name: string; readonly variable: string }
  | { readonly kind: 'undeclared_input' | 'command_input'; readonly name: string; readonly id: string }
);

const START: FilePlace = { line: 1, column: 1, endLine: 1, endColumn: 2 };

/** A file that is there and can't be read. */
export function unreadableFile(why: string): McpFile {
  return nothing({ kind: 'unreadable', why, at: START });
}

/** Reads a file in VS Code's own form: JSON with comments and trailing commas. Never throws. */
export function readMcpFile(text: string): McpFile {
  const json = text.replace(/^\uFEFF/, '');
  const place = placesIn(json);
  const errors: ParseError[] = [];
  const root = parseTree(json, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [broken] = errors;
  if (broken) return nothing({ kind: 'syntax', at: place(broken.offset, broken.length) });
  if (root === undefined) return nothing();
  if (root.type !== 'object') return nothing({ kind: 'no_object', at: place(root.offset, root.length) });
  return new FileReader(root, (node) => place(node.offset, node.length)).read();
}

function nothing(...problems: readonly McpFileProblem[]): McpFile {
  return { servers: [], inputs: [], problems };
}

/** Goes through one file and gathers what it holds. */
class FileReader {
  readonly #root: Node;
  readonly #place: (node: Node) => FilePlace;
  readonly #problems: McpFileProblem[] = [];

  constructor(root: Node, place: (node: Node) => FilePlace) {
    this.#root = root;
    this.#place = place;
  }

  read(): McpFile {
    const inputs = this.#inputs();
    return { servers: this.#servers(new Map(inputs.map((input) => [input.id, input]))), inputs, problems: this.#problems };
  }

  #inputs(): readonly InputDeclaration[] {
    const list = property(this.#root, 'inputs')?.value;
    if (list === undefined) return [];
    if (list.type !== 'array') this.#problems.push({ kind: 'bad_inputs', at: this.#place(list) });
    const items = list.type === 'array' ? (list.children ?? []) : [];
    return items.flatMap((item) => {
      const input = readInput(getNodeValue(item));
      if (input === undefined) this.#problems.push({ kind: 'bad_input', at: this.#place(item) });
      return input ?? [];
    });
  }

  #servers(inputs: ReadonlyMap<string, InputDeclaration>): readonly FileServer[] {
    const found = property(this.#root, 'servers');
    if (found === undefined) {
      // As other products call it: whoever copies such a file should not wonder.
      const misnamed = property(this.#root, 'mcpServers');
      if (misnamed) this.#problems.push({ kind: 'no_servers', at: this.#place(misnamed.key) });
      return [];
    }
    if (found.value.type !== 'object') this.#problems.push({ kind: 'bad_servers', at: this.#place(found.value) });
    const servers = properties(found.value).flatMap(({ name, key, value }): FileServer[] => {
      const reading = readServer(getNodeValue(value));
      if (reading.ok) {
        this.#checkVariables(name, value, inputs);
        return [{ name, server: reading.server, at: this.#place(key) }];
      }
      this.#problems.push({ kind: 'bad_server', name, fault: reading.fault, at: this.#place(faultyNode(value, reading.fault) ?? key) });
      return [];
    });
    // Of two with one name the later counts, as everywhere in JSON.
    return [...new Map(servers.map((server) => [server.name, server])).values()];
  }

  #checkVariables(name: string, server: Node, inputs: ReadonlyMap<string, InputDeclaration>): void {
    for (const node of MEANT.flatMap((field) => texts(property(server, field)?.value))) {
      for (const { written, variable } of variablesIn(String(node.value))) {
        const at = this.#place(node);
        if (variable.kind === 'unknown') this.#problems.push({ kind: 'unknown_variable', name, variable: written, at });
        if (variable.kind !== 'input') continue;
        const input = inputs.get(variable.name);
        if (input === undefined) this.#problems.push({ kind: 'undeclared_input', name, id: variable.name, at });
        else if (input.kind === 'command') this.#problems.push({ kind: 'command_input', name, id: variable.name, at });
      }
    }
  }
}

/** The fields of a server in which variables are replaced. */
const MEANT = ['command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers'] as const;

interface Property {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

function properties(node: Node): readonly Property[] {
  return node.type !== 'object' ? [] : (node.children ?? []).flatMap(({ children: [key, value] = [] }) => (key && value ? { name: String(key.value), key, value } : []));
}

function property(node: Node, name: string): Property | undefined {
  return properties(node).findLast((one) => one.name === name);
}

/** The texts in a value, at any depth, but no names of fields. */
function texts(node: Node | undefined): readonly Node[] {
  if (node === undefined) return [];
  if (node.type === 'string') return [node];
  return node.type === 'object' ? properties(node).flatMap(({ value }) => texts(value)) : (node.children ?? []).flatMap(texts);
}

function faultyNode(server: Node, fault: ServerFault): Node | undefined {
  if ('field' in fault) return property(server, fault.field)?.value;
  return fault.kind === 'unknown_type' ? property(server, 'type')?.value : undefined;
}

/** Turns offsets into lines and columns. */
function placesIn(text: string): (offset: number, length: number) => FilePlace {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((match) => match.index + match[0].length)];
  const position = (offset: number): { readonly line: number; readonly column: number } => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
  return (offset, length) => {
    const end = position(offset + Math.max(length, 1));
    return { ...position(offset), endLine: end.line, endColumn: end.column };
  };
}
