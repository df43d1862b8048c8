import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.ts';
import { npm } from './npm.ts';
import { cacheDir } from './paths.ts';

const codeServer = 'code-server@4.139.1';
const watcherVersion = '2.5.6';
const serverDir = join(cacheDir, 'server');
const stamp = join(serverDir, 'installed.json');

/** Folder of VS Code's server inside the installed package. */
export const vscodeDir = join(serverDir, 'node_modules', 'code-server', 'lib', 'vscode');

/**
 * Installs VS Code (as a web server, from the npm registry) beside the project, once.
 * The stamp is written last, so an interrupted install is made anew.
 */
export async function installVsCode(): Promise<string> {
  if (await isInstalled()) return vscodeDir;
  return withLock('server', async () => {
    if (await isInstalled()) return vscodeDir;
    console.error('Installing VS Code for tests (once)…');
    await rm(serverDir, { recursive: true, force: true });
    await mkdir(serverDir, { recursive: true });
    await writeFile(join(serverDir, 'package.json'), '{ "private": true }\n');
    await npm(serverDir, ['install', '--prefix', serverDir, codeServer]);
    await npm(vscodeDir, ['install', '--omit=dev', '--omit=optional']);
    await npm(vscodeDir, ['install', '--no-save', '--omit=dev', '--omit=optional', await fileWatcher()]);
    // The package comes without the program that this extension starts, and so all it could do is complain.
    await rm(join(vscodeDir, 'extensions', 'typescript-language-features'), { recursive: true, force: true });
    await writeFile(stamp, JSON.stringify({ package: codeServer, platform: platformName() }));
    return vscodeDir;
  });
}

/** Version of the installed VS Code. */
export async function vsCodeVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(vscodeDir, 'product.json'), 'utf8')) as { version?: string };
  if (version) return version;
  const manifest = JSON.parse(await readFile(join(vscodeDir, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

async function isInstalled(): Promise<boolean> {
  if (!existsSync(stamp)) return false;
  const made = JSON.parse(await readFile(stamp, 'utf8')) as { package?: string; platform?: string };
  return made.package === codeServer && made.platform === platformName();
}

/** The native file watcher that goes with the one in the server. */
async function fileWatcher(): Promise<string> {
  const manifest = join(vscodeDir, 'node_modules', '@parcel', 'watcher', 'package.json');
  const version = existsSync(manifest) ? (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version : watcherVersion;
  return `@parcel/watcher-${platformName()}@${version}`;
}

function platformName(): string {
  const base = `${process.platform}-${process.arch}`;
  if (process.platform !== 'linux') return base;
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return `${base}-${report.header.glibcVersionRuntime ? 'glibc' : 'musl'}`;
}
