import { isAddress, readHost } from '../base/hosts.ts';
import { PATTERN_KINDS, patternKind } from './defaults.ts';
import { pathPattern, type PathPattern } from './globs.ts';
import { inputPattern, type InputPattern } from './inputPattern.ts';
import { prefixOrWildcard, wildcard } from './wildcards.ts';

export type RulePattern =
  | PathPattern
  | InputPattern
  | { readonly kind: 'command'; readonly text: string; matches(command: string, anyCase: boolean): boolean }
  | { readonly kind: 'host'; matches(host: string, broad: boolean): boolean };

/** A rule that was understood. Without a pattern it means the whole tool. */
export interface Rule {
  readonly text: string;
  /** A tool name, perhaps with `*`. */
  readonly tool: string;
  readonly pattern?: RulePattern;
}

/** `guard`: the whole tool that a rule which can't be read seems to mean, so that a broken limit isn't a hole. */
export type ParsedRule =
  | { readonly ok: true; readonly rule: Rule }
  | { readonly ok: false; readonly text: string; readonly problem: string; readonly guard: Rule };

const MAX_LENGTH = 4096;
const NAME = /^[A-Za-z0-9_.\-*]+$/;
const parsed = new Map<string, ParsedRule>();

/**
 * Reads a rule such as `Read`, `mcp__github__*`, `Bash(git status:*)`, `Edit(src/**)`, `WebFetch(domain:example.org)`,
 * `mcp__github__*(repo:acme/*)`.
 * A rule that can't be read is a problem in words, never an error that is thrown.
 */
export function parseRule(text: string): ParsedRule {
  const known = parsed.get(text);
  if (known) return known;
  const result = read(text);
  // Rules are few; the bound is for a host that makes them up without end.
  if (parsed.size > 5000) parsed.clear();
  parsed.set(text, result);
  return result;
}

function read(text: string): ParsedRule {
  const fail = (problem: string): ParsedRule => ({ ok: false, text, problem, guard: { text, tool: /^\s*([A-Za-z0-9_.\-*]+)/.exec(text)?.[1] ?? '*' } });
  if (text.length > MAX_LENGTH) return fail(`the rule is longer than ${MAX_LENGTH} characters`);
  const trimmed = text.trim();
  if (trimmed === '') return fail('the rule is empty');
  const open = trimmed.indexOf('(');
  const tool = open < 0 ? trimmed : trimmed.slice(0, open);
  if (!NAME.test(tool)) return fail('a tool name has only letters, digits, "_", "-", "." and "*"');
  if (open < 0) return { ok: true, rule: { text, tool } };
  if (!trimmed.endsWith(')')) return fail('the closing ")" is missing');
  const inner = trimmed.slice(open + 1, -1).trim();
  if (inner === '') return fail('the pattern is empty');
  const pattern = patternOf(tool, inner);
  return typeof pattern === 'string' ? fail(pattern) : { ok: true, rule: { text, tool, pattern } };
}

function patternOf(tool: string, inner: string): RulePattern | string {
  const meant = tool.includes('*') ? Object.keys(PATTERN_KINDS).find((name) => wildcard(tool)(name, true)) : undefined;
  if (meant !== undefined) return `a pattern means something else for each tool; write "${meant}" in full`;
  switch (patternKind(tool)) {
    case 'input':
      return inputPattern(inner);
    case 'path':
      return pathPattern(inner);
    case 'command':
      return commandPattern(inner);
    case 'host':
      return hostPattern(inner);
  }
}

function commandPattern(text: string): RulePattern | string {
  const matches = prefixOrWildcard(text);
  return matches === undefined ? 'the prefix is empty; use "Bash" for the whole tool' : { kind: 'command', text, matches };
}

function hostPattern(text: string): RulePattern | string {
  const given = /^domain:(.+)$/.exec(text)?.[1]?.trim();
  if (given === undefined) return 'the pattern must be "domain:" and a host name';
  const withSubdomains = given.startsWith('*.');
  const host = readHost(withSubdomains ? given.slice(2) : given);
  if (host === undefined) return 'it is no host: that is a name or an IP address, with no "*" but at its start ("*.example.org"), no empty parts, no port and no path';
  if (withSubdomains && isAddress(host)) return 'nothing is under an IP address; leave out "*."';
  return {
    kind: 'host',
    matches: (actual, broad) => {
      const same = actual === host;
      const under = actual.endsWith(`.${host}`);
      return withSubdomains ? under || (broad && same) : same || (broad && under);
    },
  };
}
