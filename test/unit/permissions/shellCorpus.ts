import type { PermissionLists } from '../../../src/runtime/domain/permissions.ts';

/** What nobody has said anything about. */
export const NO_RULES: PermissionLists = {};

/** What somebody who works with an agent every day might have allowed. */
export const DEVELOPER: PermissionLists = {
  allow: [
    'Bash(npm test:*)', 'Bash(npm run build:*)', 'Bash(git status:*)', 'Bash(git diff:*)', 'Bash(git log:*)', 'Bash(git commit:*)', 'Bash(git -c:*)', 'Bash(ls:*)', 'Bash(cat:*)', 'Bash(grep:*)', 'Bash(wc:*)',
    'Bash(echo:*)', 'Bash(find:*)', 'Bash(cd:*)', 'Bash(timeout:*)', 'Bash(time:*)', 'Bash(env:*)', 'Bash(xargs:*)', 'Bash(sudo:*)', 'Bash(bash -c:*)', 'Bash(sh:*)', 'Bash([:*)', 'Bash([[:*)', 'Bash(true)', 'Bash(read:*)',
    'Bash(node --version)', 'Edit(out/**)',
  ],
  deny: ['Bash(git push:*)'],
};

/** All commands and edits, with some denied. */
export const BROAD: PermissionLists = { allow: ['Bash', 'Edit', 'Read'], deny: ['Bash(rm:*)', 'Bash(git push:*)', 'Bash(curl:*)', 'Edit(secret/**)'] };

const many = (part: string, count: number): string => part.repeat(count);

/**
 * Commands and the verdict on each without rules, for `DEVELOPER` and for `BROAD`: `+` allowed, `?` asks, `-` denied.
 * The workspace is the folder that the commands run in.
 */
