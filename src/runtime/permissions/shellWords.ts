/** Words that mean something to the shell itself where a command is expected. */
export const SHELL_WORDS: ReadonlySet<string> = new Set([
  'case', 'coproc', 'do', 'done', 'elif', 'else', 'esac', 'fi', 'for', 'function', 'if', 'in', 'select', 'then', 'time', 'until', 'while', 'alias',
]);

/** Programs and builtins that run what they are given. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  '.', 'eval', 'source', 'trap', 'exec', 'command', 'builtin', 'enable', 'time', 'env', 'nohup', 'nice', 'ionice', 'chrt', 'taskset', 'timeout', 'xargs',
  'parallel', 'sudo', 'doas', 'su', 'runuser', 'pkexec', 'setsid', 'stdbuf', 'script', 'watch', 'unshare', 'nsenter', 'chroot', 'busybox', 'flock',
  'strace', 'ltrace', 'entr', 'start-stop-daemon', 'systemd-run', 'caffeinate', 'unbuffer', 'expect', 'fakeroot', 'setarch', 'ssh',
]);

/** Shells: fine with a script's name, unclear with options (`-c`) or without arguments (they read commands from input). */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'mksh', 'fish', 'csh', 'tcsh', 'pwsh', 'powershell', 'cmd', 'cmd.exe']);

/** Programs whose first word is a sub-command, so that a prefix of two words says what they do. */
export const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set([
  'apt', 'brew', 'bun', 'bundle', 'cargo', 'composer', 'deno', 'docker', 'dotnet', 'gh', 'git', 'go', 'gradle', 'helm', 'kubectl', 'make', 'mvn', 'npm',
  'npx', 'nx', 'pip', 'pip3', 'pnpm', 'podman', 'poetry', 'rustup', 'swift', 'terraform', 'turbo', 'uv', 'yarn',
]);

/** Sub-commands that only say that the next word is what runs. */
export const RUNNING_SUBCOMMANDS: ReadonlySet<string> = new Set(['run', 'run-script', 'exec', 'dlx', 'x', 'tool']);
