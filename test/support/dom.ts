/** The little of the browser's DOM that page objects read; Node's types know nothing of it. */
export interface DomElement {
  readonly textContent: string | null;
  readonly innerText: string;
  readonly className: string;
  getAttribute(name: string): string | null;
  querySelector(selectors: string): DomElement | null;
  querySelectorAll(selectors: string): Iterable<DomElement>;
}

/** An element that keeps whether it was clicked. */
export interface PressableElement {
  pressed?: boolean;
  addEventListener(type: 'click', listener: () => void): void;
}

/** Globals of a page. */
export interface PageGlobals {
  readonly document: { readonly activeElement: { blur(): void } | null };
  readonly DataTransfer: new () => { setData(type: string, text: string): void };
  readonly ClipboardEvent: new (type: string, options: object) => object;
}

/** Quotes a text for an attribute selector. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
