import { parseHTML } from 'linkedom';
import { AppError } from '../base/errors.ts';
import type { PageDocument, PageElement, PageNode } from './pageTree.ts';

/** A page as a tree, in which only what a person would see is left. */
export interface PreparedPage {
  readonly document: PageDocument;
  readonly body: PageElement;
  readonly title: string;
}

/** What shows nothing, or nothing that can be read. */
const UNSEEN = 'script,style,title,template,noscript,iframe,frame,object,embed,svg,canvas,audio,video,map,link,meta,base,dialog:not([open]),input,select,textarea,button,[hidden],[aria-hidden="true"]';
const HIDDEN_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0(?:\.0+)?[a-z%]{0,4}\s*(?:;|!|$))/i;
/** Deeper pages aren't made by people, and what walks them calls itself. */
const MAX_DEPTH = 300;
/** Characters of an address. */
const MAX_ADDRESS = 2_000;
/** The type of such a node. */
const DOCTYPE = 10;

/** Throws for a page that is nested too deeply, and whatever the parser throws. */
export function preparePage(html: string, url: URL): PreparedPage {
  const { document } = parseHTML(html) as unknown as { readonly document: PageDocument };
  const body = oneBody(document);
  checkDepth(body);
  const base = baseOf(document, url);
  const title = (document.querySelector('title')?.textContent ?? '').trim();
  for (const each of document.querySelectorAll(UNSEEN)) each.remove();
  for (const each of document.querySelectorAll('[style]')) if (HIDDEN_STYLE.test(each.getAttribute('style') ?? '')) each.remove();
  for (const link of document.querySelectorAll('a[href]')) setTarget(link, base);
  return { document, body, title };
}

/**
 * Puts all that the parser found into one body, as browsers do: it leaves what has no root, or several, or stands around
 * one, as it is written.
 */
function oneBody(document: PageDocument): PageElement {
  const [root, head, body] = ['html', 'head', 'body'].map((name) => document.createElement(name)) as [PageElement, PageElement, PageElement];
  root.append(head, body);
  for (const node of [...document.childNodes]) if (node.nodeType !== DOCTYPE) body.append(node);
  document.append(root);
  for (const each of body.querySelectorAll('html,head,body')) {
    for (const child of [...each.childNodes]) each.before(child);
    each.remove();
  }
  return body;
}

/** Where links start from. An address that is longer than any real one would be in each of them. */
function baseOf(document: PageDocument, url: URL): URL {
  const said = document.querySelector('base[href]')?.getAttribute('href') ?? '';
  return (said.length > MAX_ADDRESS ? null : URL.parse(said, url.href)) ?? url;
}

function checkDepth(body: PageElement): void {
  let depth = 0;
  for (let node: PageNode | null = body; node !== null; ) {
    if (depth > MAX_DEPTH) throw new AppError('invalid_input', 'its elements are nested too deeply');
    if (node.firstChild !== null) {
      node = node.firstChild;
      depth += 1;
      continue;
    }
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode;
      depth -= 1;
    }
    node = node === null || depth <= 0 ? null : node.nextSibling;
  }
}

/** Links lead where they would in a browser; those that lead nowhere, or are too long to be read, are only text. */
function setTarget(link: PageElement, base: URL): void {
  const href = (link.getAttribute('href') ?? '').trim();
  const target = URL.parse(href, base.href);
  if (href.startsWith('#') || target === null || target.href.length > MAX_ADDRESS || !/^(https?|mailto|ftp):$/.test(target.protocol)) link.removeAttribute('href');
  else link.setAttribute('href', target.href);
}
