import assert from 'node:assert/strict';
import { isReadOnlyCommand } from '../../../src/runtime/permissions/shellReadOnly.ts';

describe('commands known to only read', () => {
  const reading = [
    'ls -la', 'cat a b', 'head -n 5 a', 'wc -l a', 'grep -rn x src', 'rg x', 'rg -n --glob *.ts x', 'sort -u a', 'uniq -c', 'uniq -c a', 'tree -L 2', 'file a', 'date +%s', 'date', 'find . -name a -type f', 'fd a',
    'git status', 'git log --oneline -5', 'git diff HEAD~1', 'git show HEAD:a', 'git --no-pager log', 'git branch', 'git branch -a', 'git tag -l', 'git remote -v', 'git stash list', 'git worktree list', 'git blame a', 'git log --outline', 'git grep x', 'git --version', 'cd src', '[ -f a ]', 'timeout 5 ls',
  ];
  for (const command of reading) it(`holds ${command}`, () => assert.equal(isReadOnlyCommand(command.split(' ')), true));

  const others = [
    '', 'rm a', 'make', 'npm test', './ls', '/tmp/ls', 'LS', 'sed -i x a', 'sed -n p a', 'awk x', 'xargs ls', 'tee a', 'env ls', 'rg --pre x y', 'rg --pr=x y', 'rg -z x', 'sort -o a b', 'sort -uo a b', 'sort --outp=a b', 'sort --compress-program=x a', 'uniq a b', 'uniq - a', 'uniq -- a -b', 'rg -.z x', 'git -C sub log', 'git -C -C clean log -f', 'git --attr-source clean log', 'git grep -nOless x', 'tree -o a', 'file -C', 'date -s x', 'date 010100002030',
    'find . -delete', 'find . -exec ls ;', 'find . -fprint a', 'find . -okdir ls ;', 'fd -x rm', 'fd --exec rm', 'fd -Hx rm', 'git', 'git push', 'git commit', 'git checkout a', 'git branch a', 'git branch -D a', 'git tag a', 'git remote add a b', 'git stash', 'git stash pop', 'git worktree add a', 'git reflog expire',
    'git -c core.pager=x log', 'git -p log', 'git --exec-path=x log', 'git log --output=a', 'git log --outp=a', 'git diff --ext-diff', 'git grep -O x', 'git grep --open-files x', 'git cat-file --filters x', 'git --git-dir=x log', 'git config --get a', 'bash a', 'nohup ls',
  ];
  for (const command of others) it(`doesn't hold ${command}`, () => assert.equal(isReadOnlyCommand(command === '' ? [] : command.split(' ')), false));
});
