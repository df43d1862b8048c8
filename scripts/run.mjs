// The one entry of all npm scripts: `node scripts/run.mjs <command> [args]`.
// Runs on the Node that the machine has (18 or newer): makes sure that node_modules fits package-lock.json,
// then hands over to scripts/<command>.ts on the Node 24 that comes with the dev dependencies.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const lock = join(root, '.vscode-test', 'install.lock');
const windows = process.platform === 'win32';
const lockIsStaleAfterMs = 20_000;

const [command, ...args] = process.argv.slice(2);
const script = join(root, 'scripts', `${command}.ts`);
if (!command || !/^[a-z]+$/.test(command) || !existsSync(script)) {
  console.error(`Unknown command: ${command ?? '(none)'}`);
  process.exit(2);
}

await installDependencies();
runScript();

/** Installs the dependencies when they are missing or older than the lock file; one process at a time. */
async function installDependencies() {
  if (isInstalled()) return;
  if (isLink(modules)) {
    // npm would empty the folder that the link leads to, and others use that.
    console.error('node_modules is a link and does not fit package-lock.json. Install where it leads to, or remove the link.');
    process.exit(1);
  }
  const release = await takeLock();
  try {
    if (isInstalled()) return;
    console.error('Installing dependencies…');
    const code = await new Promise((resolve, reject) => {
      const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2], shell: windows, env: cleanNpmEnv() });
      child.on('error', reject);
      child.on('exit', (exit) => resolve(exit ?? 1));
      forwardSignals(child);
    });
    if (code !== 0) {
      console.error(`npm ci failed with exit code ${code}.`);
      process.exitCode = code;
      release();
      process.exit();
    }
  } finally {
    release();
  }
}

/** Whether node_modules holds what the lock file names. npm writes its own record of that last, so an interrupted install doesn't count. Packages for other platforms may be missing. */
function isInstalled() {
  const record = join(modules, '.package-lock.json');
  if (!nodeBinary() || !existsSync(record)) return false;
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(record);
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    return path === '' || (path in present ? present[path].version === version : optional === true);
  });
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

function nodeBinary() {
  return [join(modules, 'node', 'bin', 'node'), join(modules, 'node', 'bin', 'node.exe')].find((path) => {
    return existsSync(path) && spawnSync(path, ['--version']).status === 0;
  });
}

/** A directory is the lock, since it must work before any package is there. The holder touches it; an untouched one is stale. */
async function takeLock() {
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (ageOf(lock) > lockIsStaleAfterMs) rmSync(lock, { recursive: true, force: true });
      else await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), 2_000);
  return () => {
    clearInterval(beat);
    rmSync(lock, { recursive: true, force: true });
  };
}

function ageOf(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** npm tells its scripts about the running package through the environment; a second npm must not inherit that. */
function cleanNpmEnv() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)_|^npm_config_(local_)?prefix$/i.test(name)));
}

function runScript() {
  const path = [join(modules, '.bin'), process.env.PATH].join(delimiter);
  const child = spawn(nodeBinary(), [script, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: { ...process.env, PATH: path } });
  forwardSignals(child);
  endWithNpm(child);
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : code;
    if (child.connected) child.disconnect();
  });
}

/** npm hands a signal to the shell that it runs this in, and the shell may keep it for itself and end. */
function endWithNpm(child) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || windows) return;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 300).unref();
}

function forwardSignals(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
}
