/**
 * One harmless way to call git in a worktree. Everything that no form describes is refused, an option that is cut
 * short among it.
 */
export interface GitForm {
  /** The sub-command, perhaps with the word that has to follow it. */
  readonly call: string;
  /** Where it is true, whatever git takes there changes nothing but the worktree: then words may be known to the shell alone. */
  readonly anyWords?: true;
  /** Options that it may have: `-a` without a value, `-m=` with one, `-U?` with one only right behind it, `-#` a number. */
  readonly options?: string;
  /** At least one of these has to be among them. They count as options. */
  readonly needs?: string;
  /** What else it may name. `files`: at least one behind `--`, and at most one word before. `setting`: one name with a dot in it. Default `any`. */
  readonly operands?: 'any' | 'none' | 'one' | 'files' | 'setting';
}

const COMPARES =
  '-p -u -U= --unified= --patch --no-patch -s --raw --stat? --numstat --shortstat --summary --name-only --name-status --diff-filter= --cached --merge-base -M? -C? --find-renames? --no-renames -R -a -w -b -z -r -q --quiet ' +
  '--exit-code --color? --no-color --abbrev? --full-index --binary --text';
const RESUMES = '--continue --abort --quit --skip';
const REMOTES = '-q --quiet --tags -t --heads -h --branches -b --refs --exit-code --get-url --symref --sort=';
const NAMES_HELD = '--contains --no-contains --merged --no-merged --points-at --sort= --format= --column? --no-column --color? --no-color -i --ignore-case';
const SETTINGS_READ = '-z --null --name-only --show-origin --show-scope --show-names --type= --bool --int --path --local --global --system --worktree --includes --no-includes --default= --all --regexp --fixed-value --value= --url=';
const GOES = '-q --quiet -f --force -m --merge --conflict= --progress --no-progress';

