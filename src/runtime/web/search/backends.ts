import type { SearchHit } from '../../domain/services.ts';
import { plainText } from '../plainText.ts';
import { isRecord, textOf } from './answer.ts';

export type SearchBackend = 'searxng' | 'brave' | 'tavily';

export interface SearchRequest {
  /** With a slash at its end. */
  readonly base: URL;
  readonly query: string;
  readonly limit: number;
  /** Empty where there is none. */
  readonly key: string;
}

/** How one backend is asked and answers. */
export interface Backend {
  readonly name: string;
  /** Its own address, where it has one. */
  readonly address?: string;
  readonly needsKey: boolean;
  request(search: SearchRequest): { readonly url: URL; readonly init: RequestInit };
  /** Of an answer that succeeded; nothing else is known of it. */
  readonly hits: (body: unknown) => readonly SearchHit[];
}

/** Most results that Brave and Tavily give at once. */
const MOST = 20;

export const BACKENDS: Readonly<Record<SearchBackend, Backend>> = {
  // https://docs.searxng.org/dev/search_api.html
  searxng: {
    name: 'SearXNG',
    needsKey: false,
    request({ base, query, key }) {
      const url = new URL('search', base);
      url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
      return { url, init: { headers: { Accept: 'application/json', ...(key !== '' && { Authorization: `Bearer ${key}` }) } } };
    },
    hits: (body) => hitsIn(fieldOf(body, 'results'), 'content'),
  },
  // https://api-dashboard.search.brave.com/app/documentation/web-search
  brave: {
    name: 'Brave Search',
    address: 'https://api.search.brave.com',
    needsKey: true,
    request({ base, query, limit, key }) {
      const url = new URL('res/v1/web/search', base);
      url.search = new URLSearchParams({ q: query, count: String(Math.min(limit, MOST)), text_decorations: 'false', result_filter: 'web' }).toString();
      return { url, init: { headers: { Accept: 'application/json', 'X-Subscription-Token': key } } };
    },
    hits: (body) => hitsIn(fieldOf(fieldOf(body, 'web'), 'results'), 'description'),
  },
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: {
    name: 'Tavily',
    address: 'https://api.tavily.com',
    needsKey: true,
    request({ base, query, limit, key }) {
      const body = JSON.stringify({ query, max_results: Math.min(limit, MOST), search_depth: 'basic' });
      return { url: new URL('search', base), init: { method: 'POST', body, headers: { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: `Bearer ${key}` } } };
    },
    hits: (body) => hitsIn(fieldOf(body, 'results'), 'content'),
  },
};

function hitsIn(results: unknown, snippet: string): readonly SearchHit[] {
  if (!Array.isArray(results)) return [];
  return results.filter(isRecord).map((each) => ({ title: plainText(textOf(each['title'])), url: textOf(each['url']), snippet: plainText(textOf(each[snippet])) }));
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
