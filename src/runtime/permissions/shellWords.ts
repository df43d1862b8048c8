/** Words that mean something to the shell itself where a command is expected. As the name of a command they show that the tree is wrong. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'case', 'do', 'done', 'elif', 'else', 'esac', 'fi', 'for', 'function', 'if', 'in', 'select', 'then', 'until', 'while', '{', '}', '!', ']]', '((',
]);

/** Programs that run what they are given, in ways that aren't looked into. */
const HIDING_RUNNERS: ReadonlySet<string> = new Set([
  'su', 'runuser', 'pkexec', 'chrt', 'taskset', 'parallel', 'script', 'watch', 'unshare', 'nsenter', 'chroot', 'busybox', 'toybox', 'flock', 'strace', 'ltrace',
  'gdb', 'entr', 'start-stop-daemon', 'systemd-run', 'caffeinate', 'unbuffer', 'expect', 'fakeroot', 'setarch', 'linux32', 'linux64', 'ssh', 'at', 'batch', 'crontab',
  'choom', 'ssh-agent', 'uclampset', 'sg', 'newgrp', 'uname26', 'arch',
  'setpriv', 'prlimit', 'numactl', 'firejail', 'bwrap', 'proot', 'dbus-run-session', 'xvfb-run', 'daemonize', 'chpst', 'gosu', 'su-exec', 'run-parts', 'launchctl',
]);

/** The dynamic loader, and the names by which `setarch` is called. */
const HIDING_NAMES = /^(?:ld(?:-[\w.-]*|32|64)?\.so[\w.]*|x86_64|i[3-6]86|ia64|aarch64|arm(?:v\d\w*|h|64)?|ppc\w*|s390x?|mips\w*|sparc\w*|parisc\w*|alpha)$/;

/** True for a program that runs what it is given, in ways that aren't looked into. */
export function hidesItsCommand(key: string): boolean {
  return HIDING_RUNNERS.has(key) || HIDING_NAMES.test(key);
}

/** Builtins that change what later words mean, or run text as commands. They ask, whatever is allowed. */
export const ASKING_BUILTINS: ReadonlySet<string> = new Set([
  'eval', 'source', '.', 'trap', 'coproc', 'alias', 'unalias', 'enable', 'bind', 'complete', 'compgen', 'shopt', 'let', 'declare', 'typeset', 'local', 'readonly', 'mapfile',
  'readarray', 'getopts', 'unset', 'fc', 'history',
]);

/** Shells whose `-c` text is read as a command line of its own. */
export const KNOWN_SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash']);

/** Other shells: fine with a script's name, unclear with options or without arguments (they read commands from input). */
export const OTHER_SHELLS: ReadonlySet<string> = new Set(['zsh', 'rbash', 'ksh', 'mksh', 'fish', 'csh', 'tcsh', 'pwsh', 'powershell', 'cmd', 'nu', 'elvish', 'xonsh']);

/** Builtins after which a relative path means another file. */
export const FOLDER_CHANGERS: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd']);

/** Programs that may put a link where a path leads, so that it means another file. */
const LINKERS: ReadonlySet<string> = new Set(['ln', 'gln', 'mv', 'gmv', 'rsync', 'tar', 'gtar', 'bsdtar', 'unzip', 'cpio', 'pax']);

/** True for a command after which even an absolute path may mean another file. */
export function mayPlaceLinks(key: string, words: readonly string[]): boolean {
  if (LINKERS.has(key)) return true;
  return /^g?cp$/.test(key) && words.some((word) => /^-(?!-)[^]*[adPRrsHL]/.test(word) || (word.length > 2 && word.startsWith('--')));
}

/** Variables that tell programs how to talk, not what to run. */
const HARMLESS_VARIABLES: ReadonlySet<string> = new Set([
  'CI', 'COLUMNS', 'LINES', 'DEBUG', 'VERBOSE', 'FORCE_COLOR', 'NO_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'LANG', 'LC_ALL', 'LC_COLLATE', 'LC_CTYPE', 'LC_MESSAGES', 'LC_NUMERIC', 'LC_TIME',
  'TZ', 'TERM', 'COLORTERM', 'NODE_ENV', 'LOG_LEVEL', 'PORT', 'RUST_BACKTRACE', 'RUST_LOG', 'GOOS', 'GOARCH', 'CGO_ENABLED', 'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE', 'PYTHONIOENCODING',
]);

/** True for a variable that changes nothing in what commands run. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS_VARIABLES.has(name);
}

/** True for the name of a variable that scripts use for themselves and that no program is known to read. */
export function isOwnVariable(name: string): boolean {
  return isHarmlessVariable(name) || /^[a-z][a-z0-9]*$/.test(name);
}

/** Programs whose first word is a sub-command, so that a prefix of two words says what they do. */
export const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set([
  'apt', 'brew', 'bun', 'bundle', 'cargo', 'composer', 'deno', 'docker', 'dotnet', 'gh', 'git', 'go', 'gradle', 'helm', 'kubectl', 'make', 'mvn', 'npm',
  'npx', 'nx', 'pip', 'pip3', 'pnpm', 'podman', 'poetry', 'rustup', 'swift', 'terraform', 'turbo', 'uv', 'yarn',
]);

/** Sub-commands that only say that the next word is what runs. */
const RUNNING_SUBCOMMANDS: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn', 'r', 'exec', 'exe', 'dlx', 'x', 'tool', 'task', 'explore', 'workspace']);

/** True where a rule must name the next word too. Names may be cut short (`npm run-s`). */
export function isRunningSubcommand(word: string): boolean {
  return RUNNING_SUBCOMMANDS.has(word) || /^(?:run-|expl)/.test(word);
}
