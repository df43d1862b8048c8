import { oneLine, plural } from '../../base/text.ts';
import { DEMO_NOTE, firstLine } from './step.ts';

/** One child's part of a completion. */
export interface ChildPart {
  readonly name: string;
  readonly status: string;
  readonly text: string;
}

const HEADING = /^## (.+) \(agentId: ([^;()]+); status: (\w+)\)$/u;
const PLACE = /\S:\d+\b/u;
const SHOWN_LINES = 3;
const SHOWN_LENGTH = 160;

/** The children that a completion message reports, in its order. */
export function parseCompletion(message: string): readonly ChildPart[] {
  const parts: { name: string; status: string; lines: string[] }[] = [];
  for (const line of message.split('\n')) {
    const heading = HEADING.exec(line);
    if (heading) parts.push({ name: heading[1] ?? '', status: heading[3] ?? '', lines: [] });
    else if (!line.startsWith('</background-task-completed')) parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ name, status, lines }) => ({ name, status, text: lines.join('\n').trim() }));
}

/** A summary of a completed group for the person: each child's status and first findings, and what to do next. */
export function completionSummary(message: string): string {
  const children = parseCompletion(message);
  if (children.length === 0) return `The background work has ended. ${firstLine(message)}`;
  const succeeded = children.filter(({ status }) => status === 'completed').length;
  const head = succeeded === children.length
    ? `All results are in: ${plural(children.length, 'subagent')} completed.`
    : `The group has ended: ${succeeded} of ${plural(children.length, 'subagent')} completed.`;
  return [head, ...children.map(childSummary), nextSteps(succeeded, children.length)].join('\n\n');
}

function childSummary({ name, status, text }: ChildPart): string {
  const lines = text.split('\n').map((line) => plain(line)).filter((line) => line !== '' && line !== DEMO_NOTE);
  const places = lines.filter((line) => PLACE.test(line));
  // The first line says how it went; places are what one wants to see after it.
  const shown = [...new Set([...lines.slice(0, 1), ...places, ...lines.slice(1)])].slice(0, SHOWN_LINES);
  const more = lines.length - shown.length;
  const rows = shown.length > 0 ? shown.map((line) => `  - ${firstLine(line, SHOWN_LENGTH)}`) : ['  - (no text)'];
  return [`- **${oneLine(name)}**: ${status}`, ...rows, ...(more > 0 ? [`  - … ${plural(more, 'more line')} in the panel`] : [])].join('\n');
}

/** A line without the marks that would make it a heading or an item of its own here. */
function plain(line: string): string {
  if (/^\s*`{3,}/u.test(line)) return '';
  const shown = oneLine(line);
  // A cut may part a code span; half of one would show its mark.
  const whole = (firstLine(shown, SHOWN_LENGTH).split('`').length - 1) % 2 === 0 ? shown : shown.replaceAll('`', '');
  return whole.replace(/^(?:#+|>|[-*•])\s+/u, '').replace(/^\*\*(.+)\*\*$/u, '$1:');
}

function nextSteps(succeeded: number, total: number): string {
  const review = succeeded > 0 ? 'Read the results and changed files in the panel before you accept them.' : '';
  const failed = succeeded < total ? 'Open the transcript of what did not complete to see why.' : '';
  return [review, failed].filter((text) => text !== '').join(' ');
}
