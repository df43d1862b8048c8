/** What is used of the tree that a page is parsed into. The types of browsers aren't at hand in a library for Node. */
export interface PageNode {
  /** Of an element its name in capitals. */
  readonly nodeName: string;
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  readonly parentNode: PageNode | null;
  readonly childNodes: Iterable<PageNode>;
}

export interface PageElement extends PageNode {
  readonly children: Iterable<PageElement> & { readonly length: number };
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  append(...nodes: readonly PageNode[]): void;
  before(...nodes: readonly PageNode[]): void;
  remove(): void;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

export interface PageDocument extends PageNode, Pick<PageElement, 'append' | 'querySelector' | 'querySelectorAll'> {
  createElement(name: string): PageElement;
  cloneNode(deep: true): PageDocument;
}
