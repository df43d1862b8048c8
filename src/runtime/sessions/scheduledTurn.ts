import { oneLine, truncate } from '../base/text.ts';
import { attribute } from '../delegation/untrusted.ts';
import type { TurnCause } from '../domain/events.ts';
import type { ScheduledPrompt } from '../domain/services.ts';

const TITLE_LENGTH = 100;

export function scheduledCause({ id, prompt }: ScheduledPrompt): TurnCause {
  return { kind: 'scheduled', promptId: id, title: truncate(oneLine(prompt), TITLE_LENGTH) };
}

/** What the root is told while it answers a scheduled prompt, which reads like any message of the user. `rest`: what it is reminded of besides. */
export function scheduledReminder({ id, schedule, once }: ScheduledPrompt, rest: string | undefined): string {
  const why = `The last message of the user is the scheduled prompt ${attribute(id)} (${attribute(schedule)}), sent by the program at its time${once ? ' and never again' : '; it comes again by itself'}. The user may not be there: do what can be done without asking, and don't schedule it anew.`;
  return ['<program-reminder>', why, '</program-reminder>', ...(rest === undefined ? [] : [rest])].join('\n');
}
