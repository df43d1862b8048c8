import { UNKNOWN } from './shellText.ts';

/** A call of git taken apart. Without `sub` it has no sub-command. */
export interface GitCall {
  readonly globals: readonly { readonly name: string; readonly value?: string }[];
  readonly sub: string | undefined;
  readonly rest: readonly string[];
}

const FLAGS: ReadonlySet<string> = new Set([
  '-v', '--version', '-h', '--help', '-p', '--paginate', '-P', '--no-pager', '--bare', '--no-replace-objects', '--no-lazy-fetch', '--no-optional-locks', '--no-advice', '--literal-pathspecs', '--glob-pathspecs',
  '--noglob-pathspecs', '--icase-pathspecs', '--html-path', '--man-path', '--info-path', '--exec-path',
]);
/** The short ones and these take the next word, the long ones also one behind `=`. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--attr-source']);
const HARMLESS_SETTINGS = /^(?:(?:color|column|advice|core\.quotepath|log\.\w+|i18n\.\w+)(?:\.\w+)*)=/i;
/** They run other programs, or git with settings of their own. */
const RUNNERS: ReadonlySet<string> = new Set([
  'filter-branch', 'submodule--helper', 'send-email', 'remote-ext', 'remote-fd', 'for-each-repo', 'hook', 'instaweb', 'web--browse', 'daemon', 'cvsserver', 'difftool--helper',
]);
/** Options by which a sub-command is told what to run: short ones anywhere in a cluster, long ones by any beginning. */
const RUNNING_OPTIONS: readonly { readonly subs: readonly string[]; readonly short?: RegExp; readonly long: readonly string[] }[] = [
  { subs: ['rebase', 'difftool', 'mergetool'], short: /^-(?!-)[^]*x/, long: ['--exec', '--extcmd'] },
  { subs: ['grep'], short: /^-(?!-)[^]*O/, long: ['--open-files-in-pager'] },
  { subs: ['clone'], short: /^-(?!-)[^]*[uc]/, long: ['--upload-pack', '--config', '--template'] },
  { subs: ['init'], long: ['--template'] },
  { subs: ['fetch', 'pull', 'push', 'ls-remote', 'archive', 'fetch-pack', 'send-pack'], long: ['--upload-pack', '--receive-pack', '--exec'] },
];

/** Takes a call of git apart, its own options in order. Nothing where one of them isn't known, for then the rest can't be told. */
export function readGit(words: readonly string[]): GitCall | undefined {
  const globals: { name: string; value?: string }[] = [];
  let at = 0;
  for (; words[at]?.startsWith('-'); at++) {
    const word = words[at] ?? '';
    const [, name = word, value] = /^(--[^=]*)=([^]*)$/.exec(word) ?? [];
    if (value !== undefined && (WITH_VALUE.has(name) || name === '--exec-path')) globals.push({ name, value });
    else if (WITH_VALUE.has(word)) globals.push({ name: word, value: words[++at] ?? UNKNOWN });
    else if (FLAGS.has(word)) globals.push({ name: word });
    else return undefined;
  }
  return { globals, sub: words[at], rest: words.slice(at + 1) };
}

/** True for a setting, `name=value`, that only says how things are shown. */
export function isHarmlessSetting(setting: string): boolean {
  return HARMLESS_SETTINGS.test(setting);
}

/** Why git asks: settings on the command line, and sub-commands that are given a command, make it run other programs. */
export function problemOfGit(words: readonly string[]): string | undefined {
  const call = readGit(words);
  if (!call) return 'git has an option that is not known';
  return runsOther(call) ? 'git may be told to run another command' : undefined;
}

function runsOther({ globals, sub = '', rest }: GitCall): boolean {
  const isSetting = ({ name, value }: GitCall['globals'][number]): boolean =>
    name === '--config-env' || (name === '--exec-path' && value !== undefined) || (name === '-c' && !isHarmlessSetting(value ?? UNKNOWN));
  if (globals.some(isSetting) || RUNNERS.has(sub)) return true;
  if (sub === 'bisect' && rest[0] === 'run') return true;
  if (sub === 'submodule' && rest.includes('foreach')) return true;
  const isLong = (word: string, long: readonly string[]): boolean => word.length > 2 && word.startsWith('--') && long.some((name) => name.startsWith(word.replace(/=[^]*/, '')));
  return RUNNING_OPTIONS.some(({ subs, short, long }) => subs.includes(sub) && rest.some((word) => short?.test(word) === true || isLong(word, long)));
}
