import { errorText } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import { abortable, isAbort } from '../base/abort.ts';
import type { GatedCall } from '../domain/gate.ts';
import type { Judgement } from '../domain/permissions.ts';
import type { ToolPreview } from '../domain/tools.ts';
import { READERS, WRITERS } from './defaults.ts';
import { LAYER_NAMES } from './judge.ts';
import type { CallSubject, SubjectTarget } from './subject.ts';

/** What a call would do, in one line for people. Commands, paths and URLs are never cut; the view may. */
export function actionOf({ tool: definition, input }: Pick<GatedCall, 'tool' | 'input'>, { tool, targets }: CallSubject): string {
  // The input was validated against the schema of this very tool.
  const own = definition.action?.(input as never);
  if (own !== undefined) return lineOf(own);
  const [only] = targets;
  if (only === undefined) return definition.actsOnRun === true ? lineOf(definition.describe(input as never)) : rawAction(tool, input);
  if (targets.length === 1 && only.kind === 'command') return nameOf(only);
  const verb = only.kind === 'url' && tool === 'WebFetch' ? 'fetch' : [...READERS, ...WRITERS].includes(tool) ? tool.toLowerCase() : tool;
  return `${verb} ${targets.map(nameOf).join(', ')}`;
}

/** A call in one line where nothing is known of what it touches. */
export function rawAction(tool: string, input: unknown): string {
  return oneLine(`${tool} ${truncate(JSON.stringify(input) ?? '', 200)}`);
}

function nameOf(target: SubjectTarget): string {
  switch (target.kind) {
    case 'command':
      return lineOf(target.command);
    case 'path':
      return oneLine(target.path.relative);
    case 'url':
      return oneLine(target.url);
  }
}

/** Line breaks mean something in a command. */
function lineOf(text: string): string {
  return oneLine(text.trim().replace(/\r\n|[\n\r]/g, ' ⏎ '));
}

/** What a person looks at before deciding. A tool whose preview fails shows its input and says so. Rejects only with the abort error. */
export async function previewOf({ tool, input, context }: GatedCall): Promise<ToolPreview> {
  const text = JSON.stringify(input, null, 2) ?? '';
  if (!tool.preview) return { kind: 'text', text };
  try {
    // The input was validated against the schema of this very tool.
    const preview: unknown = await abortable(tool.preview(input as never, context), context.signal);
    if (!isPreview(preview)) throw new TypeError('what the tool shows can not be read.');
    return preview;
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return { kind: 'text', text: `No preview: ${errorText(error)}\n\n${text}` };
  }
}

/** Tools come from many hands. */
function isPreview(value: unknown): value is ToolPreview {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, ...fields }: Readonly<Record<string, unknown>> = { ...value };
  const areTexts = (...names: readonly string[]): boolean => names.every((name) => typeof fields[name] === 'string');
  if (kind === 'diff') return areTexts('path', 'before', 'after');
  return kind === 'command' ? areTexts('command', 'cwd') : kind === 'text' && areTexts('text');
}

/** For the model: the rules forbid the call. */
export function deniedByRule({ rule, layer, why, neverAsks }: Judgement): string {
  if (neverAsks) return `Denied: this call would ask a person, and this agent never asks. ${why} Go on without it, and say in your report what you could not do.`;
  return rule === undefined ? `Denied. ${why}` : `Denied by the rule ${rule} of ${LAYER_NAMES[layer]}. Don't try to get around it.`;
}

/** For the model: a person said no. */
export function deniedByPerson(message: string | undefined): string {
  return message?.trim() ? `The user denied this call: "${message.trim()}"` : 'The user denied this call.';
}

/** For the model: somebody would have to be asked and nobody is there. */
export function deniedUnattended(why: string): string {
  return `Denied: this call needs an approval and nobody is there to give it. ${why}`;
}
