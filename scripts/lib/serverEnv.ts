const passedOn = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_.+|TZ|TERM|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH)$/i;

/** The environment for VS Code: what a program needs to run, and none of this shell's keys, proxies or Node options. */
export function serverEnv(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => passedOn.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}
