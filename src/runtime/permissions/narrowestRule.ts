import { hostOf } from '../base/hosts.ts';
import { FAMILIES, PATTERN_KINDS } from './defaults.ts';
import { exactGlob } from './globs.ts';
import { covered } from './coverage.ts';
import { commandText } from './shellText.ts';
import { isRunningSubcommand, WITH_SUBCOMMANDS } from './shellWords.ts';
import type { CallSubject, SubjectTarget } from './subject.ts';

/**
 * The narrowest rule that covers a call from now on: the exact path, the prefix of program and sub-command (the
 * exact command for programs that have none), the host, or the tool's name where its calls touch nothing that a
 * rule could name. Nothing for compound commands, calls with several targets, and what no rule can express.
 */
export function narrowestRule(subject: CallSubject): string | undefined {
  const [target, ...others] = subject.targets;
  if (others.length > 0) return undefined;
  const rule = target === undefined ? nameRule(subject.tool) : ruleFor(subject.tool, target);
  return rule !== undefined && covered([rule], subject) ? rule : undefined;
}

/** A tool whose rules take a pattern is never offered whole. */
function nameRule(tool: string): string | undefined {
  return Object.hasOwn(PATTERN_KINDS, tool) ? undefined : tool;
}

function ruleFor(tool: string, target: SubjectTarget): string | undefined {
  switch (target.kind) {
    case 'path': {
      if (PATTERN_KINDS[tool] !== 'path') return undefined;
      const { inside, relative } = target.path;
      const pattern = inside ? exactGlob(relative) : `//${exactGlob(relative).replace(/^\//, '')}`;
      return `${FAMILIES['Edit']?.includes(tool) ? 'Edit' : 'Read'}(${pattern})`;
    }
    case 'command': {
      if (PATTERN_KINDS[tool] !== 'command' || !target.reading.ok) return undefined;
      const [only, ...more] = target.reading.parts;
      const pattern = only?.kind === 'command' && more.length === 0 ? commandPattern(only.words) : undefined;
      return pattern === undefined ? undefined : `${tool}(${pattern})`;
    }
    case 'url': {
      const url = PATTERN_KINDS[tool] === 'host' ? URL.parse(target.url) : null;
      const host = url === null ? undefined : hostOf(url);
      // A star in the name itself would mean every subdomain.
      return host === undefined || host.includes('*') ? undefined : `${tool}(domain:${host})`;
    }
  }
}

function commandPattern(words: readonly string[]): string | undefined {
  const [program = '', sub, script] = words;
  const isName = (word: string | undefined): word is string => word !== undefined && /^[A-Za-z][\w:-]*$/.test(word);
  if (WITH_SUBCOMMANDS.has(program) && isName(sub)) {
    if (!isRunningSubcommand(sub)) return `${program} ${sub}:*`;
    if (isName(script)) return `${program} ${sub} ${script}:*`;
  }
  const exact = commandText(words);
  // A star in the command itself would be a wildcard in the rule.
  return exact.includes('*') ? undefined : exact;
}
