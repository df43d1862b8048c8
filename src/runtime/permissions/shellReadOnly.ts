import { readGit } from './shellGit.ts';

/** What makes a program that reads do more: options by their beginning (long ones also cut short), or too many operands. */
interface ReadOnlyForm {
  readonly short?: RegExp;
  readonly long?: readonly string[];
  readonly allows?: (words: readonly string[]) => boolean;
}

const FREE: ReadOnlyForm = {};
const ALWAYS = [
  'ls', 'cat', 'head', 'tail', 'wc', 'nl', 'cut', 'tr', 'comm', 'cmp', 'paste', 'fold', 'rev', 'tac', 'stat', 'du', 'df', 'pwd', 'cd', 'echo', 'printf', 'true', 'false', ':', 'test', '[', '[[',
  'basename', 'dirname', 'realpath', 'readlink', 'which', 'type', 'whoami', 'id', 'uname', 'seq', 'md5sum', 'sha1sum', 'sha256sum', 'sha512sum', 'cksum', 'b2sum', 'grep', 'egrep', 'fgrep', 'jq', 'diff',
  // What they run is judged for itself.
  'time', 'timeout', 'nice', 'command',
];
const FORMS: ReadonlyMap<string, ReadOnlyForm> = new Map<string, ReadOnlyForm>([
  ...ALWAYS.map((program) => [program, FREE] as const),
  ['rg', { short: /^-(?!-)[^]*z/, long: ['--pre', '--hostname-bin', '--search-zip'] }],
  ['sort', { short: /^-(?!-)[^]*[oT]/, long: ['--output', '--compress-program', '--temporary-directory'] }],
  ['uniq', { allows: (words) => operandsOf(words).length <= 1 }],
  ['tree', { short: /^-(?!-)[^]*[oR]/, long: ['--output'] }],
  ['file', { short: /^-(?!-)[^]*C/, long: ['--compile'] }],
  ['date', { allows: (words) => words.every((word) => /^(?:\+[^]*|-u|-R|--utc|-I\w*|--iso-8601(?:=\w+)?)$/.test(word)) }],
  ['find', { short: /^-(?:exec|ok|delete|fprint|fls)/ }],
  ['fd', { short: /^-(?!-)[^]*[xX]/, long: ['--exec', '--exec-batch'] }],
  ['git', { allows: isReadOnlyGit }],
]);

const GIT_READERS: ReadonlySet<string> = new Set([
  'status', 'log', 'diff', 'show', 'blame', 'annotate', 'describe', 'shortlog', 'rev-parse', 'rev-list', 'ls-files', 'ls-tree', 'merge-base', 'name-rev', 'cat-file', 'grep', 'count-objects', 'diff-tree', 'for-each-ref', 'show-ref', 'whatchanged', 'version', 'check-ignore',
]);
const GIT_WRITING_OPTIONS = ['--output', '--ext-diff', '--textconv', '--filters', '--open-files-in-pager', '--paginate', '--exec-path', '--config-env', '--upload-pack'];
/** Sub-commands that read only with these words. */
const GIT_LISTS: Readonly<Record<string, RegExp>> = {
  branch: /^(?:-a|-r|-v|-vv|--all|--remotes|--list|--show-current)$/,
  tag: /^(?:-l|--list)$/,
  remote: /^(?:-v|--verbose)$/,
  stash: /^list$/,
  worktree: /^list$/,
  reflog: /^show$/,
};

/** True for a command that is known to change nothing: only plain names of programs, in forms that neither write nor run anything. In doubt false. */
export function isReadOnlyCommand(words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  const form = FORMS.get(program);
  return form !== undefined && (form.allows?.(rest) ?? true) && !hasOption(rest, form.short, form.long);
}

/** GNU programs and git take long options cut short, so any beginning of one counts. */
function hasOption(words: readonly string[], short?: RegExp, long: readonly string[] = []): boolean {
  return words.some((word) => short?.test(word) === true || (word.length > 2 && word.startsWith('--') && long.some((option) => option.startsWith(word.replace(/=[^]*/, '')))));
}

/** A lone `-` is an operand, and so is everything behind `--`. */
function operandsOf(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  const options = end < 0 ? words : words.slice(0, end);
  return [...options.filter((word) => word === '-' || !word.startsWith('-')), ...(end < 0 ? [] : words.slice(end + 1))];
}

function isReadOnlyGit(words: readonly string[]): boolean {
  const call = readGit(words);
  // In another folder lies perhaps a repository with settings that run programs.
  if (!call || !call.globals.every(({ name }) => /^(?:--no-pager|-P|--no-optional-locks|--version)$/.test(name))) return false;
  const { sub, rest } = call;
  if (sub === undefined) return call.globals.some(({ name }) => name === '--version');
  if (hasOption(rest, undefined, GIT_WRITING_OPTIONS) || (sub === 'grep' && rest.some((word) => /^-(?!-)[^]*O/.test(word)))) return false;
  if (GIT_READERS.has(sub)) return true;
  const list = Object.hasOwn(GIT_LISTS, sub) ? GIT_LISTS[sub] : undefined;
  // Alone, `git stash` stashes and `git worktree` says how it is used.
  return list !== undefined && rest.every((word) => list.test(word)) && (rest.length > 0 || sub !== 'stash');
}
