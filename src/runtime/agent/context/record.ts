import { textOf, type ContentPart, type Message, type UserSource } from '../../domain/messages.ts';
import { bytesOf } from './estimate.ts';

/** Characters of a call's arguments. */
const ARGUMENTS_LENGTH = 600;
/** Characters of one tool result, from what is best to what still says something. */
const RESULT_LENGTHS = [6000, 2000, 600, 150] as const;

const SPEAKERS: Readonly<Record<UserSource, string>> = {
  user: 'Message of the user',
  completion: 'Results of subagents',
  steering: 'Message of the user, given meanwhile',
  repair: 'Note of the runtime',
  summary: 'Summary of what came before',
};

/**
 * A conversation as text to be summed up, in at most `maxPieces` pieces of at most `maxBytes` each. Results are cut as far
 * as that takes; where even that isn't enough, the earliest of it is left out, and the first piece says so.
 */
export function recordPieces(messages: readonly Message[], maxBytes: number, maxPieces: number): readonly string[] {
  for (const length of RESULT_LENGTHS) {
    const pieces = packed(messages.flatMap((message) => linesOf(message, length)), maxBytes);
    if (pieces.length <= maxPieces) return pieces;
    if (length === RESULT_LENGTHS.at(-1)) return [`[… the beginning of the record is left out …]\n\n${pieces[pieces.length - maxPieces]}`, ...pieces.slice(pieces.length - maxPieces + 1)];
  }
  return [];
}

function linesOf(message: Message, resultLength: number): readonly string[] {
  switch (message.role) {
    case 'user':
      return [`## ${SPEAKERS[message.source]}\n${shown(message.content)}`];
    case 'assistant':
      return message.content.flatMap((part) => {
        if (part.type === 'thinking' || (part.type === 'text' && part.text.trim() === '')) return [];
        return [part.type === 'text' ? `## The agent said\n${part.text}` : `## The agent called ${part.name}\n${cut(part.arguments, ARGUMENTS_LENGTH)}`];
      });
    case 'tool':
      return message.results.map(({ name, isError, content }) => `## ${isError ? 'Error' : 'Result'} of ${name}\n${cut(shown(content), resultLength)}`);
  }
}

function shown(content: readonly ContentPart[]): string {
  const images = content.filter(({ type }) => type === 'image').length;
  return `${textOf(content)}${images > 0 ? `\n[${images} images]` : ''}`;
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters …]\n${text.slice(text.length - half)}`.toWellFormed();
}

/** Joins neighbours as long as they fit; one that is too long by itself is cut. */
function packed(texts: readonly string[], maxBytes: number): readonly string[] {
  const pieces: string[] = [];
  let room = 0;
  for (const text of texts) {
    const bytes = bytesOf(text) + 2;
    if (bytes <= room && pieces.length > 0) {
      pieces[pieces.length - 1] += `\n\n${text}`;
      room -= bytes;
    } else {
      const fitting = bytes <= maxBytes ? text : cut(text, Math.max(0, Math.floor((text.length * maxBytes) / bytes) - 40));
      pieces.push(fitting);
      room = maxBytes - bytesOf(fitting) - 2;
    }
  }
  return pieces;
}
