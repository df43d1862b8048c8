import { execOrThrow } from './exec.ts';

const aboutThisPackage = /^npm_(package|lifecycle)_|^npm_config_(local_)?prefix$|^INIT_CWD$/i;

/** Runs npm in a folder, without what an outer `npm run` says about this package. Scripts of packages run only where they are asked for. */
export async function npm(cwd: string, args: readonly string[], { scripts = false }: { readonly scripts?: boolean } = {}): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !aboutThisPackage.test(name)));
  const [command, ...first] = npmCommand();
  await execOrThrow(command, [...first, ...args, ...(scripts ? [] : ['--ignore-scripts']), '--no-audit', '--no-fund', '--loglevel=error'], { cwd, env });
}

/** The npm that started this process, else the one on PATH. */
function npmCommand(): [string, ...string[]] {
  const running = process.env['npm_execpath'];
  if (running?.endsWith('npm-cli.js')) return [process.execPath, running];
  return process.platform === 'win32' ? ['cmd', '/c', 'npm'] : ['npm'];
}
