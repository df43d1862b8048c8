import { hostOf } from '../base/hosts.ts';
import { FAMILIES } from './defaults.ts';
import type { Rule, RulePattern } from './rules.ts';
import { commandText, isLiteral, leadingOptions, programName, UNKNOWN } from './shellText.ts';
import type { Unit } from './subject.ts';
import { wildcard } from './wildcards.ts';

/** Whether a rule speaks for a call (`allow`) or against it (`restrict`). In doubt the first doesn't match and the second does. */
export type RuleUse = 'allow' | 'restrict';

type CommandPattern = Extract<RulePattern, { kind: 'command' }>;

/** True when the rule says something about this part of a call of the tool. `input`: the call's, for rules about its fields. */
export function matches(rule: Rule, callTool: string, unit: Unit, use: RuleUse, input?: unknown): boolean {
  if (!bindsTool(rule, toolOf(unit, callTool), unit, use)) return false;
  const { pattern } = rule;
  // Not even a rule for the whole tool allows a command that couldn't be read.
  if (!pattern) return use === 'restrict' || unit.kind !== 'opaque';
  if (pattern.kind === 'input') return use === 'allow' ? unit.kind === 'call' && pattern.allows(input) : pattern.restricts(input);
  if (unit.kind === 'call') return use === 'restrict';
  switch (pattern.kind) {
    case 'path':
      return unit.kind === 'path' && (use === 'allow' ? pattern.allows(unit.path) : pattern.restricts(unit.path));
    case 'command':
      if (unit.kind === 'opaque') return use === 'restrict' && mayMatch(pattern, unit);
      return unit.kind === 'command' && spellings(unit.words, use).some((text) => pattern.matches(text, use === 'restrict'));
    case 'host':
      return unit.kind === 'url' && matchesHost(unit.url, (host) => pattern.matches(host, use === 'restrict'), use);
  }
}

/** The tool whose rules count for this part of a call. */
export function toolOf(unit: Unit, callTool: string): string {
  return (unit.kind === 'path' ? unit.as : undefined) ?? callTool;
}

function bindsTool(rule: Rule, tool: string, unit: Unit, use: RuleUse): boolean {
  // A limit that is written in another case is still one.
  const anyCase = use === 'restrict';
  const isNamed = (name: string): boolean => rule.tool === name || (anyCase && rule.tool.toLowerCase() === name.toLowerCase());
  if (isNamed(tool) || (rule.tool.includes('*') && wildcard(rule.tool)(tool, anyCase))) return true;
  if (Object.entries(FAMILIES).some(([name, members]) => members.includes(tool) && isNamed(name))) return true;
  // A limit on reading or editing binds whatever tool reads or edits, not only the built-in ones.
  return use === 'restrict' && unit.kind === 'path' && isNamed(unit.access === 'read' ? 'Read' : 'Edit');
}

/** The texts that a pattern is compared with. A limit also sees through quotes, the program's folder and leading options. */
function spellings(words: readonly string[], use: RuleUse): readonly string[] {
  if (use === 'allow') return [commandText(words)];
  const [first = '', ...rest] = words;
  return [first, programName(first)].flatMap((program) => [
    commandText([program, ...rest]),
    [program, ...rest].join(' '),
    ...withoutOptions(rest).map((each) => [program, ...each].join(' ')),
  ]);
}

/** `-C x push` as `x push` and `push`: an option may or may not take the word after it. */
function withoutOptions(words: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: leadingOptions(words) }, (_, index) => words.slice(index + 1));
}

/** Whether a limit may be meant for a command that isn't known in full. */
function mayMatch(pattern: CommandPattern, { command, words }: Extract<Unit, { kind: 'opaque' }>): boolean {
  if (words.length === 0) return mentions(command, pattern.text) || mentions(command.replace(/\\\n|["'\\]/g, ''), pattern.text);
  return spellings(words, 'restrict').some((text) => pattern.matches(text, true) || (!isLiteral(text) && mayStart(pattern, text.toLowerCase())));
}

/** Whether a text of which the part up to `UNKNOWN` is known may turn out to match. */
function mayStart(pattern: CommandPattern, text: string): boolean {
  const known = text.slice(0, text.indexOf(UNKNOWN));
  const fixed = pattern.text.toLowerCase().replace(/:\*$/, '');
  const star = fixed.indexOf('*');
  if (star >= 0) return fixed.slice(0, star).startsWith(known) || known.startsWith(fixed.slice(0, star));
  return fixed.startsWith(known) || pattern.matches(known.trimEnd(), true);
}

/** True when a command that can't be read holds the pattern's first word as a word, or the pattern starts with a wildcard. */
function mentions(command: string, pattern: string): boolean {
  const word = /^[^\s*:]*/.exec(pattern)?.[0] ?? '';
  if (word === '') return true;
  const literal = programName(word).replace(/[^A-Za-z0-9_]/g, '\\$&');
  return new RegExp(`(?<![A-Za-z0-9_-])${literal}(?![A-Za-z0-9_-])`, 'i').test(command);
}

function matchesHost(url: string, test: (host: string) => boolean, use: RuleUse): boolean {
  const parsed = URL.parse(url);
  const host = parsed === null ? undefined : hostOf(parsed);
  return host === undefined ? use === 'restrict' : test(host);
}
