import { AppError } from '../base/errors.ts';
import { oneLine, plural, truncate } from '../base/text.ts';
import type { SearchHit } from '../domain/services.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { asData } from './webText.ts';

interface SearchInput {
  readonly query: string;
  readonly limit?: number;
}

const USUAL = 8;
const MOST = 20;
const MAX_TITLE = 200;
const MAX_SNIPPET = 600;
/** A longer address is left out: a part of it leads nowhere. */
const MAX_ADDRESS = 500;

/** The tool that searches the web by the host's service. What it sends is the query alone. */
export const webSearchTool: ToolDefinition = {
  name: 'WebSearch',
  description: 'Searches the web: titles, addresses and excerpts of pages.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1, maxLength: 400 },
      limit: { type: 'integer', minimum: 1, maximum: MOST, description: `Default ${USUAL}.` },
    },
    required: ['query'],
    additionalProperties: false,
  },
  isDeferred: true,
  isReadOnly: true,
  // More than the longest hits, so that nothing is cut off at the end.
  outputLimit: 60_000,
  describe: ({ query }: SearchInput) => truncate(oneLine(`Searching the web for "${query}"`), 80),
  action: ({ query }: SearchInput) => `search the web for ${query}`,
  targets: () => [],
  preview: async ({ query }: SearchInput) => ({ kind: 'text', text: query }),
  execute,
};

async function execute({ query, limit = USUAL }: SearchInput, { services, signal }: ToolContext): Promise<ToolResult> {
  if (services.webSearch === undefined) throw new AppError('unavailable', 'The web can\'t be searched any more: the user has turned that off. Go on without it.');
  const words = query.trim();
  if (words === '') throw new AppError('invalid_input', 'Say what to search for.');
  const hits = (await services.webSearch(words, limit, signal)).slice(0, limit);
  const text = hits.length === 0 ? 'Nothing was found. Try fewer or other words.' : `${plural(hits.length, 'page')} found.\n${asData(hits.map(hitText).join('\n\n'))}`;
  return { content: [{ type: 'text', text }] };
}

function hitText({ title, url, snippet }: SearchHit, index: number): string {
  const lines = [truncate(oneLine(title), MAX_TITLE) || '(no title)', url.length > MAX_ADDRESS ? '(its address is too long)' : oneLine(url), truncate(oneLine(snippet), MAX_SNIPPET)];
  return `${index + 1}. ${lines.filter((line) => line !== '').join('\n   ')}`;
}
