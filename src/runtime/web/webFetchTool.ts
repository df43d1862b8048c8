import { AppError } from '../base/errors.ts';
import { hostOf } from '../base/hosts.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { WebPage } from '../domain/services.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { readWebAddress } from './webAddress.ts';
import { asData, type LimitOutput } from './webText.ts';

interface FetchInput {
  readonly url: string;
  readonly max_characters?: number;
}

const MOST = 90_000;
/** Of a page whose first part says what is wanted, the rest is tokens for nothing. */
const USUAL = 20_000;
/** Characters of an address, and of a title or type. With the most text and the words around it they stay within the tool's limit: nothing is cut off at the end. */
const MAX_ADDRESS = 4_000;
const MAX_NAME = 300;

/** The tool that reads pages of the web by the host's service. */
export function createWebFetchTool(limitOutput: LimitOutput): ToolDefinition {
  return {
    name: 'WebFetch',
    description: 'Fetches a web page: its text, as Markdown where it is HTML.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', minLength: 1 },
        max_characters: { type: 'integer', minimum: 500, maximum: MOST, description: `Default ${USUAL}; the rest goes to a file.` },
      },
      required: ['url'],
      additionalProperties: false,
    },
    isDeferred: true,
    isReadOnly: true,
    outputLimit: 100_000,
    describe: ({ url }: FetchInput) => truncate(oneLine(`Fetching ${url}`), 80),
    targets: ({ url }: FetchInput) => [{ kind: 'url', url }],
    check: async ({ url }: FetchInput, { services }: ToolContext) => services.webFetch?.check?.(url),
    preview: async ({ url }: FetchInput) => ({ kind: 'text', text: `${readWebAddress(url).host}\n\n${url}` }),
    execute: (input: FetchInput, context: ToolContext) => execute(input, context, limitOutput),
  };
}

async function execute({ url, max_characters: limit = USUAL }: FetchInput, context: ToolContext, limitOutput: LimitOutput): Promise<ToolResult> {
  const { webFetch } = context.services;
  if (webFetch === undefined) throw new AppError('unavailable', 'Pages of the web can\'t be fetched any more: the user has turned that off. Go on without them.');
  const answer = await webFetch(url, context.signal);
  switch (answer.kind) {
    case 'elsewhere':
      return textResult(`Nothing was fetched: ${leadsWhere(url, answer.url)}. If you want what is there, call WebFetch with the address that follows.\n${asData(answer.url)}`);
    case 'page':
      return pageResult(answer.page, await limitOutput(answer.page.text, 'webfetch', context, limit));
  }
}

/** On the same host nothing but the protection can be lost. */
function leadsWhere(asked: string, to: string): string {
  const [from, target] = [URL.parse(asked), URL.parse(to)];
  return from !== null && target !== null && hostOf(from) === hostOf(target) ? 'the address leads from https to http, where others can read and change what is sent' : 'the address leads to another host';
}

/** All that the server says stands in the frame, its addresses and types too. */
function pageResult({ url, status, mediaType, title, isCut }: WebPage, text: string): ToolResult {
  const isFailure = status >= 400;
  const head = [
    ...(isFailure ? [`The server answered with the status ${status}: there is no such page, or it isn't for everybody.`] : []),
    ...(isCut ? ['The page is longer than what is taken: this is its beginning.'] : []),
    ...(text.trim() === '' ? ['[The page is empty.]'] : []),
  ];
  const said = [`Address: ${truncate(oneLine(url), MAX_ADDRESS)}`, ...(mediaType === '' || isFailure ? [] : [`Type: ${truncate(oneLine(mediaType), MAX_NAME)}`])].join('\n');
  const body = [said, ...(title === undefined ? [] : [`# ${truncate(oneLine(title), MAX_NAME)}`]), text].filter((each) => each.trim() !== '').join('\n\n');
  return textResult([...head, asData(body)].join('\n'), isFailure);
}

function textResult(text: string, isError = false): ToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}
