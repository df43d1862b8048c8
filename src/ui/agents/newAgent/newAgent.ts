import { join } from 'node:path';
import { askAll } from '../../models/questions.ts';
import { definitionText } from '../definitionText.ts';
import { newFileName } from '../fileNames.ts';
import { promptTemplate } from '../template.ts';
import { agentQuestions } from './agentQuestions.ts';
import { PLACES, type AgentDraft, type NewAgentDeps } from './draft.ts';
import { READING } from './toolChoices.ts';

/** A file that is to be written. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Asks for a new agent step by step. Nothing where the person leaves; nothing is written. */
export async function askNewAgent(deps: NewAgentDeps): Promise<NewFile | undefined> {
  const place = PLACES.find((source) => deps.folders[source] !== undefined) ?? 'user';
  const draft = await askAll(agentQuestions(deps), { place, name: '', description: '', toolChoice: 'reading', tools: [...READING], model: 'inherit' });
  if (draft === undefined) return undefined;
  return { path: join(deps.folders[draft.place] ?? '', newFileName(draft.name)), text: textOf(draft) };
}

function textOf({ name, description, toolChoice, tools, model }: AgentDraft): string {
  const isReadOnly = toolChoice === 'reading';
  return definitionText({
    name,
    description,
    tools: toolsOf(toolChoice, tools),
    ...(isReadOnly && { readOnly: true }),
    ...(model !== 'inherit' && { model }),
    body: promptTemplate(description, isReadOnly),
  });
}

function toolsOf(choice: AgentDraft['toolChoice'], tools: readonly string[]): 'inherit' | readonly string[] {
  switch (choice) {
    case 'reading':
      return READING;
    case 'all':
      return 'inherit';
    case 'some':
      return tools;
  }
}
