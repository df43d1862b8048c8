import { textOf, type Message, type UserMessage } from '../../domain/messages.ts';
import { turnsSince, type DoneCall, type PlannedCall } from './step.ts';

/** What an agent that works by itself is to do, and has done about it. */
export interface Work {
  readonly prompt: string;
  /** By turn. A call that was refused and then allowed has the result of its second try. */
  readonly turns: readonly (readonly DoneCall[])[];
  /** A refused call that a person has just allowed. */
  readonly retry?: PlannedCall;
}

type Turns = readonly (readonly DoneCall[])[];

/** How the runtime tells of a refused call that is allowed once. */
const ALLOWED = /^A person has looked at a call of yours that was refused, and allows it once: /u;

/** Words that only allow a call are no prompt of their own, and neither are those that want the answer in another form. */
export function workOf(messages: readonly Message[]): Work {
  const index = messages.findLastIndex((message) => message.role === 'user' && message.source !== 'repair' && message.source !== 'summary' && !isAllowance(message));
  const message = messages[index];
  const prompt = message?.role === 'user' ? textOf(message.content) : '';
  // Each part begins with the words that a call is allowed, but for the first.
  const starts = messages.flatMap((each, at) => (at > index && each.role === 'user' && isAllowance(each) ? [at] : []));
  const parts: readonly Turns[] = [index, ...starts].map((start, at) => turnsSince(messages.slice(0, starts[at]), start));
  const turns = parts.slice(1).reduce<Turns>((before, part) => joined(before, part), parts[0] ?? []);
  const last = messages.at(-1);
  const retry = last?.role === 'user' && isAllowance(last) ? refusedCall(turns.flat(), textOf(last.content)) : undefined;
  return { prompt, turns, ...(retry && { retry }) };
}

function isAllowance({ content }: UserMessage): boolean {
  return ALLOWED.test(textOf(content));
}

/** The latest refused call, if it can, one that the words name. */
function refusedCall(calls: readonly DoneCall[], words: string): PlannedCall | undefined {
  const refused = calls.filter(({ isDenied }) => isDenied);
  const isNamed = ({ input }: DoneCall): boolean => Object.values(input).some((value) => typeof value === 'string' && value !== '' && words.includes(value));
  const call = refused.findLast(isNamed) ?? refused.at(-1);
  return call && { name: call.name, input: call.input };
}

/** The work before and after such words: a second try takes the place of the refused one. */
function joined(before: Turns, after: Turns): Turns {
  const [[again] = [], ...others] = after;
  const isSame = (call: DoneCall): boolean => call.isDenied && call.name === again?.name && JSON.stringify(call.input) === JSON.stringify(again.input);
  if (again === undefined || !before.flat().some(isSame)) return [...before, ...after];
  return [...before.map((turn) => turn.map((call) => (isSame(call) ? again : call))), ...others];
}
