import type { Problem } from './frontmatter.ts';
import type { Entry, Value } from './values.ts';

/** Fields that a later version will read, and whose absence costs comfort only. */
const LATER = new Set(['skills', 'mcpServers', 'color', 'effort', 'maxDuration', 'resultSchema']);

/** Fields that take rights away, with the values that take none: ignoring any other value would widen rights. */
const RESTRICTING: Readonly<Record<string, readonly unknown[]>> = {
  readOnly: [false],
  isolation: [null, false, 'none'],
  permissionMode: [null, 'default', 'acceptEdits', 'auto', 'bypassPermissions'],
};

/** What someone may have written for a field that takes rights away, compared without case, `-` and `_`. */
const MISSPELT: Readonly<Record<string, string>> = {
  tool: 'tools', tools: 'tools', allowedtools: 'tools', allowtools: 'tools',
  disallowedtool: 'disallowedTools', disallowedtools: 'disallowedTools', disallowtools: 'disallowedTools', deniedtools: 'disallowedTools', excludetools: 'disallowedTools',
  permission: 'permission', permissions: 'permission',
  readonly: 'readOnly', isolation: 'isolation', onask: 'permission.onAsk', delegable: 'delegable', disablemodelinvocation: 'disable-model-invocation',
};

/**
 * What to say about a field that isn't read. Information for one that can be ignored; an error where ignoring it
 * would give the agent more than its author meant.
 */
export function judgeUnreadField(entry: Entry): Problem {
  const { name, at } = entry;
  const harmless = Object.hasOwn(RESTRICTING, name) ? RESTRICTING[name] : undefined;
  if (harmless) {
    return isOneOf(entry.value, harmless)
      ? { severity: 'information', code: 'unsupported', message: `\`${name}\` is not supported yet, ignored.`, at }
      : { severity: 'error', code: 'unsupported', message: `\`${name}\` is not supported yet, and ignoring it would give the agent more rights than meant. The definition isn't loaded.`, at };
  }
  if (LATER.has(name)) return { severity: 'information', code: 'unsupported', message: `\`${name}\` is not supported yet, ignored.`, at };
  const folded = name.toLowerCase().replace(/[-_\s]/g, '');
  const meant = Object.hasOwn(MISSPELT, folded) ? MISSPELT[folded] : undefined;
  if (meant) {
    return { severity: 'error', code: 'misspelt', message: `\`${name}\` is not a field. Did you mean \`${meant}\`? Ignoring it would give the agent more rights than meant.`, at };
  }
  return { severity: 'information', code: 'unknown_field', message: `\`${name}\` is not a field of a definition, ignored.`, at };
}

function isOneOf(value: Value, harmless: readonly unknown[]): boolean {
  return value.kind === 'scalar' && harmless.includes(value.value);
}
