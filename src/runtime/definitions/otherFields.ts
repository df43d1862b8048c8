import { nearNames } from '../base/nearNames.ts';
import { FIELDS } from './fieldTable.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import { BLOCKING_HOOKS, FOREIGN_FIELDS } from './interop.ts';
import type { Entry, Value } from '../frontmatter/values.ts';

/** What someone may have written for a field that takes rights away, compared without case, `-` and `_`. */
const MISSPELT: Readonly<Record<string, string>> = {
  tool: 'tools', tools: 'tools', allowedtools: 'tools', allowtools: 'tools',
  disallowedtool: 'disallowedTools', disallowedtools: 'disallowedTools', disallowtools: 'disallowedTools', deniedtools: 'disallowedTools', excludetools: 'disallowedTools',
  permission: 'permission', permissions: 'permission', permissionmode: 'permissionMode',
  readonly: 'readOnly', isolation: 'isolation', onask: 'permission.onAsk', delegable: 'delegable', disablemodelinvocation: 'disable-model-invocation',
};

/**
 * What to say about a field that isn't read. Information for one that can be ignored; an error where ignoring it
 * would give the agent more than its author meant.
 */
export function judgeUnreadField(entry: Entry): Problem {
  const { name, at } = entry;
  if (name === 'hooks') return judgeHooks(entry);
  const foreign = ownEntry(FOREIGN_FIELDS, name);
  if (foreign?.kind === 'ignored') return ignored(entry, `\`${name}\` is ignored: ${foreign.why}.`);
  if (foreign?.kind === 'restricting') {
    if (isOneOf(entry.value, foreign.harmless)) return ignored(entry, `\`${name}\` is ignored: ${foreign.why}.`);
    return { severity: 'error', code: 'unsupported', message: foreign.refusal, at };
  }
  const meant = ownEntry(MISSPELT, name.toLowerCase().replace(/[-_\s]/g, ''));
  if (meant !== undefined) {
    return { severity: 'error', code: 'misspelt', message: `\`${name}\` is not a field. Did you mean \`${meant}\`? Ignoring it would give the agent more rights than meant.`, at, data: { kind: 'unknown', of: 'field', word: name, near: FIELDS.some((field) => field.name === meant) ? [meant] : [] } };
  }
  return { severity: 'information', code: 'unknown_field', message: `\`${name}\` is not a field of a definition, ignored.`, at, data: { kind: 'unknown', of: 'field', word: name, near: nearFields(name) } };
}

/** Hooks never run here. One that may stop a call is a limit that nothing else would hold. */
function judgeHooks(entry: Entry): Problem {
  const { value } = entry;
  const limits = value.kind === 'map' ? value.entries.some(({ name }) => BLOCKING_HOOKS.some((hook) => hook.toLowerCase() === name.toLowerCase())) : !isOneOf(value, [null]);
  return limits ? widening(entry) : ignored(entry, '`hooks` is ignored: no hooks run here.');
}

function widening({ name, at }: Entry): Problem {
  return { severity: 'error', code: 'unsupported', message: `\`${name}\` with this value is not supported, and ignoring it would give the agent more rights than meant. The definition isn't loaded.`, at };
}

function information(code: string, message: string, at: Entry['at']): Problem {
  return { severity: 'information', code, message, at };
}

function ignored({ name, at }: Entry, message: string): Problem {
  return { ...information('ignored', message, at), data: { kind: 'ignored', field: name } };
}

/** What a name that is no field may have been meant for. */
function nearFields(name: string): readonly string[] {
  return nearNames(name, FIELDS.filter(({ isOffered }) => isOffered).map((field) => field.name));
}

function isOneOf(value: Value, harmless: readonly unknown[]): boolean {
  return value.kind === 'scalar' && harmless.includes(value.value);
}

function ownEntry<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
