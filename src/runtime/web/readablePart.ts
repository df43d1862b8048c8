import { Readability } from '@mozilla/readability';
import type { PageElement } from './pageTree.ts';
import type { PreparedPage } from './preparePage.ts';

/** Less than this is no article but what is left of something else. */
const MIN_LENGTH = 200;
/** The least share of the page's text that its article has. */
const MIN_SHARE = 0.15;

/** The article of a page, without what stands around it; nothing where none stands out, as on lists of links. Leaves the page as it is. */
export function readablePart({ document, body }: PreparedPage): PageElement | undefined {
  const article = new Readability<PageElement>(document.cloneNode(true), { serializer: (node: unknown) => node as PageElement, keepClasses: true }).parse();
  const content = article?.content;
  if (content === null || content === undefined) return undefined;
  const length = textLength(content);
  return length >= MIN_LENGTH && length >= MIN_SHARE * textLength(body) ? content : undefined;
}

function textLength(element: PageElement): number {
  return (element.textContent ?? '').replace(/\s+/g, ' ').trim().length;
}
