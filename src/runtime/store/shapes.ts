import type { AgentRef, ChildSpec, RunOutcome } from '../domain/agents.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { Message } from '../domain/messages.ts';

/** Checks of values that were read from disk, as far as something would fail on them: another version, or another program, may have written them. */
export type Check = (value: unknown) => boolean;
export type Checks = Readonly<Record<string, Check>>;

type Fields = Readonly<Record<string, unknown>>;

export const isText: Check = (value) => typeof value === 'string';
export const isNumber: Check = (value) => typeof value === 'number';
export const isTexts: Check = (value) => listOf(isText)(value);
export const optional = (check: Check): Check => (value) => value === undefined || check(value);
export const listOf = (check: Check): Check => (value) => Array.isArray(value) && value.every(check);

const anyOf = (...checks: readonly Check[]): Check => (value) => checks.some((check) => check(value));
const mapOf = (check: Check): Check => (value) => isRecord(value) && Object.values(value).every(check);

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with these fields at least. */
export const withFields = (checks: Checks): Check => {
  const entries = Object.entries(checks);
  return (value) => isRecord(value) && entries.every(([name, check]) => check(value[name]));
};

/** An object whose field `key` names which checks count for its others. */
export const oneOf = (key: string, variants: Readonly<Record<string, Check>>): Check => (value) => {
  const variant = isRecord(value) ? value[key] : undefined;
  return typeof variant === 'string' && Object.hasOwn(variants, variant) && variants[variant]?.(value) === true;
};

const NOTHING_MORE: Check = () => true;

const price = withFields({ input: isNumber, output: isNumber, cacheRead: optional(isNumber), cacheWrite: optional(isNumber) });
export const isModelRef: Check = withFields({ provider: isText, model: isText, price: optional(price) });
export const isUsage: Check = withFields({ input: isNumber, output: isNumber, cacheRead: isNumber, cacheWrite: isNumber, reasoning: isNumber, cost: optional(isNumber) });

const agentRef = oneOf('kind', { root: withFields({ sessionId: isText }), child: withFields({ sessionId: isText, groupId: isText, agentId: isText }) });
const childSpec = withFields({ agentId: isText, displayName: isText, definition: isText, model: isModelRef, prompt: isText, maxTurns: isNumber, tools: isTexts, taskId: optional(isText), round: isNumber, notes: optional(isTexts) });
const permission = withFields({ allow: optional(isTexts), ask: optional(isTexts), deny: optional(isTexts), onAsk: optional(isText) });
const serverConfig = anyOf(withFields({ command: isText, args: optional(isTexts), env: optional(mapOf(isText)), cwd: optional(isText) }), withFields({ url: isText, headers: optional(mapOf(isText)) }));
const serverUse = withFields({ server: isText, config: optional(serverConfig), tools: (value) => value === 'all' || isTexts(value) });
const definition = withFields({
  name: isText,
  prompt: isText,
  appendPrompt: optional(isText),
  tools: (value) => value === 'inherit' || isTexts(value),
  disallowedTools: isTexts,
  servers: optional(listOf(serverUse)),
  skills: optional(isTexts),
  resultSchema: optional(isRecord),
  maxTurns: optional(isNumber),
  maxDurationMs: optional(isNumber),
  permission: optional(permission),
});
const outcome = withFields({ partialText: optional(isText), refused: optional(isTexts) });
const ends = oneOf('status', { completed: withFields({ text: isText }), failed: withFields({ reason: isText, message: isText }), cancelled: NOTHING_MORE });

const content = listOf(oneOf('type', { text: withFields({ text: isText }), image: withFields({ mimeType: isText, data: isText }) }));
const said = listOf(oneOf('type', { text: withFields({ text: isText }), thinking: withFields({ text: isText }), tool_call: withFields({ id: isText, name: isText, arguments: isText }) }));
const message = oneOf('role', {
  user: withFields({ source: isText, content, messageId: optional(isText) }),
  assistant: withFields({ content: said, stop: isText, verbatim: optional(withFields({ provider: isText, model: isText })) }),
  tool: withFields({ results: listOf(withFields({ callId: isText, name: isText, content })) }),
});

export const isAgentRef = (value: unknown): value is AgentRef => agentRef(value);
export const isChildSpec = (value: unknown): value is ChildSpec => childSpec(value);
export const isDefinition = (value: unknown): value is AgentDefinition => definition(value);
export const isOutcome = (value: unknown): value is RunOutcome => outcome(value) && ends(value);
export const isMessage = (value: unknown): value is Message => message(value);
