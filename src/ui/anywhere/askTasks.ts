import { withoutIcons } from '../../host/messageText.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { AgentDefinition } from '../../runtime/domain/definitions.ts';
import type { TaskInput } from '../../runtime/domain/liteAgent.ts';
import { displayName } from '../chat/delegateCommand.ts';
import type { L10n } from '../l10n.ts';
import type { Answer, Choice, Dialog } from '../models/dialog.ts';

/** Those that a person can choose from. */
export interface Offered {
  readonly definitions: readonly AgentDefinition[];
  /** Names of those that nobody has approved yet. */
  readonly unapproved: ReadonlySet<string>;
}

/** A question that is open: which agent, what it is to do, or whether that is all. */
type Open = { readonly kind: 'agent' } | { readonly kind: 'wish'; readonly agent: string } | { readonly kind: 'more' };

/** Asks for tasks, one after the other, each for an agent. There is a way back from every question but the first. Nothing where the person leaves. */
export async function askTasks(dialog: Dialog, offered: Offered, l10n: L10n): Promise<readonly TaskInput[] | undefined> {
  const tasks: TaskInput[] = [];
  let open: Open = { kind: 'agent' };
  for (;;) {
    const place = { step: tasks.length + 1, total: tasks.length + 1 };
    switch (open.kind) {
      case 'agent': {
        const answer: Answer<string> = await askAgent(dialog, offered, { ...place, canGoBack: tasks.length > 0 }, l10n);
        if (answer.kind === 'leave') return undefined;
        open = answer.kind === 'back' ? { kind: 'more' } : { kind: 'wish', agent: answer.value };
        break;
      }
      case 'wish': {
        const { agent }: { readonly agent: string } = open;
        const answer = await askWish(dialog, agent, { ...place, canGoBack: true }, l10n);
        if (answer.kind === 'leave') return undefined;
        if (answer.kind === 'answer') tasks.push({ display_name: displayName(answer.value), subagent_type: agent, prompt: answer.value });
        open = answer.kind === 'back' ? { kind: 'agent' } : { kind: 'more' };
        break;
      }
      case 'more': {
        const answer = await askMore(dialog, tasks, l10n);
        if (answer.kind === 'leave') return undefined;
        if (answer.kind === 'answer' && answer.value === 'start') return tasks;
        // Back means to write the last task anew.
        const last = answer.kind === 'back' ? tasks.pop() : undefined;
        open = last?.subagent_type === undefined ? { kind: 'agent' } : { kind: 'wish', agent: last.subagent_type };
        break;
      }
    }
  }
}

type Place = Parameters<Dialog['choose']>[1];

/** Asks which agent is to do it. */
export function askAgent(dialog: Dialog, { definitions, unapproved }: Offered, place: Place, l10n: L10n): Promise<Answer<string>> {
  const choices = definitions.map(({ name, description }): Choice<string> => ({
    label: withoutIcons(truncate(oneLine(name), 60)),
    description: unapproved.has(name) ? l10n.t('not yet approved') : undefined,
    detail: withoutIcons(truncate(oneLine(description), 200)),
    value: name,
  }));
  return dialog.choose({ placeholder: l10n.t('Who is to do it'), choices, active: choices.find(({ value }) => value === 'general-purpose') }, place);
}

/** Asks what it is to do. */
export function askWish(dialog: Dialog, agent: string, place: Place, l10n: L10n): Promise<Answer<string>> {
  return dialog.enter({
    prompt: l10n.t('What {0} is to do. It sees nothing but these words.', withoutIcons(truncate(oneLine(agent), 60))),
    placeholder: l10n.t('Goal, paths, what must not be done, and the form of the answer'),
    problem: (text) => (oneLine(text) === '' ? l10n.t('Say what it is to do.') : undefined),
  }, place);
}

function askMore(dialog: Dialog, tasks: readonly TaskInput[], l10n: L10n): Promise<Answer<'start' | 'add'>> {
  const start: Choice<'start' | 'add'> = {
    label: tasks.length === 1 ? l10n.t('Start') : l10n.t('Start {0} subagents', tasks.length),
    detail: withoutIcons(truncate(oneLine(tasks.map(({ display_name: name }) => name).join(' · ')), 200)),
    value: 'start',
    stays: true,
  };
  const choices: readonly Choice<'start' | 'add'>[] = [start, { label: l10n.t('Add Another Task'), value: 'add', stays: true }];
  return dialog.choose({ placeholder: l10n.t('Start, or hand out more at the same time'), choices, active: start }, { step: tasks.length, total: tasks.length, canGoBack: true });
}
