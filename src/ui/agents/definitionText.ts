import type { AgentDefinition } from '../../runtime/domain/definitions.ts';

/** What a definition file says. `tools` as a file has them, those of servers among them. */
export type WrittenDefinition = Pick<AgentDefinition, 'name' | 'description' | 'tools'> & Partial<Pick<AgentDefinition, 'disallowedTools' | 'model' | 'maxTurns' | 'readOnly'>> & {
  /** The system prompt. */
  readonly body: string;
};

/** A definition as the text of a file. */
export function definitionText({ name, description, tools, disallowedTools = [], model, maxTurns, readOnly, body }: WrittenDefinition): string {
  const lines = [
    `name: ${yamlText(name)}`,
    `description: ${yamlText(description)}`,
    ...(tools === 'inherit' ? [] : [`tools: ${yamlList(tools)}`]),
    ...(disallowedTools.length === 0 ? [] : [`disallowedTools: ${yamlList(disallowedTools)}`]),
    ...(readOnly === true ? ['readOnly: true'] : []),
    ...(model === undefined ? [] : [`model: ${yamlText(model)}`]),
    ...(maxTurns === undefined ? [] : [`maxTurns: ${maxTurns}`]),
  ];
  return ['---', ...lines, '---', body.trim(), ''].join('\n');
}

/** One that has no file of its own, as if it had. */
export function textOfDefinition({ prompt, appendPrompt, ...definition }: AgentDefinition): string {
  return definitionText({ ...definition, body: appendPrompt === undefined ? prompt : `${prompt}\n\n${appendPrompt}` });
}

function yamlList(names: readonly string[]): string {
  return `[${names.map(yamlText).join(', ')}]`;
}

/** Plain where nobody could take it for anything else; otherwise in quotes, within which YAML reads what JSON does. */
function yamlText(text: string): string {
  const isPlain = /^[\p{L}][\p{L}\p{N} .,;()'/_-]*$/u.test(text) && !text.endsWith(' ') && !/^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
