import { withoutIcons } from '../../../host/messageText.ts';
import { oneLine } from '../../../runtime/base/text.ts';
import { isName, MAX_NAME, nameKey } from '../../../runtime/definitions/names.ts';
import { TIERS } from '../../../runtime/domain/models.ts';
import type { Choice } from '../../models/dialog.ts';
import type { Question } from '../../models/questions.ts';
import { toMove } from '../../models/toMove.ts';
import { sourceLabel } from '../sourceWords.ts';
import { PLACES, type AgentDraft, type NewAgentDeps, type PlaceSource, type ToolChoice } from './draft.ts';
import { toolChoices, withoutDoubles } from './toolChoices.ts';

type Ask = (deps: NewAgentDeps) => Question<AgentDraft>;

/** Where the file is kept. */
const placeQuestion: Ask = ({ dialog, folders, l10n }) => {
  const choices = PLACES.flatMap((source): Choice<PlaceSource>[] => {
    const folder = folders[source];
    return folder === undefined ? [] : [{ label: sourceLabel(source, l10n), description: withoutIcons(folder), value: source }];
  });
  return {
    name: 'place',
    applies: () => choices.length > 1,
    async ask(draft, place) {
      const answer = await dialog.choose({ placeholder: l10n.t('Choose where the agent is kept'), choices, active: choices.find(({ value }) => value === draft.place) }, place);
      return toMove(answer, (source) => ({ ...draft, place: source }));
    },
  };
};

const nameQuestion: Ask = ({ dialog, found, l10n }) => ({
  name: 'name',
  applies: () => true,
  async ask(draft, place) {
    const taken = new Set(found().filter(({ source }) => source === draft.place).map(({ name }) => nameKey(name)));
    const problem = (text: string): string | undefined => {
      if (text === '' || oneLine(text) !== text) return l10n.t('Enter a name in one line.');
      if (!isName(text)) return l10n.t('A name has at most {0} characters.', MAX_NAME);
      return taken.has(nameKey(text)) ? l10n.t('There is an agent of this name already.') : undefined;
    };
    const answer = await dialog.enter({ prompt: l10n.t('The name by which the chat and you pick the agent. Its file is named after it.'), placeholder: 'api-reviewer', value: draft.name, problem }, place);
    return toMove(answer, (name) => ({ ...draft, name }));
  },
});

const descriptionQuestion: Ask = ({ dialog, l10n }) => ({
  name: 'description',
  applies: () => true,
  async ask(draft, place) {
    const problem = (text: string): string | undefined => (text === '' ? l10n.t('Say when the agent is to be used.') : undefined);
    const answer = await dialog.enter({ prompt: l10n.t('What it does, and when to use it. The chat chooses it by these words.'), placeholder: l10n.t('Such as: reviews changes of the public API for breaking ones'), value: draft.description, problem }, place);
    return toMove(answer, (description) => ({ ...draft, description: oneLine(description) }));
  },
});

const toolsQuestion: Ask = ({ dialog, l10n }) => {
  const choices: readonly Choice<ToolChoice>[] = [
    { label: l10n.t('Read only'), detail: l10n.t('Reads and searches files; changes nothing'), value: 'reading' },
    { label: l10n.t('All tools'), detail: l10n.t('What the chat itself has, without MCP servers; permissions still ask'), value: 'all' },
    { label: l10n.t('Choose…'), detail: l10n.t('Single tools, those of MCP servers among them'), value: 'some' },
  ];
  return {
    name: 'tools',
    applies: () => true,
    async ask(draft, place) {
      const answer = await dialog.choose({ placeholder: l10n.t('Choose which tools it has'), choices, active: choices.find(({ value }) => value === draft.toolChoice) }, place);
      return toMove(answer, (toolChoice) => ({ ...draft, toolChoice }));
    },
  };
};

const toolListQuestion: Ask = ({ dialog, servers, l10n }) => ({
  name: 'toolList',
  applies: ({ toolChoice }) => toolChoice === 'some',
  async ask(draft, place) {
    const answer = await dialog.tick({ placeholder: l10n.t('Tick its tools'), choices: toolChoices(servers(), l10n), ticked: draft.tools }, place);
    return toMove(answer, (tools) => ({ ...draft, tools: withoutDoubles(tools) }));
  },
});

const modelQuestion: Ask = ({ dialog, catalog, l10n }) => ({
  name: 'model',
  applies: () => catalog() !== undefined,
  async ask(draft, place) {
    const models = catalog() ?? {};
    const choices: readonly Choice<string>[] = [
      { label: l10n.t('Inherit'), detail: l10n.t('The model that is current in the chat'), value: 'inherit' },
      ...TIERS.flatMap((tier): Choice<string>[] => {
        const model = models[tier];
        return model === undefined ? [] : [{ label: tier, description: withoutIcons(model.displayName ?? model.model), value: tier }];
      }),
    ];
    const answer = await dialog.choose({ placeholder: l10n.t('Choose its model'), choices, active: choices.find(({ value }) => value === draft.model) }, place);
    return toMove(answer, (model) => ({ ...draft, model }));
  },
});

/** The questions of **New Agent…**, in their order. */
export function agentQuestions(deps: NewAgentDeps): readonly Question<AgentDraft>[] {
  return [placeQuestion, nameQuestion, descriptionQuestion, toolsQuestion, toolListQuestion, modelQuestion].map((create) => create(deps));
}
