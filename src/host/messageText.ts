import { oneLine, truncate } from '../runtime/base/text.ts';

/** VS Code cuts a notification at 1000 characters. */
const MAX_MESSAGE = 900;

/**
 * Text of a model or a file, fit for a notification: one line, cut, and with brackets that VS Code can't read as a
 * link. A joiner that shows nothing parts `](`, and a bracket that stays open, which would reach into our own links,
 * becomes another character. So a command that is full of brackets still reads as it is. Done twice, it is as done once.
 */
export function harmless(text: string, max: number = MAX_MESSAGE): string {
  const line = truncate(oneLine(text), max);
  const lastClosed = line.lastIndexOf(']');
  return line.slice(0, lastClosed + 1).replaceAll(']', ']\u2060') + line.slice(lastClosed + 1).replaceAll('[', '‹');
}

/** The text below a modal question: of several lines, each as harmless as a message. */
export function harmlessLines(text: string): string {
  return text.split('\n').map((line) => harmless(line)).join('\n');
}

/** Text for a quick pick or the status bar, where `$(name)` would become an icon: a model's text must not make any. Looks the same. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u2060(');
}