export const GIT_FORMS: readonly GitForm[] = [
  // They change files, the index and the detached head, whatever their options.
  ...['add', 'rm', 'mv', 'commit', 'restore', 'reset', 'clean', 'cherry-pick', 'revert'].map((call) => ({ call, anyWords: true }) as const),

  // They go to a commit, or take files of one: never to a branch.
  { call: 'checkout', needs: '-d --detach', options: GOES, operands: 'one' },
  { call: 'checkout', options: `${GOES} --ours --theirs --overlay --no-overlay -2 -3`, operands: 'files' },
  { call: 'switch', needs: '-d --detach', options: `${GOES} --discard-changes --no-guess`, operands: 'one' },
  { call: 'bisect start', options: '--term-new= --term-bad= --term-old= --term-good= --no-checkout --first-parent' },
  ...['good', 'bad', 'new', 'old', 'skip', 'next', 'log', 'terms'].map((word) => ({ call: `bisect ${word}`, options: '--term-good --term-bad --term-new --term-old' }) as const),
  { call: 'bisect reset', operands: 'none' },

  // They make commits on the detached head. A second word would be a branch to rebase.
  {
    call: 'rebase',
    options: `${RESUMES} --onto= -q --quiet -v --verbose -i --interactive -m --merge -s= --strategy= -X= --strategy-option= -f --force-rebase --no-ff --keep-base --autosquash --no-autosquash --no-autostash --no-update-refs --fork-point --no-fork-point -r? --rebase-merges? --signoff -S? --gpg-sign? --no-gpg-sign --no-verify --stat -n --no-stat --empty= --keep-empty --reapply-cherry-picks --committer-date-is-author-date --reset-author-date --show-current-patch`,
    operands: 'one',
  },
  {
    call: 'merge',
    options: `${RESUMES} -m= -F= --file= --message= --no-commit --commit --no-edit -e --edit --ff --no-ff --ff-only --squash --no-squash -s= --strategy= -X= --strategy-option= --stat -n --no-stat --log? --no-log -q --quiet -v --verbose --signoff -S? --gpg-sign? --no-gpg-sign --no-verify --allow-unrelated-histories --no-autostash --into-name= --progress --no-progress`,
  },
  {
    call: 'am',
    options: `${RESUMES} --resolved -r -3 --3way -k --keep --keep-cr -c --scissors --no-scissors -q --quiet -s --signoff -u --utf8 -m --message-id --ignore-whitespace --ignore-space-change --whitespace= -C= -p= --directory= --exclude= --include= --reject --no-verify --ignore-date --committer-date-is-author-date --empty= --allow-empty --patch-format= -S? --no-gpg-sign --show-current-patch?`,
  },
  {
    call: 'apply',
    options: '--stat --numstat --summary --check --index --cached -3 --3way --ours --theirs --union -R --reverse --reject -z -p= -C= --unidiff-zero --apply --no-add --allow-binary-replacement --binary --allow-empty --exclude= --include= --ignore-space-change --ignore-whitespace --whitespace= --inaccurate-eof -v --verbose -q --quiet --recount --directory= --intent-to-add -N',
  },
  { call: 'format-patch', options: `${COMPARES} -# -o= --output-directory= --stdout -n --numbered -N --no-numbered -k --keep-subject --signoff --cover-letter --start-number= --subject-prefix= -v= --reroll-count= --root --base= --zero-commit --no-stat --suffix= --numbered-files` },
  { call: 'archive', options: '-# --format= -o= --output= --prefix= -l --list -v --verbose --worktree-attributes' },
  { call: 'clone', options: '-q --quiet -v --verbose -n --no-checkout --bare --mirror -l --local --no-local --no-hardlinks -b= --branch= -o= --origin= --depth= --single-branch --no-single-branch --no-tags --filter= --sparse --progress' },

  // The parts that git is made of.
  { call: 'update-index', options: '--add --remove --force-remove --refresh --really-refresh -q --quiet --ignore-missing --replace --chmod= --cacheinfo= --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree -g --again --unresolve --info-only --stdin -z --index-info --verbose' },
  { call: 'read-tree', options: '-m --reset -u -i -n --dry-run -v -q --quiet --prefix= --empty --aggressive --trivial --no-sparse-checkout' },
  { call: 'write-tree', options: '--missing-ok --prefix=' },
  { call: 'commit-tree', options: '-p= -m= -F= -S? --gpg-sign? --no-gpg-sign' },
  { call: 'hash-object', options: '-w -t= --stdin --stdin-paths --path= --no-filters --literally' },
  { call: 'mktree', options: '-z --missing --batch' },
  { call: 'checkout-index', options: '-a --all -f --force -q --quiet -n --no-create -u --index --prefix= --stage= --temp --stdin -z' },
  { call: 'merge-file', options: '-p --stdout -q --quiet -L= --diff3 --zdiff3 --ours --theirs --union --marker-size= --object-id' },
  { call: 'merge-tree', options: '--write-tree --trivial-merge --name-only --messages --no-messages -z --stdin --merge-base= --allow-unrelated-histories -X= --strategy-option=' },

  // They only read, in forms that aren't free of questions elsewhere.
  { call: 'diff-files', options: `${COMPARES} -0 -1 -2 -3` },
  { call: 'diff-index', options: `${COMPARES} -m` },
  { call: 'range-diff', options: `${COMPARES} --creation-factor= --no-dual-color --dual-color --left-only --right-only` },
  { call: 'cherry', options: '-v --abbrev?' },
  { call: 'patch-id', options: '--stable --unstable --verbatim' },
  { call: 'stripspace', options: '-s --strip-comments -c --comment-lines' },
  { call: 'var', options: '-l' },
  { call: 'check-attr', options: '-a --all --cached --stdin -z --source=' },
  { call: 'check-ref-format', options: '--branch --normalize --allow-onelevel --no-allow-onelevel --refspec-pattern' },
  { call: 'symbolic-ref', options: '-q --quiet --short --recurse --no-recurse', operands: 'one' },
  { call: 'ls-remote', options: REMOTES },
  { call: 'branch', needs: '-l --list --contains --no-contains --merged --no-merged --points-at', options: `${NAMES_HELD} -a --all -r --remotes -v -vv --verbose --abbrev? --no-abbrev` },
  { call: 'tag', needs: '-l --list --contains --no-contains --merged --no-merged --points-at', options: `${NAMES_HELD} -n?` },
  { call: 'remote get-url', options: '--push --all' },
  { call: 'stash list', options: `${COMPARES} -# -n= --oneline --format= --pretty? --date=` },
  { call: 'stash show', options: `${COMPARES} --include-untracked --only-untracked` },
  { call: 'worktree list', options: '-v --verbose --porcelain -z' },
  { call: 'reflog', options: '-# -n= --oneline --format= --pretty? --date=', operands: 'none' },
  { call: 'reflog show', options: '-# -n= --oneline --format= --pretty? --date=' },
  { call: 'submodule status', options: '--cached --recursive -q --quiet' },
  { call: 'submodule summary', options: '--cached --files -n= --summary-limit=' },
  { call: 'config', needs: '--get --get-all --get-regexp --get-urlmatch -l --list', options: SETTINGS_READ },
  { call: 'config', options: SETTINGS_READ, operands: 'setting' },
  { call: 'config get', options: SETTINGS_READ },
  { call: 'config list', options: SETTINGS_READ },
];
