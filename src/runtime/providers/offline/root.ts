import { textOf } from '../../domain/messages.ts';
import type { ModelRequest } from '../../domain/models.ts';
import { completionSummary } from './completion.ts';
import { directiveStep, plainCalls } from './directives.ts';
import { DEMO_NOTE, firstLine, lastUserIndex, turnsSince, type DoneCall, type Step } from './step.ts';
import { parseTasks } from './tasks.ts';

const GREETINGS = new Set(['', 'hi', 'hello', 'hello there', 'hey', 'hi there', 'good morning', 'good afternoon', 'good evening', 'hallo', 'help', 'help me', 'thanks', 'thank you', 'ok', 'okay', 'test', 'ping',
  'what can you do', 'who are you', 'what are you', 'how are you', 'what is this', 'how does this work']);

const HELP = `I turn a request into subagents and start them in the background.

- A list gives one subagent for each line that starts with \`-\`, \`*\` or a number. Anything else gives one \`Explore\` subagent.
- \`@name\` at the start of a line picks the definition, such as \`@code-reviewer\`.
- A subagent searches the workspace for the quoted words, file names and identifiers in its line and reports what it finds, with file and line.
- To see approvals, failures and long work: \`write FILE: TEXT\`, \`run COMMAND\`, \`ask QUESTION [A | B]\`, \`sleep SECONDS\`, \`call TOOL {JSON}\`, \`fail\`.
- A message that is nothing but \`call TOOL {JSON}\` is done by the chat itself, such as \`call CronCreate {"schedule": "0 9 * * 1-5", "prompt": "help"}\`.

For example:

    - @Explore where is "activate" called?
    - @general-purpose write notes.md: first note
    - sleep 10`;

/** The next step of the agent that the person talks to: delegate, confirm, or sum up. */
export function rootStep(request: ModelRequest): Step {
  const { messages } = request;
  const index = lastUserIndex(messages);
  const message = messages[index];
  if (message?.role !== 'user') return say(request, HELP);
  const text = textOf(message.content);
  if (message.source === 'completion') return say(request, completionSummary(text));
  const done = turnsSince(messages, index).flat();
  const calls = plainCalls(text);
  if (calls.length > 0) return directiveStep(calls, done, request);
  if (done.length > 0) return say(request, done.map(afterCall).join('\n\n'));
  if (isGreeting(text)) return say(request, HELP);
  return { calls: [{ name: 'Agent', input: { tasks: parseTasks(text) } }] };
}

function isGreeting(text: string): boolean {
  return text.length < 60 && GREETINGS.has(text.toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, '').replace(/\s+/gu, ' ').trim()) && !/[^\p{L}\p{N}\s\p{P}]/u.test(text);
}

function afterCall(call: DoneCall): string {
  if (call.isError) return `Nothing was started. ${call.result.trim().replace(/^Nothing was started\.\s*/u, '') || 'The tool gave no reason.'}`;
  const tasks = Array.isArray(call.input['tasks']) ? call.input['tasks'] : [];
  const names = tasks.flatMap((task: unknown) => (typeof task === 'object' && task !== null && 'display_name' in task && typeof task.display_name === 'string' ? [task.display_name] : []));
  const who = names.length === 0 ? firstLine(call.result) : names.map((name) => `**${name}**`).join(', ');
  return `Started ${who}. The results come together when all have ended; until then you can watch them in the panel and go on here.`;
}

/** Text of the root, with the note on what speaks here unless this conversation has it already. */
function say({ messages }: ModelRequest, text: string): Step {
  const said = messages.some((message) => message.role === 'assistant' && textOf(message.content).includes(DEMO_NOTE));
  return { text: said ? text : `${text}\n\n${DEMO_NOTE}` };
}
