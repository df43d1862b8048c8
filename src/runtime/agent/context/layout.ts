import { toolCallsOf, type Message, type UserMessage } from '../../domain/messages.ts';
import { tokensOfMessage } from './estimate.ts';

/** The parts of a conversation, by the places where they begin. Calls and their results are never apart. */
export interface Layout {
  /** The latest turns, which stay as they are. At most `open`. */
  readonly recent: number;
  /** What the model has not answered yet: it must see that. */
  readonly open: number;
}

/** @param tokens how much the latest turns may have together, estimated. What is open counts, and stays however much it has. */
export function layoutOf(messages: readonly Message[], tokens: number, model: string): Layout {
  const open = openFrom(messages);
  let left = tokens - messages.slice(open).reduce((sum, message) => sum + tokensOfMessage(message, model), 0);
  let recent = open;
  for (let start = open - 1; start >= 0; start -= 1) {
    const message = messages[start];
    if (message) left -= tokensOfMessage(message, model);
    if (left < 0) break;
    if (message?.role !== 'tool') recent = start;
  }
  return { recent, open };
}

function openFrom(messages: readonly Message[]): number {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const answer = messages[last];
  const isOpen = answer?.role === 'assistant' && (toolCallsOf(answer).length > 0 || last === messages.length - 1);
  return isOpen ? last : last + 1;
}

/**
 * The messages, in their order, that stay beside a summary of the others: the task, what the user said last, and of what
 * was said to the agent before as much of the latest as `tokens` allow.
 */
export function keptBeside(older: readonly Message[], task: readonly Message[], tokens: number, model: string): readonly Message[] {
  const kept = new Set(older.filter((message) => task.includes(message)));
  const users = older.filter((message): message is UserMessage => message.role === 'user');
  const last = users.findLast(({ source }) => source === 'user');
  if (last) kept.add(last);
  let left = tokens;
  for (const message of users.filter(isInstruction).reverse()) {
    if (kept.has(message)) continue;
    left -= tokensOfMessage(message, model);
    if (left < 0) break;
    kept.add(message);
  }
  return older.filter((message) => kept.has(message));
}

function isInstruction({ source }: UserMessage): boolean {
  switch (source) {
    case 'user':
    case 'steering':
    case 'completion':
      return true;
    case 'repair':
    case 'summary':
      return false;
  }
}
