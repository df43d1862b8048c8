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
    scope = { cwd: top, roots: [top, main], ownFolders: [], worktree: { folder: top, top, standsFor: main, protects: [main, join(main, '.git')] } };
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
