import TurndownService from 'turndown';
import { AppError } from '../base/errors.ts';
import type { PageElement } from './pageTree.ts';

type Rule = (content: string, element: PageElement) => string;

/** Characters that all elements together may be made of and into. Each counts again in each element around it. */
const MAX_WORK = 30_000_000;

/** An element as Markdown: links by their whole addresses, images by what they are said to show. Throws where it would become far longer than it is. */
export function toMarkdown(element: PageElement): string {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---', emDelimiter: '*' });
  const isLayout = layoutTables();
  const addRule = (names: readonly string[], rule: Rule): void => {
    service.addRule(names.join(), { filter: [...names] as never, replacement: (content, node: unknown) => rule(content, node as PageElement) });
  };
  addRule(['img'], (_content, image) => imageWords(image));
  addRule(['a'], (content, link) => linkText(content, link.getAttribute('href')));
  addRule(['td', 'th'], (content, cell) => (isLayout(cell) ? `\n\n${content}\n\n` : ` ${oneCell(content)} |`));
  addRule(['tr'], (content, row) => (isLayout(row) ? content : `|${content.trimEnd()}\n${isHead(row) ? `|${' --- |'.repeat(row.children.length)}\n` : ''}`));
  addRule(['thead', 'tbody', 'tfoot'], (content) => content);
  addRule(['table'], (content) => `\n\n${content.trim()}\n\n`);
  boundWork(service);
  return service.turndown(element).replace(/[ \t]+\n/g, '\n').replace(/\n{3,}/g, '\n\n').trim();
}

/** Quotes and lists write something before each line of all that is in them. */
function boundWork(service: TurndownService): void {
  let left = MAX_WORK;
  const take = (text: string): string => {
    left -= text.length;
    if (left < 0) throw new AppError('invalid_input', 'it would become too long');
    return text;
  };
  // The rules themselves are those of every service.
  service.rules.array = service.rules.array.map(({ replacement, ...rule }) => ({ ...rule, ...(replacement && { replacement: (content, node, options) => take(replacement(take(content), node, options)) }) }));
}

function imageWords(image: PageElement): string {
  const words = (image.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim();
  return words === '' ? '' : `[Image: ${words}]`;
}

function linkText(content: string, href: string | null): string {
  const text = oneLine(content);
  return text === '' || href === null ? content : `[${text}](${href.replace(/[()\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)})`;
}

function oneCell(content: string): string {
  return oneLine(content).replaceAll('|', '\\|');
}

function oneLine(content: string): string {
  return content.trim().split('\n').map((line) => line.trim()).filter((line) => line !== '').join(' ');
}

function isHead({ children }: PageElement): boolean {
  return children.length > 0 && [...children].every(({ nodeName }) => nodeName === 'TH');
}

/** Whether an element belongs to a table that only arranges other things: it has a table in it. Looked up once a table. */
function layoutTables(): (element: PageElement) => boolean {
  const known = new WeakMap<PageElement, boolean>();
  return (element) => {
    const table = element.closest('table');
    if (table === null) return true;
    const answer = known.get(table) ?? table.querySelector('table') !== null;
    known.set(table, answer);
    return answer;
  };
}
