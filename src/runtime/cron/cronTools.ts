import { AppError } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { CronService, ScheduledPrompt } from '../domain/services.ts';
import type { ToolContext, ToolDefinition, ToolResult } from '../domain/tools.ts';
import { localTime } from './localTime.ts';
import { loadSchedules, type Schedule } from './schedule.ts';
import { scheduleWords } from './scheduleWords.ts';

interface CreateInput {
  readonly schedule: string;
  readonly prompt: string;
  readonly once?: boolean;
}

interface DeleteInput {
  readonly id: string;
}

/** Times that a person sees before deciding. */
const PREVIEWED = 3;

/** The tools of scheduled prompts, for the root alone. Made once for all sessions, so that their schemas are compiled once. */
export function createCronTools(cron: CronService): readonly ToolDefinition[] {
  return [createTool(cron), listTool(cron), deleteTool(cron)];
}

function createTool(cron: CronService): ToolDefinition {
  return {
    name: 'CronCreate',
    description:
      'Schedules a prompt: at the set times it is sent to you in this conversation as if the user had written it, also when the user is away. Times that were missed because the program did not run count as one, at its next start. It needs the approval of the user, whose tokens it spends. Write it so that it says all by itself. CronList tells what time it is.',
    inputSchema: {
      type: 'object',
      properties: {
        schedule: { type: 'string', minLength: 1, maxLength: 200, description: 'Local time: a cron expression of five fields (minute hour day month weekday), such as "0 9 * * 1-5", or one moment, such as "2030-01-31T09:00".' },
        prompt: { type: 'string', minLength: 1, maxLength: 10_000, description: 'What is to be done then.' },
        once: { type: 'boolean', description: 'True: only at the first time of the expression. Default false.' },
      },
      required: ['schedule', 'prompt'],
      additionalProperties: false,
    },
    isDeferred: true,
    isReadOnly: false,
    reportsChanges: true,
    describe: ({ prompt }: CreateInput) => truncate(oneLine(`Scheduling ${prompt}`), 80),
    // The schedule first: views cut at the end.
    action: ({ schedule, prompt, once = false }: CreateInput) => `schedule ${timesText(schedule, once)}: ${prompt}`,
    targets: () => [],
    preview: async ({ schedule, prompt, once = false }: CreateInput) => ({ kind: 'text', text: `${whenText(schedule, (await loadSchedules())(schedule), once)}\n\n${prompt}` }),
    async execute({ schedule, prompt, once = false }: CreateInput, context: ToolContext) {
      const made = await cron.create({ sessionId: sessionOf(context), schedule, prompt, once });
      return textResult(`Scheduled as ${made.id}. ${nextText(made)} CronDelete with this id ends it.`);
    },
  };
}

function listTool(cron: CronService): ToolDefinition {
  return {
    name: 'CronList',
    description: 'The scheduled prompts of this conversation, with their ids and when they are sent next, and what time it is now.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    isDeferred: true,
    isReadOnly: true,
    actsOnRun: true,
    describe: () => 'Looking at the scheduled prompts',
    targets: () => [],
    async execute(_: object, context: ToolContext) {
      const prompts = await cron.list(sessionOf(context));
      const lines = prompts.map((prompt) => `- ${prompt.id} (${oneLine(prompt.schedule)}${prompt.once ? ', once' : ''}): ${nextText(prompt)} ${JSON.stringify(truncate(oneLine(prompt.prompt), 200))}`);
      return textResult([`It is ${localTime(Date.now())} now.`, ...(lines.length > 0 ? lines : ['[There are none.]'])].join('\n'));
    },
  };
}

function deleteTool(cron: CronService): ToolDefinition {
  return {
    name: 'CronDelete',
    description: 'Deletes a scheduled prompt of this conversation: it is not sent any more.',
    inputSchema: { type: 'object', properties: { id: { type: 'string', description: 'From CronCreate or CronList.' } }, required: ['id'], additionalProperties: false },
    isDeferred: true,
    isReadOnly: false,
    reportsChanges: true,
    actsOnRun: true,
    describe: ({ id }: DeleteInput) => truncate(oneLine(`Deleting the scheduled prompt ${id}`), 80),
    targets: () => [],
    async execute({ id }: DeleteInput, context: ToolContext) {
      if (!(await cron.remove(id, sessionOf(context)))) throw new AppError('not_found', `This conversation has no scheduled prompt ${JSON.stringify(truncate(oneLine(id), 80))}. CronList shows those that there are.`);
      return textResult(`Deleted ${id}. It is not sent any more.`);
    },
  };
}

/** A child's session ends with its answer: nothing could be sent to it. */
function sessionOf({ agent }: ToolContext): string {
  if (agent.kind !== 'root') throw new AppError('denied', 'Only the agent that the user talks to can schedule prompts. Say in your report what should be scheduled.');
  return agent.sessionId;
}

/** The expression itself beside its words. */
function timesText(text: string, once: boolean): string {
  const expression = oneLine(text);
  if (/^\d{4}-/.test(expression)) return `once, at ${expression}`;
  if (once) return `once, at the first time of ${expression}`;
  const words = scheduleWords(expression);
  return words === undefined ? expression : `${words} (${expression})`;
}

/** What a person wants to know of a schedule. Its first times are counted from now. */
function whenText(text: string, schedule: Schedule, once: boolean): string {
  const times: number[] = [];
  for (let at = schedule.next(Date.now()); at !== undefined && times.length < (once ? 1 : PREVIEWED); at = schedule.next(at)) times.push(at);
  const when = times.map(localTime).join(', ');
  if (times.length === 0) return `${oneLine(text)}: never`;
  return once || schedule.isMoment ? `Once, ${when}` : `Again and again, ${timesText(text, false)}: ${when}, …`;
}

function nextText({ nextAt, once }: ScheduledPrompt): string {
  if (nextAt === undefined) return 'It is not sent any more.';
  return `It is sent ${once ? 'once, at' : 'next at'} ${localTime(nextAt)}.`;
}

function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}
