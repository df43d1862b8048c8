import { oneLine, plural, truncate } from '../base/text.ts';
import { wireName } from '../base/wireNames.ts';
import type { DeferredTools, ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { label } from './display.ts';
import { rankTools } from './toolRanking.ts';

interface FindInput {
  readonly query: string;
}

/** Matches of one search. */
const MAX_MATCHES = 8;
/** Names in one sentence. */
const MAX_NAMES = 12;
const SENTENCE_LENGTH = 200;
const USE =
  'Query: words for what you need, or select:Name[,Name]. What it finds can be called from your next turn on.';

/** The tool with which an agent looks into its own catalogue, and takes what it finds into use. */
export const findTool: ToolDefinition = {
  name: 'FindTool',
  description: `Finds tools of yours that aren't loaded yet. ${USE}`,
  descriptionFor: ({ deferred }) => `Finds tools of yours that aren't loaded yet. ${USE} ${waitingText(deferred)}`,
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', minLength: 1 } },
    required: ['query'],
    additionalProperties: false,
  },
  isReadOnly: true,
  actsOnRun: true,
  describe: ({ query }: FindInput) => label('Looking for tools:', query),
  targets: () => [],
  execute: async ({ query }: FindInput, { deferred }: ToolContext) => answer(query.trim(), deferred),
};

/** The tools that a result of `FindTool` took into use, by the names that the model calls. */
export function foundIn(resultText: string): readonly string[] {
  return [...resultText.matchAll(/^- ([A-Za-z0-9_-]{1,64})(?:: .*)?$/gm)].flatMap(([, name]) => name ?? []);
}

function answer(query: string, deferred: DeferredTools): ToolResult {
  const tools = deferred.list();
  const wanted = /^select\s*:(.*)$/is.exec(query)?.[1];
  const { found, notes } = wanted === undefined ? search(query, tools) : select(wanted, tools);
  deferred.activate(found.map(({ name }) => name));
  const head = found.length > 0 ? [`${plural(found.length, 'tool')} can be called from your next turn on:`, ...found.map(line)] : [];
  return { content: [{ type: 'text', text: [...head, ...notes].join('\n') }] };
}

interface Finding {
  readonly found: readonly ToolDefinition[];
  readonly notes: readonly string[];
}

function search(query: string, tools: readonly ToolDefinition[]): Finding {
  const ranked = rankTools(query, tools);
  if (ranked.length === 0) return { found: [], notes: [`No tool matches "${truncate(oneLine(query), SENTENCE_LENGTH)}". ${waitingText(tools)}`] };
  const more = ranked.slice(MAX_MATCHES);
  return { found: ranked.slice(0, MAX_MATCHES), notes: more.length > 0 ? [`${more.length} more match less well: ${someNames(more)}. Take them with select:Name.`] : [] };
}

function select(wanted: string, tools: readonly ToolDefinition[]): Finding {
  const names = [...new Set(wanted.split(',').map((name) => name.trim()).filter(Boolean))];
  const found = new Set<ToolDefinition>();
  const missing: string[] = [];
  for (const name of names) {
    const tool = named(name, tools);
    if (tool) found.add(tool);
    else missing.push(name);
  }
  const isEmpty = names.length === 0 ? ['No name was given: write select:Name.'] : [];
  const unknown = missing.length > 0 ? [`None of that name waits: ${truncate(oneLine(missing.join(', ')), SENTENCE_LENGTH)}. One that you see among your tools is called directly. ${waitingText(tools)}`] : [];
  return { found: [...found], notes: [...isEmpty, ...unknown] };
}

/** By the name that a model calls, by its own, or by either in another case where that is only one. */
function named(wanted: string, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  const exact = tools.find(({ name }) => wireName(name) === wanted || name === wanted);
  if (exact) return exact;
  const folded = wanted.toLowerCase();
  const alike = tools.filter(({ name }) => wireName(name).toLowerCase() === folded || name.toLowerCase() === folded);
  return alike.length === 1 ? alike[0] : undefined;
}

/** One line, which `foundIn` reads back. */
function line({ name, description }: ToolDefinition): string {
  const sentence = firstSentence(description);
  return `- ${wireName(name)}${sentence === '' ? '' : `: ${sentence}`}`;
}

function firstSentence(description: unknown): string {
  const text = oneLine(typeof description === 'string' ? description : '');
  return truncate(/^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text, SENTENCE_LENGTH);
}

/** How many tools wait, and of which servers, so that the model knows what to look for. */
function waitingText(tools: readonly ToolDefinition[]): string {
  if (tools.length === 0) return 'No more tools wait: all that you have are loaded.';
  const byServer = Map.groupBy(tools, ({ name }) => serverOf(name));
  const others = byServer.get(undefined) ?? [];
  const servers = [...byServer].flatMap(([server, of]) => (server === undefined ? [] : `${of.length} of ${server}`));
  const parts = [...bounded(servers), ...bounded(others.map(({ name }) => wireName(name)))];
  const examples = others.length === 0 ? ` Some of them: ${someNames(tools)}.` : '';
  return `${plural(tools.length, 'tool')} ${tools.length === 1 ? 'waits' : 'wait'}: ${parts.join(', ')}.${examples}`;
}

function serverOf(name: string): string | undefined {
  return /^mcp__(.+?)__/.exec(name)?.[1];
}

function someNames(tools: readonly ToolDefinition[]): string {
  return bounded(tools.map(({ name }) => wireName(name))).join(', ');
}

function bounded(items: readonly string[]): readonly string[] {
  return items.length <= MAX_NAMES ? items : [...items.slice(0, MAX_NAMES), `and ${items.length - MAX_NAMES} more`];
}
