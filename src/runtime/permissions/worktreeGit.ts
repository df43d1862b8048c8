import { isHarmlessSetting, readGit, type GitCall } from './shellGit.ts';
import { isReadOnlyCommand } from './shellReadOnly.ts';
import { isLiteral } from './shellText.ts';
import { GIT_FORMS, type GitForm } from './worktreeGitForms.ts';

/** Settings on the command line that say who commits, and that nobody is to be asked. */
const OWN_SETTING = /^(?:user\.(?:name|email)=[^]*|(?:commit|tag)\.gpgsign=\w*|core\.pager=cat|core\.editor=(?:true|:))$/i;
const HINTS: Readonly<Record<string, string>> = {
  checkout: 'git checkout may put your worktree on a branch of the user\'s. Use git switch --detach for a commit, git restore or git checkout -- for files.',
  switch: 'git switch would put your worktree on a branch of the user\'s. Use git switch --detach with one commit.',
  rebase: 'Such a git rebase may move branches of the user\'s. Use git rebase with one commit, and nothing that it runs.',
  bisect: 'Such a git bisect may put your worktree on a branch of the user\'s, or runs a command. Use git bisect start, good, bad, skip, and reset without a commit.',
};

/** What a call of git is told to work in: folders, one in the other. `elsewhere`: it is told to use another repository. */
export interface GitPlace {
  readonly folders: readonly string[];
  readonly elsewhere: boolean;
}

/** Nothing where it can't be told. */
export function placeOfGit(words: readonly string[]): GitPlace | undefined {
  const call = readGit(words.slice(1));
  if (!call) return undefined;
  return {
    folders: call.globals.flatMap(({ name, value }) => (name === '-C' && value !== undefined ? [value] : [])),
    elsewhere: call.globals.some(({ name }) => name === '--git-dir' || name === '--work-tree' || name === '--namespace' || name === '--bare'),
  };
}

/** True for a call that is known to only read, wherever. */
export function readsWithGit(words: readonly string[]): boolean {
  const call = readGit(words.slice(1));
  return call !== undefined && isReadOnlyCommand(['git', ...(call.sub === undefined ? ['--version'] : [call.sub]), ...call.rest]);
}

/** Why a call of git would change what a worktree shares with the user's own, in a sentence; nothing where it is known not to. */
export function sharedChange(words: readonly string[]): string | undefined {
  const call = readGit(words.slice(1));
  if (!call) return `It can't be told what ${words.slice(0, 3).join(' ')} does.`;
  const { globals, sub = '', rest } = call;
  if (globals.some(isSteering)) return 'git would be told by its first options what to run, or what to work on. Leave them out.';
  if (sub === '' || readsWithGit(words)) return undefined;
  const forms = GIT_FORMS.filter(({ call: name }) => name === sub || name.startsWith(`${sub} `));
  if (forms.some((form) => fits(form, [sub, ...rest]))) return undefined;
  const hint = Object.hasOwn(HINTS, sub) ? HINTS[sub] : undefined;
  if (hint !== undefined) return hint;
  const harm = 'change what your worktree shares with the user\'s repository, such as branches, stashes and settings';
  return forms.length === 0 ? `git ${isLiteral(sub) ? sub : '…'} would ${harm}.` : `git ${sub} with these words may ${harm}. Use it in a plain form, with all its words and options written out.`;
}

function isSteering({ name, value = '' }: GitCall['globals'][number]): boolean {
  if (name === '-c') return !isLiteral(value) || (!isHarmlessSetting(value) && !OWN_SETTING.test(value));
  return name === '--config-env' || name === '--attr-source' || (name === '--exec-path' && value !== '');
}

function fits(form: GitForm, words: readonly string[]): boolean {
  const call = form.call.split(' ');
  if (!call.every((word, index) => words[index] === word)) return false;
  if (form.anyWords) return true;
  const read = readWords(words.slice(call.length), kindsOf(`${form.options ?? ''} ${form.needs ?? ''}`));
  if (!read) return false;
  const { options, before, behind } = read;
  if (form.needs !== undefined && !form.needs.split(' ').some((option) => options.has(option))) return false;
  const operands = [...before, ...(behind ?? [])];
  switch (form.operands ?? 'any') {
    case 'any':
      return true;
    case 'none':
      return operands.length === 0;
    case 'one':
      return operands.length <= 1 && operands.every(isLiteral);
    case 'setting':
      return operands.length === 1 && /\w\.\w/.test(operands[0] ?? '');
    case 'files':
      // What only the shell knows may be no word at all, and without a file it would go to a branch.
      return before.length <= 1 && (behind ?? []).some((word) => word !== '' && isLiteral(word));
  }
}

type OptionKind = 'flag' | 'value' | 'attached';

function kindsOf(options: string): ReadonlyMap<string, OptionKind> {
  const kinds: Readonly<Record<string, OptionKind>> = { '=': 'value', '?': 'attached' };
  return new Map(options.split(' ').filter(Boolean).map((option) => [option.replace(/[=?]$/, ''), kinds[option.at(-1) ?? ''] ?? 'flag']));
}

interface ReadWords {
  readonly options: ReadonlySet<string>;
  /** Operands before and behind `--`. */
  readonly before: readonly string[];
  readonly behind?: readonly string[];
}

/** Nothing where a word may be an option that isn't known. */
function readWords(words: readonly string[], kinds: ReadonlyMap<string, OptionKind>): ReadWords | undefined {
  const [options, before] = [new Set<string>(), [] as string[]];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return { options, before, behind: words.slice(at + 1) };
    if (!isLiteral(word)) return undefined;
    if (!word.startsWith('-') || word === '-') {
      before.push(word);
      continue;
    }
    const found = word.startsWith('--') ? longOption(word, kinds) : shortOptions(word, kinds);
    if (!found) return undefined;
    for (const name of found.names) options.add(name);
    if (found.takesNext && !isLiteral(words[++at] ?? '')) return undefined;
  }
  return { options, before };
}

interface FoundOptions {
  readonly names: readonly string[];
  readonly takesNext: boolean;
}

function longOption(word: string, kinds: ReadonlyMap<string, OptionKind>): FoundOptions | undefined {
  const [name = '', ...value] = word.split('=');
  const kind = kinds.get(name);
  if (kind === undefined || (kind === 'flag' && value.length > 0)) return undefined;
  return { names: [name], takesNext: kind === 'value' && value.length === 0 };
}

/** Several may stand behind one `-`, the last one with its value. */
function shortOptions(word: string, kinds: ReadonlyMap<string, OptionKind>): FoundOptions | undefined {
  if (kinds.has(word)) return { names: [word], takesNext: kinds.get(word) === 'value' };
  if (/^-\d+$/.test(word)) return kinds.has('-#') ? { names: ['-#'], takesNext: false } : undefined;
  const names: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const name = `-${word[at] ?? ''}`;
    const kind = kinds.get(name);
    if (kind === undefined) return undefined;
    names.push(name);
    if (kind !== 'flag') return { names, takesNext: kind === 'value' && at === word.length - 1 };
  }
  return { names, takesNext: false };
}
