import type { Locator } from 'playwright-core';
import type { DomElement } from './dom.ts';

/** The lines that an editor shows, top to bottom: in the page they are in any order. */
export async function linesOf(editor: Locator): Promise<string> {
  const lines = await editor.locator('.view-line').evaluateAll((found: DomElement[]) => found.map((line) => ({ top: Number(/top:\s*(-?[\d.]+)px/.exec(line.getAttribute('style') ?? '')?.[1] ?? 0), text: line.innerText })));
  return lines.sort((a, b) => a.top - b.top).map(({ text }) => text.replaceAll('\u00a0', ' ')).join('\n');
}
