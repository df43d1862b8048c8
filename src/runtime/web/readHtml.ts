import { errorText } from '../base/errors.ts';
import { withinTimeLimit } from '../base/interruptible.ts';
import { toMarkdown } from './markdown.ts';
import { plainText } from './plainText.ts';
import { preparePage } from './preparePage.ts';
import { readablePart } from './readablePart.ts';

export interface HtmlText {
  readonly title: string;
  readonly markdown: string;
  /** True where only the beginning was read. */
  readonly isCut: boolean;
}

/** Past so many characters or tags the rest of a page isn't read: what follows takes time in proportion, at best. */
const MAX_LENGTH = 3_000_000;
const MAX_TAGS = 20_000;
/** Milliseconds for one page. Most take a tenth. */
const TIME_LIMIT = 3_000;

/**
 * What a person would read of a page, as Markdown: its readable part, or where none stands out, all of it. A page that is
 * built to take for ever, too deep, or to become far longer than it is, gives its bare text. Never throws.
 * @param url where the page was found, which its links start from.
 */
export function readHtml(html: string, url: URL): HtmlText {
  const begin = beginning(html);
  const isCut = begin.length < html.length;
  try {
    return { ...withinTimeLimit(() => convert(begin, url), TIME_LIMIT), isCut };
  } catch (error) {
    return bareText(html, errorText(error));
  }
}

/** A page of which only the words can be had, and why. In time and memory that are proportional to its length. */
export function bareText(html: string, why: string): HtmlText {
  const begin = beginning(html);
  return { title: '', markdown: `[The page's form could not be read (${why}); this is its bare text.]\n\n${plainText(begin)}`, isCut: begin.length < html.length };
}

/** What shows nothing though it has words, such as a page that scripts uncover, gives those. */
function convert(html: string, url: URL): Omit<HtmlText, 'isCut'> {
  const page = preparePage(html, url);
  const part = readablePart(page);
  return { title: page.title, markdown: (part && toMarkdown(part)) || toMarkdown(page.body) || plainText(html) };
}

/** The page up to the last tag that counts. Scripts may hold what looks like tags; that only makes it less. */
function beginning(html: string): string {
  const short = html.slice(0, MAX_LENGTH);
  let at = short.indexOf('<');
  for (let count = 1; at >= 0 && count <= MAX_TAGS; count += 1) at = short.indexOf('<', at + 1);
  return at < 0 ? short : short.slice(0, at);
}
