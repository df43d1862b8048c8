import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { reachOut } from '../../../src/runtime/permissions/confinement.ts';
import { resolveTarget } from '../../../src/runtime/permissions/paths.ts';
import { readCommand } from '../../../src/runtime/permissions/shell.ts';
import type { CallSubject } from '../../../src/runtime/permissions/subject.ts';
import type { PathScope } from '../../../src/runtime/domain/ports.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

describe('an agent with a worktree', function () {
  this.timeout(20_000);
  let base: { readonly path: string; remove(): Promise<void> };
  let scope: PathScope;
  let main: string;

  before(async () => {
    base = await temporaryFolder();
    main = join(base.path, 'main');
    const top = join(base.path, 'storage/worktrees/agent-1');
    for (const folder of [join(main, '.git'), join(top, 'src'), join(base.path, 'main-other')]) await mkdir(folder, { recursive: true });
    await writeFile(join(main, 'a.txt'), '');
    await symlink(main, join(top, 'linked'));
    await symlink(base.path, join(top, 'up'));
    scope = { cwd: top, roots: [top, main], ownFolders: [], worktree: { folder: top, top, standsFor: main, protects: [main, join(main, '.git')], home: base.path } };
  });
  after(() => base.remove());

  const judge = async (command: string): Promise<string | undefined> => {
    const reading = await readCommand(command.replaceAll('MAIN', main));
    const files = reading.ok ? reading.parts.flatMap((part) => (part.kind === 'file' ? [part] : [])) : [];
    const subject: CallSubject = {
      tool: 'Bash', isReadOnly: false, actsOnRun: false,
      targets: [{ kind: 'command', command: command.replaceAll('MAIN', main), reading, files: await Promise.all(files.map(async ({ access, path }) => ({ access, path: await resolveTarget(path, scope) }))) }],
    };
    assert.ok(scope.worktree);
    return reachOut(subject, scope.worktree, scope.cwd);
  };

  const names = (count: number): string => Array.from({ length: count }, (_, index) => `f${index}`).join(' ');

  const free = [
    'npm test', 'echo x > src/new.txt', 'rm -rf src', 'cd src && touch x', 'cd src && cd .. && touch x', 'mkdir -p a/b && mv src a/b', 'cat MAIN/a.txt', 'cat MAIN/a.txt > copy.txt', 'ls -la MAIN && git status', 'grep -rn x MAIN/src', 'diff a.txt MAIN/a.txt', 'touch ../../../main-other/x', 'cp MAIN-other/x .',
    'git add -A && git commit -q -m "x"', 'git commit --amend --no-edit', 'git restore a.txt', 'git checkout -- a.txt', 'git checkout --detach HEAD~1', 'git switch --detach main', 'git rebase main', 'git merge main', 'git cherry-pick abc', 'git reset --hard HEAD~1', 'git branch --list', 'git stash list', 'git config --get user.name',
    'git log --oneline main..HEAD', 'git -C src log', 'git -C MAIN log', 'git -C MAIN status', 'git clean -fdx', 'git diff main', 'git remote -v', 'git submodule status', 'git worktree list',
  ];
  for (const command of free) {
    it(`may as far as its worktree goes: ${command}`, async () => {
      assert.equal(await judge(command), undefined);
    });
  }

  const freeGit = [
    'commit -qam "x" --no-verify', 'commit -m "$(cat note)"', 'add *.ts', 'add -f x.log', 'rm -r --cached src', 'mv a b', 'reset -q --soft HEAD~1', 'reset --hard $commit', 'restore --source=main -- a.txt', 'clean -fdxq', 'cherry-pick -x abc', 'revert --no-edit HEAD', 'merge --no-ff -m x main', 'merge --abort',
    'rebase --onto main HEAD~2', 'rebase --continue', 'rebase -q -X theirs main', 'checkout -q main -- src a.txt', 'checkout --ours -- a.txt', 'checkout -q --detach main', 'switch -qd main', 'bisect start HEAD main', 'bisect good', 'bisect reset', 'apply --index -p1 x.patch', 'am -3 x.patch', 'format-patch -o out -1', 'format-patch -3 --stdout',
    'branch --contains HEAD', 'branch -a --list "x*"', 'tag -l "v*"', 'tag -n3 --list', 'config user.name', 'config get user.name', 'config --list --show-origin', 'symbolic-ref -q HEAD', 'reflog -n 5', 'stash show -p', 'worktree list --porcelain', 'remote get-url origin', 'update-index --chmod=+x a.sh', 'ls-remote --heads origin', 'clone -q . copy', 'diff-index --name-only HEAD',
    '-c user.name=x -c user.email=y commit -m x', '-c core.editor=true commit --amend', 'diff $(git merge-base main HEAD)',
  ];
  for (const call of freeGit) {
    it(`may call git as far as its worktree goes: ${call}`, async () => {
      assert.equal(await judge(`git ${call}`), undefined);
    });
  }

  const freeUnclear = [
    'for f in src/*.ts; do sed -i "s/a/b/" "$f"; done', 'FOO=bar npm test', 'npm test -- $FLAGS', 'rm -f src/*.js', 'mkdir -p src/{a,b}', 'GIT_EDITOR=true git rebase --continue', 'cd src && rm -f *.js && cd .. && FOO=1 npm test', 'awk -F/ "{print $1}" a.txt > b.txt', 'cd src; cd -; touch x', 'grep -rn GIT_DIR src', 'env -i npm test',
  ];
  for (const command of freeUnclear) {
    it(`may where it leads nowhere else, though only the shell knows all: ${command}`, async () => {
      assert.equal(await judge(command), undefined);
    });
  }

  it('may name many files of its own', async () => {
    assert.equal(await judge(`touch ${names(500)}`), undefined);
  });

  const refusedGit = [
    'checkout other --', 'checkout other -- $none', 'checkout -', 'checkout --detach --no-detach other', 'checkout --det other', 'checkout -d $x', 'switch -d --no-detach other', 'switch --detach --orphan x', 'switch -', 'bisect reset other', 'bisect run git branch x', 'bisect replay log', 'stash branch x', 'symbolic-ref HEAD refs/heads/main', 'symbolic-ref -d HEAD', 'worktree add ../x',
    'rebase --root other', 'rebase --update-refs main', 'rebase --update-r main', 'rebase --autostash main', 'rebase main $x', "rebase --exec='git branch x' main", "rebase -x'git branch x' main", 'merge --autostash other',
    'config user.name list', 'config core.hooksPath get', 'config --replace-all core.bare -l', 'config --unset user.name', 'config set user.name x', 'config edit', 'config --edit', 'config get --replace-all user.name x',
    'branch -v evil', 'branch --list evil --no-list -f', 'branch --show-current --no-show-current evil', 'branch $x', 'tag -l --no-list evil', 'tag -d v1', 'apply --unsafe-paths x.patch', 'apply --unsafe x.patch', 'apply --build-fake-ancestor=x x.patch', "ls-remote --upload-pack='git branch x' .", 'read-tree --index-output=x HEAD', 'clone -q --separate-git-dir=x . c', 'clone -c core.fsmonitor=x . c',
    "-c core.editor='git branch x' commit", '-c core.hooksPath=h commit -m x', '-c core.logAllRefUpdates=false commit -m x', '-C $there commit -m x', '$sub evil', 'remote -v add x y', 'notes show', 'pull', 'push', 'co main',
  ];
  for (const call of refusedGit) {
    it(`may not call git so, whatever rules say: ${call}`, async () => {
      assert.match((await judge(`git ${call}`)) ?? 'allowed', /worktree|branches|git would be told|another repository/);
    });
  }

  const refusedAbove = [
    'rm -rf ../../..', 'find ../../.. -name a.txt -delete', 'find ../../.. -maxdepth 2 -name a.txt -exec sed -i s/a/b/ {} +', 'cp -r ../../.. copy', 'mv ../../.. x', 'rm -rf /', 'tar -x -C../../.. -f a.tar', 'rsync -a src/ --delete ../../..', 'cd ../../.. && rm -rf *', 'cd ../../..; find -delete', 'cd ../.. && cd .. && touch x', 'ln -s ../../.. up', 'touch up/main/x', 'rm -rf ../..',
    'cd; cd main; touch x', 'cd && touch main/x', 'cd -- && touch main/x', 'cd ~ && touch main/x',
  ];
  const refusedUnclear = [
    'touch ../../../m*/x', 'rm -f ../../../mai[n]/a.txt', 'touch ../../../{main,x}/a', 'D=../../../main; touch $D/x', 'a=..; touch $a/$a/$a/main/x', 'for f in ../../../main/a.txt; do echo x > $f; done', 'bash <<E\ntouch ../../../main/x\nE', 'touch "$x/../main/y"', 'touch ~/main/x', 'touch "${HOME}/main/x"', 'CDPATH=../../.. cd main && touch x', 'env -C ../../../main touch x', 'HOME=../../../main; cd; touch x',
    'cd "$(git rev-parse --show-toplevel)" && touch x', 'touch $(git rev-parse --git-common-dir)/x', 'git rev-parse --git-common-dir | xargs -I{} touch {}/../x', 'git rev-parse --git-common-dir | while read d; do touch "$d/../x"; done', 'cd "$(git worktree list | head -1)" && touch x',
    'x=git; $x branch evil', '$(echo git) branch evil', 'echo "git branch evil" | sh', '"$(git --exec-path)/git" branch evil', 'echo branch evil | xargs git', 'f() { git branch evil; }; f', 'parallel git branch ::: evil', "GIT_EDITOR='git branch evil #' git commit", 'GIT_SSH_COMMAND=x git ls-remote origin', 'env -i git commit -m x', 'sudo git commit -m x', 'env -u GIT_CONFIG_COUNT git commit -m x',
  ];
  for (const command of [...refusedAbove, ...refusedUnclear]) {
    it(`may not, wherever that leads: ${command}`, async () => {
      assert.match((await judge(command)) ?? 'allowed', /worktree|would|whether git runs/);
    });
  }

  it('may not name so many files, or change the folder so often, that nobody can look at all', async () => {
    assert.match((await judge(`touch ${names(2_100)} linked/x`)) ?? 'allowed', /too many files/);
    assert.match((await judge(`${Array.from({ length: 60 }, (_, index) => `cd d${index}`).join(';')}; touch x`)) ?? 'allowed', /in which folder/);
  });

  it('may not write through a link among many files', async () => {
    assert.match((await judge(`touch ${names(400)} linked/x`)) ?? 'allowed', /linked\/x/);
  });

  const refused = [
    'touch linked/x', 'echo x > linked/x', 'git -C linked commit -m x', 'cd linked && touch x', 'cp -t MAIN a.txt', 'cp --target-directory=MAIN a.txt', 'tar -C MAIN -xf a.tar', 'tar -xf a.tar -CMAIN', 'git --work-tree MAIN add a', 'git remote add x y', 'git config --global user.name x', 'git rebase main feature', 'git rebase --update-refs main',
    'git checkout HEAD~1', 'git co main', 'git init', 'git reflog expire --all', 'git notes add -m x', 'git replace a b', 'export GIT_DIR=MAIN/.git; git add .', 'python3 -c "open(\'MAIN/x\', \'w\')"', 'echo $(rm MAIN/a.txt)', 'rm -r ../agent-2', 'rm ../agent-1.index', 'MAIN/build.sh', 'rm .git',
  ];
  for (const command of refused) {
    it(`may not, whatever rules say: ${command}`, async () => {
      assert.match((await judge(command)) ?? 'allowed', /worktree|would|git /);
    });
  }
});
