import type { DefinitionFormat } from '../../../runtime/definitions/interop.ts';
import { FIELDS, type Field } from '../../../runtime/definitions/fieldTable.ts';
import { FOREIGN_FIELDS } from '../../../runtime/definitions/interop.ts';
import { isOwnName, NAMEABLE_TOOLS, TOOL_NAMES, toolsNamed, type ToolName } from '../../../runtime/definitions/toolNames.ts';
import type { L10n } from '../../l10n.ts';
import type { AuthoringFacts, KnownServer } from './facts.ts';
import { fieldWords, permissionWords } from './fieldWords.ts';
import { effectWords, TOOL_EFFECTS, toolDocs } from './toolDocs.ts';

/** The field of that path, under the name that it has here. */
export function fieldAt(path: readonly string[]): Field | undefined {
  let fields: readonly Field[] = FIELDS;
  let found: Field | undefined;
  for (const [depth, name] of path.entries()) {
    const foreign = depth === 0 && Object.hasOwn(FOREIGN_FIELDS, name) ? FOREIGN_FIELDS[name] : undefined;
    const own = foreign?.kind === 'renamed' ? foreign.to : name;
    found = fields.find((field) => field.name === own);
    if (!found) return undefined;
    fields = found.value.kind === 'map' ? found.value.fields : [];
  }
  return found;
}

/** What a field does, in Markdown, with an example. */
export function fieldDocs(path: readonly string[], l10n: L10n): string | undefined {
  const field = fieldAt(path);
  if (!field) return undefined;
  const words: Readonly<Record<string, string>> = path.length === 1 ? fieldWords(l10n) : permissionWords(l10n);
  return `${words[field.name] ?? ''}\n\n\`\`\`yaml\n${field.example}\n\`\`\``;
}

/** A name that can stand in a list, with what it is in a few words. */
export interface Named {
  readonly name: string;
  readonly detail: string;
  readonly docs: string;
}

/** The tools that a list of tools can name. */
export function nameableTools({ servers = [] }: AuthoringFacts, l10n: L10n): readonly Named[] {
  return [
    ...NAMEABLE_TOOLS.map((name) => ({ name, detail: effectWords(TOOL_EFFECTS[name], l10n), docs: toolDocs(l10n)[name] })),
    ...servers.flatMap((server) => [
      { name: `${server.name}/*`, detail: l10n.t('MCP server {0}', server.name), docs: serverState(server, l10n) },
      ...server.tools.map((tool) => ({ name: `${server.name}/${tool}`, detail: l10n.t('MCP server {0}', server.name), docs: '' })),
    ]),
  ];
}

/** What the name of a tool means in a file of that format; nothing for one that means nothing. */
export function toolHover(word: string, format: DefinitionFormat, { servers = [] }: AuthoringFacts, l10n: L10n): string | undefined {
  const named = toolsNamed(word, format);
  const own = TOOL_NAMES.find((name) => isOwnName(word, name));
  if (named.length > 0) {
    const lines = named.map((name) => toolLine(name, l10n));
    const isAlias = named.length > 1 || (own === undefined && named[0] !== word);
    return [...(isAlias ? [l10n.t('`{0}` is {1} here.', word, named.map((name) => `\`${name}\``).join(', '))] : []), ...lines].join('\n\n');
  }
  const [server, tool] = /^(?:mcp__)?(.+?)(?:__|\/)(.+)$/.exec(word)?.slice(1) ?? [word];
  const known = servers.find(({ name }) => name === server);
  if (!known) return undefined;
  const which = tool === undefined || tool === '*' ? l10n.t('All tools of the MCP server `{0}`.', known.name) : l10n.t('The tool `{0}` of the MCP server `{1}`.', tool, known.name);
  return `${which}\n\n${serverState(known, l10n)}`;
}

function toolLine(name: ToolName, l10n: L10n): string {
  return `**${name}**: ${toolDocs(l10n)[name]} *${effectWords(TOOL_EFFECTS[name], l10n)}.*`;
}

/** How a server is, in a sentence. */
export function serverState({ status = 'closed', tools, error }: KnownServer, l10n: L10n): string {
  switch (status) {
    case 'ready':
      return l10n.t('Connected; tools: {0}', tools.join(', '));
    case 'connecting':
      return l10n.t('It is connecting.');
    case 'failed':
      return l10n.t('It isn’t available. {0}', error ?? '');
    case 'closed':
      return l10n.t('It starts when an agent uses it.');
  }
}
