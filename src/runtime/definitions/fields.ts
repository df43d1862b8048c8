import { nearNames } from '../base/nearNames.ts';
import { AGENT_COLORS, type AgentColor, type DiagnosticData } from '../domain/definitions.ts';
import type { ReasoningEffort } from '../domain/models.ts';
import type { AgentPermission, OnAsk } from '../domain/permissions.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { EFFORTS, ON_ASK, PERMISSION_KEYS } from './fieldTable.ts';
import { FOREIGN_EFFORTS } from './interop.ts';
import { readList } from '../frontmatter/lists.ts';
import { wrongType } from '../frontmatter/fields.ts';
import type { Value } from '../frontmatter/values.ts';

/** Readers of single fields. Each gives nothing for an absent or wrong value; a wrong one is also a problem. */


export function readEffort(value: Value, problems: Problem[]): ReasoningEffort | undefined {
  const word = value.kind === 'scalar' && typeof value.value === 'string' ? value.value.trim().toLowerCase() : '';
  if (FOREIGN_EFFORTS.includes(word)) {
    problems.push({ severity: 'information', code: 'mapped', message: `The effort \`${word}\` is read as \`high\`, the highest here.`, at: value.at, data: { kind: 'mapped', of: 'value', word, as: ['high'] } });
    return 'high';
  }
  return EFFORTS.find((effort) => effort === word) ?? wrongType('effort', '`low`, `medium` or `high`', value.at, problems, wordMeant(value, EFFORTS));
}

/** Any other colour costs nothing but the look. */
export function readColor(value: Value, problems: Problem[]): AgentColor | undefined {
  if (value.kind === 'scalar' && value.value === null) return undefined;
  const word = value.kind === 'scalar' ? String(value.value).trim().toLowerCase() : '';
  const color = AGENT_COLORS.find((known) => known === word);
  if (color === undefined) problems.push({ severity: 'information', code: 'ignored', message: `\`color\` is ignored: it can be ${AGENT_COLORS.join(', ')}.`, at: value.at, data: { kind: 'unknown', of: 'value', word, near: AGENT_COLORS } });
  return color;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
/** A week. Timers can't count much further, and whoever means for ever leaves the field out. */
const LONGEST = 168 * 3_600_000;

/** Milliseconds, from seconds as a number or a number with its unit, such as `90s`, `15m` or `2h`. */
export function readDuration(field: string, value: Value, problems: Problem[], unit = 's'): number | undefined {
  const text = value.kind === 'scalar' && (typeof value.value === 'number' || typeof value.value === 'string') ? String(value.value).trim() : '';
  const [, amount = '', named] = /^(\d+(?:\.\d+)?)\s*([smh])?$/i.exec(text) ?? [];
  const milliseconds = Math.round(Number(amount) * (UNITS[(named ?? unit).toLowerCase()] ?? NaN));
  if (milliseconds > 0 && milliseconds <= LONGEST) return milliseconds;
  return wrongType(field, 'a time above 0 and up to a week, such as `90s`, `15m` or `2h`', value.at, problems);
}

/** Permission lists, and whether the agent may ask. Anything in them that can't be read is an error: skipping it could allow what was meant to be refused. */
export function readPermission(value: Value, problems: Problem[]): AgentPermission | undefined {
  if (value.kind !== 'map') return wrongType('permission', 'a map with the lists `allow`, `ask` and `deny`', value.at, problems);
  const lists: { allow?: readonly string[]; ask?: readonly string[]; deny?: readonly string[]; onAsk?: OnAsk } = {};
  for (const entry of value.entries) {
    if (entry.name === 'allow' || entry.name === 'ask' || entry.name === 'deny') {
      const items = readList(`permission.${entry.name}`, entry.value, problems);
      if (items) lists[entry.name] = items.map((item) => item.text);
    } else if (entry.name === 'onAsk') {
      const onAsk = readOnAsk(entry.value, problems);
      if (onAsk) lists.onAsk = onAsk;
    } else {
      problems.push({ severity: 'error', code: 'permission', message: `\`permission\` has no \`${entry.name}\`, only \`allow\`, \`ask\`, \`deny\` and \`onAsk\`.`, at: entry.at, data: { kind: 'unknown', of: 'field', word: entry.name, near: nearNames(entry.name, PERMISSION_KEYS) } });
    }
  }
  return lists;
}

function readOnAsk(value: Value, problems: Problem[]): OnAsk | undefined {
  if (value.kind === 'scalar' && (value.value === 'ask' || value.value === 'deny')) return value.value;
  return wrongType('permission.onAsk', '`ask` or `deny`', value.at, problems, wordMeant(value, ON_ASK));
}

/** All words that there are, since they are few. */
function wordMeant(value: Value, words: readonly string[]): DiagnosticData | undefined {
  if (value.kind !== 'scalar' || value.value === null) return undefined;
  const word = typeof value.value === 'string' ? value.value : JSON.stringify(value.value);
  return { kind: 'unknown', of: 'value', word, near: [...new Set([...nearNames(word, words), ...words])] };
}

/** Values of `isolation` that ask for none. */
const NOT_ISOLATED: readonly unknown[] = [null, false, 'none'];

/** Whoever asks for a kind that there isn't counts on the workspace being left alone: that is an error. */
export function readIsolation(value: Value, problems: Problem[]): 'worktree' | undefined {
  const word = value.kind !== 'scalar' ? undefined : typeof value.value === 'string' ? value.value.trim().toLowerCase() : value.value;
  if (word === 'worktree') return 'worktree';
  return NOT_ISOLATED.includes(word) ? undefined : wrongType('isolation', '`worktree` or `none`', value.at, problems);
}
