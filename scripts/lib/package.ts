import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execOrThrow } from './exec.ts';
import { withLock } from './lock.ts';
import { cacheDir, projectRoot } from './paths.ts';

const packages = join(cacheDir, 'packages');
const inputs = ['src/**', 'agents/**', 'media/**', 'l10n/**', 'package*.json', 'README.md', 'CHANGELOG.md', 'LICENSE', '.vscodeignore', 'esbuild.mjs'];
const kept = 5;

/** Builds the .vsix and gives its path; one that was built from the same sources is used again. */
export async function packageExtension(): Promise<string> {
  const file = join(packages, `subagent-panel-${await hashOfInputs()}.vsix`);
  if (existsSync(file)) return file;
  return withLock('package', async () => {
    if (existsSync(file)) return file;
    await mkdir(packages, { recursive: true });
    const unfinished = `${file}.unfinished`;
    const vsce = join(projectRoot, 'node_modules', '@vscode', 'vsce', 'vsce');
    // vsce runs the script vscode:prepublish, which makes the production bundle.
    await execOrThrow(process.execPath, [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', unfinished]);
    await rename(unfinished, file);
    await removeOld(file);
    return file;
  });
}

/** Bundles dist/ for tests in the extension host, with source maps. */
export async function buildForDevelopment(): Promise<void> {
  await withLock('package', () => execOrThrow(process.execPath, [join(projectRoot, 'esbuild.mjs')]));
}

async function hashOfInputs(): Promise<string> {
  const hash = createHash('sha256');
  const files: string[] = [];
  for await (const entry of glob(inputs, { cwd: projectRoot, withFileTypes: true })) {
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
  }
  for (const file of files.sort()) hash.update(file.slice(projectRoot.length)).update('\0').update(await readFile(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Keeps this package and a few others: another branch, or a run that still uses one. */
async function removeOld(newest: string): Promise<void> {
  const others = (await readdir(packages)).map((name) => join(packages, name)).filter((path) => path !== newest);
  const dated = await Promise.all(others.map(async (path) => ({ path, time: (await stat(path)).mtimeMs })));
  dated.sort((a, b) => b.time - a.time);
  for (const { path } of dated.slice(kept)) await rm(path, { force: true });
}
