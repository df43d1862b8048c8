/** Controls, line breaks and paragraph separators. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Invisible formatting such as bidi overrides. The two joiners stay: Persian words and joined emoji need them. */
const INVISIBLE = /[^\P{Cf}\u200c\u200d]+/gu;
/** Fillers, variation selectors and the empty Braille pattern alone show nothing. */
const VISIBLE = /[^\s\p{DI}\u2800]/u;
const UNSEEN = /[\p{Cf}\p{DI}\u2800]+/gu;

/** One clean line for a label: breaks become spaces, invisible characters go, white space is folded, ends trimmed. Nothing visible gives `''`. */
export function oneLine(text: string): string {
  const line = text.replace(BREAKS, ' ').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim();
  return VISIBLE.test(line) ? line : '';
}

/** What shows of a label, to tell whether two look the same. Letters that resemble each other stay apart. */
export function visibleText(text: string): string {
  return oneLine(text.normalize('NFC').replace(BREAKS, ' ').replace(UNSEEN, ''));
}

/** The text, or its first `max` code points with an ellipsis as the last. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = Array.from(text);
  return points.length <= max ? text : `${points.slice(0, max - 1).join('').trimEnd()}…`;
}

/** `1 file`, `2 files`: English only, for the model and the log. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `90 seconds`, `15 minutes`, `2 hours`: in the largest unit in which it is a whole number. English only, for the model and the log. */
export function durationText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds % 3600 === 0) return plural(seconds / 3600, 'hour');
  if (seconds % 60 === 0) return plural(seconds / 60, 'minute');
  return plural(seconds, 'second');
}

/** The text with its first letter as at the start of a sentence. */
export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