export const CORPUS: Readonly<Record<string, readonly (readonly [command: string, verdicts: string])[]>> = {
  plain: [
    ['ls', '?++'], ['ls -la src', '?++'], ['npm test', '?++'], ['npm test -- --watch', '?++'], ['npm testx', '??+'], ['npm run build:prod', '??+'], ['npm run build', '?++'], ['node --version', '?++'], ['node --version x', '??+'], ['git status --short', '?++'], ['git log HEAD~1..HEAD^ --format=%H', '?++'],
    ['git push', '?--'], ['git -C sub push', '?--'], ['git --no-pager -C sub push origin', '?--'], ['/usr/bin/git push', '?--'], ['GIT push', '?--'], ['git commit -m push', '?++'], ['rm -rf build', '??-'], ['/bin/rm x', '??-'], ['rmdir x', '??+'], ['./rm x', '??-'], ['npm publish --force', '??+'], ['echo rm', '?++'], ['LS', '??+'],
  ],
  lists: [
    ['npm test && git status', '?++'], ['npm test; git status', '?++'], ['npm test || true', '?++'], ['ls | wc -l', '?++'], ['ls |& grep a', '?++'], ['npm test &', '?++'], ['ls & cat a', '?++'], ['ls\ncat a', '?++'], ['ls;', '?++'], ['ls&&cat a', '?++'], ['ls|wc', '?++'], ['ls &&\n  # then\n  cat a', '?++'],
    ['npm test && rm x', '??-'], ['ls; rm x', '??-'], ['ls;rm x', '??-'], ['ls | rm x', '??-'], ['ls & rm x', '??-'], ['ls\nrm x', '??-'], ['ls || rm x', '??-'], ['ls && git push', '?--'], ['! ls', '?++'], ['! rm x', '??-'], ['ls && make', '??+'],
  ],
  groups: [
    ['(ls; cat a)', '?++'], ['{ ls; cat a; }', '?++'], ['(ls; rm x)', '??-'], ['{ rm x; }', '??-'], ['((ls))', '???'], ['if [ -f a ]; then cat a; fi', '?++'], ['if ls; then rm x; else cat a; fi', '??-'], ['if ls; then cat a; elif rm x; then cat b; fi', '??-'], ['while true; do ls; done', '?++'], ['until true; do rm x; done', '??-'],
    ['for f in a b; do ls; done', '?++'], ['for f in a b; do cat "$f"; done', '???'], ['for f in $(rm x); do ls; done', '??-'], ['for PATH in .; do ls; done', '???'], ['for http_proxy in a; do ls; done', '???'], ['for ((i=0;i<2;i++)); do ls; done', '???'], ['select x in a; do ls; done', '???'],
    ['case a in a) ls;; *) cat a;; esac', '?++'], ['case a in a) rm x;; esac', '??-'], ['case "$(rm x)" in a) ls;; esac', '??-'], ['case a in b) PATH=.;; esac; ls', '???'], ['[[ -f a && -d b ]] && ls', '?++'], ['[[ $x == a* ]] && ls', '???'], ["[[ 'a[$(rm x)]' -eq 0 ]]", '???'], ['[ a < b ]', '???'], ["test -v 'a[$(rm x)]'", '???'],
    ['f() { rm x; }; f', '??-'], ['ls() { rm x; }; ls', '??-'], ['function f { git push; }', '?--'], ['f() { "$@"; }; f rm x', '???'], ['time { ls; }', '???'],
  ],
  quoting: [
    ["'ls' -a", '?++'], ['"ls" -a', '?++'], ['l\\s', '?++'], ["l's' a", '?++'], ['"l"s', '?++'], ["$'ls'", '?++'], ['$"ls"', '?++'], ["echo 'a && rm x; b'", '?++'], ['echo "a; rm x"', '?++'], ['echo a\\;rm x', '?++'], ['echo "a\nb"', '?++'], ["git commit -m 'first\n\nsecond'", '?++'], ["'git status'", '??+'], ["'ls -a'", '??+'], ["''ls", '?++'],
    ['r\\m x', '??-'], ["'r'm x", '??-'], ['"rm" x', '??-'], ["$'\\x72m' x", '??-'], ["$'\\162\\155' x", '??-'], ["$'\\u0072m' x", '??-'], ['r""m x', '??-'], ["r''m x", '??-'], ['\\rm x', '??-'], ['"git" \'push\'', '?--'], ['git p\\ush', '?--'], ['git "pu"sh', '?--'], ["git $'\\x70ush'", '?--'],
    ["echo $'it\\'s'", '???'], ["$'\\cx'", '???'], ["'' x", '???'], ['echo "open', '???'], ["echo 'open", '???'], ['echo a\\', '???'], ['r\\\nm x', '??-'], ['echo "$\\\n(rm x)"', '??-'], ['echo "$\\\n(make)"', '???'], ['echo $\\\n(make)', '???'], ['echo "$\\\n{x}"', '???'], ['ls \\\n  -la', '?++'], ['ls \\\n  && cat a', '?++'],
  ],
  expansion: [
    ['$x', '???'], ['$x push', '???'], ['${x} a', '???'], ['r$x a', '???'], ['"$x" a', '???'], ['npm test $x', '???'], ['npm test "$x"', '???'], ['git log ${x}', '???'], ['git log "${x:-a}"', '???'], ['git $x', '?--'], ['git $x push', '?--'], ['git -C "$d" push', '?--'], ['git log $x', '???'], ['git pu$x', '?--'], ['rm $x', '??-'], ['ls *', '???'], ['ls *.ts', '???'], ['ls a?', '???'], ['ls [ab]', '???'], ['r[m] x', '???'], ['/bin/r? x', '???'], ['ls {a,b}', '???'], ['{rm,x}', '??-'], ['ls {1..3}', '???'], ['ls ~', '???'], ['ls ~/x', '???'], ['ls a=~/x', '???'], ['echo $((1+1))', '???'], ['echo $[1]', '???'], ['echo ${x:=rm}', '??-'], ['echo ${!x}', '???'], ['echo ${x[$(rm y)]}', '??-'], ['echo ${x@P}', '???'], ['echo $', '?++'], ['echo a$', '?++'], ['ls @{u} {}', '?++'], ['echo !x', '?++'], ['ls a~b', '?++'], ["ls '*'", '?++'], ['ls "~"', '?++'], ['echo \\$x', '?++'],
  ],
  substitution: [
    ['echo $(ls)', '???'], ['echo $(rm x)', '??-'], ['echo "$(rm x)"', '??-'], ['echo `rm x`', '??-'], ['echo "`rm x`"', '??-'], ['echo "a $(echo "b $(rm x)")"', '??-'], ["echo '$(rm x)'", '?++'], ['echo "\\$(rm x)"', '?++'], ['echo \\$\\(rm x\\)', '?++'], ['$(rm x)', '??-'], ['echo `echo \\`rm x\\``', '??-'], ['echo $(git push)', '?--'], ['diff <(ls) <(rm x)', '??-'], ['ls > >(rm x)', '??-'], ['x=$(rm x)', '??-'], ['CI=$(rm x) npm test', '??-'], ['cat <<< "$(rm x)"', '??-'], ['cat <<< "a b"', '?++'], ['echo $(<a)', '???'], ['ls $(', '???'],
  ],
  documents: [
    ["cat <<'E'\nrm x\n$(rm x)\nE", '?++'], ['cat <<E\nrm x\nE', '?++'], ['cat <<E\n$HOME\nE\nls', '?++'], ['cat <<E\n$(rm x)\nE', '??-'], ['cat <<E\n`rm x`\nE', '??-'], ['cat <<E\na\nE\nrm x', '??-'], ["cat <<'E'\na\nE\nrm x\nE", '??-'], ['cat <<-E\n\ta\n\tE\nls', '?++'], ['cat <<E | grep a\na\nE', '?++'], ['cat <<E | rm x\na\nE', '??-'], ['cat <<E && rm x\na\nE', '??-'], ['cat <<E > secret/a\na\nE', '??-'], ['cat <<E > out/a\na\nE', '?++'], ['cat <<A <<B\na\nA\nb\nB', '???'], ['cat <<E\nopen', '???'], ['cat <<E\na\\\nE\nrm x\nE', '??-'], ['cat <<"E"x\na\nEx', '???'], ['cat <<$x\na\n$x', '???'], ['bash <<E\nls\nE', '???'],
  ],
  comments: [
    ['ls # rm x', '?++'], ['ls # a\nrm x', '??-'], ['# rm x', '???'], ['ls #\\\nrm x', '??-'], ['echo a#b', '?++'], ['echo "x"#; rm y', '??-'], ['echo \\ #; rm y', '??-'], ["echo ''#; rm y", '??-'], ['echo $(ls # )\nrm x\n)', '??-'], ['echo `# a` ; rm x', '??-'], ['ls;# a\nls', '?++'],
  ],
  variables: [
    ['CI=1 npm test', '?++'], ['LC_ALL=C NO_COLOR=1 ls', '?++'], ['PATH=. ls', '???'], ['PATH+=:. ls', '???'], ['LD_PRELOAD=./x.so ls', '???'], ['BASH_ENV=x ls', '???'], ['IFS=/ ls', '???'], ['GIT_SSH_COMMAND=x git log', '???'], ['GIT_EXTERNAL_DIFF=x git diff', '???'], ['NODE_OPTIONS=--require=./x npm test', '???'], ['npm_config_script_shell=x npm test', '???'], ['CI=$x npm test', '???'], ['PATH=.; ls', '???'], ['x=1; ls', '?++'], ['x=1', '???'], ['a[1]=2', '???'], ['a=(ls)', '???'], ['export PATH=.; ls', '???'], ['export CI=1 && ls', '??+'], ['declare -x PATH=.', '???'], ['unset PATH; ls', '???'], ['read -r line', '?++'], ['read PATH', '???'], ['printf -v PATH .', '???'], ['PATH=. rm x', '??-'], ['"PATH=." ls', '???'], ['time PATH=. ls', '???'], ['timeout 5 PATH=. ls', '???'], ['let x=1', '???'], ['mapfile -C ls x', '???'],
  ],
  redirections: [
    ['ls > out/a', '?++'], ['ls > a', '??+'], ['ls >> a', '??+'], ['ls 2> a', '??+'], ['ls &> a', '??+'], ['ls &>> a', '??+'], ['ls >| a', '??+'], ['ls >& a', '??+'], ['ls>a', '??+'], ["ls >& '$(rm x)'", '??-'], ["ls >& '$(make)'", '???'], ["ls > '$(rm x)'", '??+'], ['> a', '???'], ['> out/a ls', '?++'], ['ls > /dev/null', '?++'], ['ls 2>&1', '?++'], ['ls >&2', '?++'], ['ls 2>&-', '?++'], ['ls > /dev/null 2>&1', '?++'], ['npm test 2>&1 | cat', '?++'], ['ls > /etc/a', '---'], ['ls >> /home/x/.bashrc', '---'], ['ls > secret/a', '??-'], ['ls > .git/hooks/pre-commit', '???'], ['ls > .env', '???'], ['(ls) > secret/a', '??-'], ['{ ls; } > /etc/a', '---'], ['if ls; then cat a; fi > secret/a', '??-'], ['ls | cat > secret/a', '??-'],
    ['cat < a', '?++'], ['cat < /etc/passwd', '??+'], ['cat < .env', '???'], ['ls > $x', '???'], ['ls > "a$x"', '???'], ['ls > ~/a', '???'], ['ls > *', '???'], ['ls > a/../../x', '???'], ['ls > ../x', '???'], ['cd .. && ls > out/a', '???'], ['ln -s /tmp d && ls > d/a', '???'], ['mv a d && ls > out/a', '???'], ['cp -a a d && ls > out/a', '???'], ['cp a b && ls > out/a', '??+'], ['ls > /dev/tcp/a.test/80', '???'], ['ls <> a', '???'], ['ls > a b', '???'], ['echo {x}>a', '???'], ['exec 3> secret/a', '??-'], ['ls > "file:///etc/a"', '??+'], ['ls > "~/a"', '??+'], ['echo ">" a', '?++'], ['echo \\> a', '?++'],
  ],
  wrappers: [
    ['time ls', '?++'], ['time rm x', '??-'], ['timeout 10 npm test', '?++'], ['timeout -k 5 10s rm x', '??-'], ['timeout --signal=KILL 10 git push', '?--'], ['timeout 10 make', '??+'], ['timeout $x ls', '???'], ['command ls', '??+'], ['command rm x', '??-'], ['command -v rm', '??+'], ['builtin command rm x', '??-'], ['exec rm x', '??-'], ['exec -a ls rm x', '??-'], ['nohup rm x &', '??-'], ['nice -n 5 rm x', '??-'], ['ionice -c3 rm x', '??-'], ['stdbuf -oL rm x', '??-'], ['setsid -w rm x', '??-'], ['time nice nohup rm x', '??-'],
    ['env', '?++'], ['env CI=1 ls', '?++'], ['env CI=1 rm x', '??-'], ['env -i rm x', '??-'], ['env -u X rm x', '??-'], ['env PATH=. ls', '???'], ['env -S "rm x"', '??-'], ['env -C /etc ls', '???'], ['/usr/bin/env rm x', '??-'],
    ['sudo ls', '???'], ['sudo -u root rm x', '??-'], ['doas rm x', '??-'], ['/usr/bin/sudo rm x', '??-'], ['sudo -n git push', '?--'], ['sudo -e a', '???'], ['su -c "rm x"', '??-'], ['ssh host rm x', '??-'], ['ssh host ls', '???'], ['watch rm x', '??-'], ['parallel rm ::: x', '??-'], ['flock l rm x', '??-'], ['busybox rm x', '??-'],
    ['ls | xargs rm', '??-'], ['ls | xargs -n1 -I{} rm {}', '??-'], ['ls | xargs wc', '???'], ['ls | xargs git push', '?--'], ['xargs', '???'],
    ['bash -c "ls && cat a"', '?++'], ['bash -c "ls; rm x"', '??-'], ["sh -c 'git push'", '?--'], ["bash -lc 'echo $(rm x)'", '??-'], ['bash -c "bash -c \'rm x\'"', '??-'], ['bash -c "$x"', '???'], ['bash -c -- "rm x"', '??-'], ["bash -c 'ls' rm", '?++'], ['bash', '???'], ['ls | sh', '???'], ['bash -s', '???'], ['bash -i', '???'], ['sh build.sh', '?++'], ['bash build.sh', '??+'], ['bash /dev/stdin', '???'], ['zsh -c "rm x"', '??-'], ['fish -c ls', '???'], ["bash -c 'ls > secret/a'", '??-'], ["bash -c 'open \"'", '???'],
    ['find . -name a', '?++'], ['find . -exec grep a {} \\;', '?++'], ['find . -exec grep a {} +', '?++'], ['find . -exec rm {} \\;', '??-'], ["find . -name '*' -exec rm {} ';'", '??-'], ['find . -execdir rm {} +', '??-'], ['find . -ok rm {} \\;', '??-'], ['find . -exec grep a {} \\; -exec rm {} \\;', '??-'], ['find . -exec {} \\;', '???'], ["find . -exec sh -c 'ls {}' \\;", '???'], ['find . -exec env {} \\;', '???'], ['find . -exec rm {}', '??-'],
    ['git -c core.pager=x log', '???'], ["git -c alias.x='!rm y' x", '???'], ['git -c color.ui=always log', '?++'], ['git --exec-path=. status', '???'], ['git --config-env=core.pager=X log', '???'], ['git rebase -x make', '???'], ['git rebase --ex make', '???'], ['git bisect run make', '???'], ['git submodule foreach ls', '???'], ['git grep -Oless a', '???'], ['git fetch --upload-pack=x', '???'],
    ["find . -not -name -exec -path ./a -exec rm {} ';'", '??-'], ["find . -name -exec ! -name a -exec make ';'", '???'], ["find . -fprintf f -exec -o -exec make ';'", '???'], ["find . -type f -print -exec grep a {} ';'", '?++'], ["find . -name '-y' -exec grep a {} ';'", '???'], ["gfind . -exec rm {} ';'", '??-'],
    ['git grep -nOmake a', '???'], ["git clone -u 'make' a b", '???'], ['git clone -c core.fsmonitor=make a b', '???'], ['git clone -qcx.y=z a b', '???'], ['git clone --conf x.y=z a b', '???'], ['git clone --template=t a b', '???'], ['git clone --depth 1 a b', '??+'], ['git ls-remote --u make a', '???'], ['git fetch-pack --exec=make a b', '???'], ['git send-pack --exec=make a b', '???'], ['git submodule--helper foreach make', '???'], ['git send-email --to-cmd=make a', '???'], ['git remote-ext a make', '???'],
    ["git --shallow-file x -c alias.z='!make' z", '???'], ["git --attr-source x -c alias.z='!make' z", '???'], ['git --unknown log', '???'], ['git -C -c log', '??+'], ['git -C -C push', '?--'], ['git --git-dir=.git log', '??+'], ['git --git-dir .git log', '??+'],
    ["bash /./dev/stdin <<< 'make'", '???'], ["bash ../../../dev/stdin <<< 'make'", '???'], ["cd /dev && bash stdin <<< 'make'", '???'], ['zsh /dev/stdin', '???'], ['zsh //proc/self/fd/0', '???'], ['cd /dev && zsh stdin', '???'], ['zsh build.sh', '??+'], ['cd src && bash build.sh', '???'], ['cd src && bash /opt/build.sh', '??+'], ['ln -s /dev/stdin a && bash a', '???'], ["cd src && bash -c 'ls'", '?++'],
    ['x86_64 rm x', '??-'], ['i386 make', '???'], ['linux64 make', '???'], ['uname26 make', '???'], ['choom -n 0 -- rm x', '??-'], ['ssh-agent make', '???'], ['/lib64/ld-linux-x86-64.so.2 /bin/rm x', '??-'], ['/lib/ld-musl-x86_64.so.1 make', '???'], ['ld.so make', '???'], ['uclampset -m 1 make', '???'], ["sg a 'make'", '???'], ['gtimeout 5 rm x', '??-'], ['genv rm x', '??-'], ['gxargs rm', '??-'], ['gnice rm x', '??-'], ['gnohup rm x', '??-'], ['ld -o a b.o', '??+'],
    ['eval ls', '???'], ['eval "rm x"', '??-'], ["eval 'r''m x'", '??-'], ['eval $x', '???'], ['source a', '???'], ['. a', '???'], ["trap 'rm x' EXIT", '??-'], ['trap - EXIT', '???'], ['coproc rm x', '??-'], ["alias ls='rm x'", '???'], ['enable -f x ls', '???'], ['hash -p /bin/rm ls', '???'], ['hash -r', '??+'], ['shopt -s expand_aliases', '???'], ['set -euo pipefail', '??+'], ['set -o history', '???'], ['complete -C x y', '???'], ['jobs -x ls', '???'],
  ],
  secrets: [
    ['cat /proc/self/environ', '???'], ['cat /proc/$PPID/environ', '???'], ['cat /proc/1/./environ', '???'], ["cat '/proc/self/en'viron", '???'], ['cd /proc/self && cat environ', '???'], ['cat < /proc/self/environ', '???'], ['cp /proc/*/environ .', '???'], ["node -e 'read(\"/proc/self/environ\")'", '???'], ["bash -c 'cat /proc/self/environ'", '???'], ['dd if=/proc/self/environ', '???'], ['cat src/environ.ts', '?++'],
  ],
  malformed: [
    ['', '???'], ['   ', '???'], ['\n', '???'], [';', '???'], ['&& ls', '???'], ['ls &&', '???'], ['ls |', '???'], ['ls | | ls', '???'], ['ls ; ; ls', '???'], ['(ls', '???'], ['ls)', '???'], ['{ ls', '???'], ['if ls', '???'], ['then ls', '???'], ['do rm x', '???'], ['fi', '???'], ['esac', '???'], ['{}', '???'], ['ls; {}', '???'], ['if(ls)then(rm x)fi', '??-'], ['{ ls;}', '?++'], ['{ ls;}rm', '??-'], ['! ! ls', '???'], ['echo ${', '???'], ['echo $()', '???'], ['ls >', '???'], ['f() ls', '???'], ['echo )', '???'], ['rm x )', '??-'], ['ls +(a|b)', '???'],
  ],
  characters: [
    ['echo 日本 é 👍', '?++'], ['ls\u00a0-a', '???'], ['ls\u2028rm x', '??-'], ['echo \u202erm', '??-'], ['echo "\u200b"', '???'], ['ls\r\ncat a', '???'], ['ls\0', '???'], ['ls \x1b[2J', '???'], ['echo \ud800', '???'], ['ｌｓ', '??+'], ['rｍ x', '??+'], ['ls\ta', '?++'], ['ls\va', '???'], ['\ufeffls', '???'],
  ],
  huge: [
    [`echo ${many('a', 60_000)}`, '?++'], [`echo ${many('a', 100_000)}`, '???'], [many('ls; ', 400), '?++'], [many('ls; ', 600), '???'], [`${many('ls; ', 30_000)}rm x`, '??-'], [`echo ${many('a ', 2000)}`, '?++'], [`git ${many('-x ', 10_000)}push`, '?--'], [`${many('( ', 20)}ls${many(')', 20)}`, '?++'], [`${many('(', 5000)}rm x${many(')', 5000)}`, '??-'], [`${many('echo $(', 20)}rm x${many(')', 20)}`, '??-'], [`${many('$(', 20_000)}rm x${many(')', 20_000)}`, '??-'], [many('(', 50_000), '???'], [many('"$(', 10_000), '???'], [many("'", 50_001), '???'], [`${many('{ ', 2000)}ls; ${many('}; ', 2000)}`, '???'], [`${many('bash -c ', 12)}ls`, '???'], [many('<<E ', 5000), '???'], [many('a|', 30_000), '???'], [many('=`<', 20_000), '???'], [many('a|', 499), '???'], [`${many('ls | ', 400)}wc`, '?++'], [many('a=', 30_000), '???'],
  ],
};
