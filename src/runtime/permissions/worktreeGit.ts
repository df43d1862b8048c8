import { readGit } from './shellGit.ts';
import { isReadOnlyCommand } from './shellReadOnly.ts';

/** What changes nothing but the work tree, its index and its detached head. */
const OWN: ReadonlySet<string> = new Set([
  'add', 'rm', 'mv', 'commit', 'restore', 'reset', 'merge', 'cherry-pick', 'revert', 'am', 'apply', 'clean', 'format-patch', 'update-index', 'read-tree', 'write-tree', 'commit-tree', 'hash-object', 'checkout-index',
  'merge-file', 'merge-tree', 'range-diff', 'archive', 'diff-files', 'diff-index', 'mktree', 'stripspace', 'var', 'check-attr', 'check-ref-format', 'help', 'bisect', 'cherry', 'patch-id', 'ls-remote', 'clone',
]);
const READS_SETTINGS = /^(?:--get|--get-all|--get-regexp|--get-urlmatch|-l|--list|get|list)$/;
const MODULE_READERS = /^(?:status|summary)$/;
const DETACHES = /^(?:--detach|-d)$/;
const NAMES_FILES = /^(?:--|-p|--patch)$/;
const MAKES_BRANCH = /^(?:-(?!-)\w*[bBtcC]\w*$|--(?:or|t|cr|force-c))/;

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

/** Why a call of git would change what a worktree shares with the user's own, in a sentence; nothing where it doesn't. */
export function sharedChange(words: readonly string[]): string | undefined {
  const call = readGit(words.slice(1));
  if (!call) return `It can't be told what ${words.slice(0, 3).join(' ')} does.`;
  const { sub = '', rest } = call;
  if (sub === '' || readsWithGit(words) || OWN.has(sub)) return undefined;
  switch (sub) {
    case 'checkout':
      if (!rest.some((word) => MAKES_BRANCH.test(word)) && rest.some((word) => DETACHES.test(word) || NAMES_FILES.test(word))) return undefined;
      return 'git checkout may put your worktree on a branch of the user\'s. Use git switch --detach for a commit, git restore or git checkout -- for files.';
    case 'switch':
      if (!rest.some((word) => MAKES_BRANCH.test(word)) && rest.some((word) => DETACHES.test(word))) return undefined;
      return 'git switch would put your worktree on a branch of the user\'s. Use git switch --detach.';
    case 'rebase':
      if (!rest.some((word) => /^--(?:update-refs|root)/.test(word)) && rest.filter((word) => !word.startsWith('-')).length <= 1) return undefined;
      return 'Such a git rebase may move branches of the user\'s. Use git rebase with one commit.';
    case 'config':
      if (rest.some((word) => READS_SETTINGS.test(word))) return undefined;
      break;
    case 'submodule':
      if (MODULE_READERS.test(rest[0] ?? '')) return undefined;
      break;
  }
  return `git ${sub} would change what your worktree shares with the user's repository, such as branches, stashes and settings.`;
}
