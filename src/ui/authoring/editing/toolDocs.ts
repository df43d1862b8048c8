import type { ToolName } from '../../../runtime/definitions/toolNames.ts';
import type { L10n } from '../../l10n.ts';

/** Whether a tool changes nothing, asks before it does something (as far as no rule says otherwise), or acts on the run itself. */
export type ToolEffect = 'reads' | 'asks' | 'run';

export const TOOL_EFFECTS: Readonly<Record<ToolName, ToolEffect>> = {
  Read: 'reads', Glob: 'reads', Grep: 'reads', Write: 'asks', Edit: 'asks', Bash: 'asks', BashOutput: 'run', KillBackground: 'run', WebFetch: 'asks', WebSearch: 'asks',
  AskUser: 'run', Skill: 'run', FindTool: 'run', TaskCreate: 'run', TaskUpdate: 'run', TaskGet: 'run', TaskList: 'run', CronCreate: 'asks', CronList: 'asks', CronDelete: 'asks',
  Agent: 'run', Task: 'run', MultiTask: 'run',
};

/** What each built-in tool does. */
export function toolDocs(l10n: L10n): Readonly<Record<ToolName, string>> {
  return {
    Read: l10n.t('Reads a file, or some lines of it.'),
    Write: l10n.t('Writes a whole file.'),
    Edit: l10n.t('Replaces text in a file.'),
    Glob: l10n.t('Finds files by name.'),
    Grep: l10n.t('Searches in files.'),
    Bash: l10n.t('Runs a command in a shell.'),
    BashOutput: l10n.t('Reads what a command in the background has printed.'),
    KillBackground: l10n.t('Stops a command in the background.'),
    WebFetch: l10n.t('Reads a web page.'),
    WebSearch: l10n.t('Searches the web, where a search is configured.'),
    AskUser: l10n.t('Asks you a question.'),
    Skill: l10n.t('Loads one of its skills.'),
    FindTool: l10n.t('Finds tools that wait to be found, because there are many.'),
    TaskCreate: l10n.t('Adds a task to the task list.'),
    TaskUpdate: l10n.t('Changes a task of the task list.'),
    TaskGet: l10n.t('Reads one task of the task list.'),
    TaskList: l10n.t('Reads the task list.'),
    CronCreate: l10n.t('Plans a prompt for later.'),
    CronList: l10n.t('Lists what is planned.'),
    CronDelete: l10n.t('Removes what is planned.'),
    Agent: l10n.t('Delegates. A subagent can’t, so naming it grants nothing.'),
    Task: l10n.t('Delegates. A subagent can’t, so naming it grants nothing.'),
    MultiTask: l10n.t('Delegates. A subagent can’t, so naming it grants nothing.'),
  };
}

export function effectWords(effect: ToolEffect, l10n: L10n): string {
  switch (effect) {
    case 'reads':
      return l10n.t('Read-only');
    case 'asks':
      return l10n.t('Asks first, unless a rule allows it');
    case 'run':
      return l10n.t('Acts on the run itself');
  }
}
