import { glob, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { exec, type ExecResult } from '../../scripts/lib/exec.ts';
import { buildForDevelopment } from '../../scripts/lib/package.ts';
import { npm } from '../../scripts/lib/npm.ts';
import { projectRoot } from '../../scripts/lib/paths.ts';
import { temporaryFolder, type TemporaryFolder } from '../../scripts/lib/temporary.ts';

/** A project that installed the packed library, and nothing else from a registry. */
export interface InstalledPackage {
  /** Of the project; its programs are ES modules. */
  readonly folder: string;
  /** Where its programs have their temporary files. */
  readonly temporary: string;
  /** Of the installed package. */
  readonly packageDir: string;
  /** What the package holds, with `/` between folders. */
  readonly files: readonly string[];
  /** Bytes of the tarball. */
  readonly packedSize: number;
}

/** What the examples and their types need beside the package, as a project would have installed it: from our own dependencies. */
const LINKED = ['@types/node', '@vscode/ripgrep', '@modelcontextprotocol/server-everything'];

let home: Promise<TemporaryFolder> | undefined;
let installed: Promise<InstalledPackage> | undefined;

/** The project, made when it is first asked for; the same for all tests of a process. */
export function installedPackage(): Promise<InstalledPackage> {
  home ??= temporaryFolder('package');
  installed ??= home.then(({ path }) => install(path));
  return installed;
}

/** Removes it, if it was made. */
export async function removeInstalledPackage(): Promise<void> {
  await (await home)?.remove();
}

/** Runs a program of the project, in it, with nothing of the environment but the search path. */
export function runProgram({ folder, temporary }: InstalledPackage, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ExecResult> {
  return exec(process.execPath, args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: temporary, TMPDIR: temporary, ...env }, timeoutMs: 60_000 });
}

async function install(path: string): Promise<InstalledPackage> {
  const [packed, folder, temporary] = [join(path, 'packed'), join(path, 'project'), join(path, 'temporary')];
  await Promise.all([packed, folder, temporary].map((each) => mkdir(each)));
  // Beside the extension, which must not come along; and as a person would, so that the package builds itself.
  await buildForDevelopment();
  await npm(projectRoot, ['pack', '--pack-destination', packed], { scripts: true });
  const [name = ''] = await readdir(packed);
  const tarball = join(packed, name);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await npm(folder, ['install', '--omit=optional', '--prefer-offline', tarball], { scripts: true });
  for (const dependency of LINKED) await link(join(projectRoot, 'node_modules', dependency), join(folder, 'node_modules', dependency));
  await link(join(projectRoot, 'node_modules', '.bin', 'mcp-server-everything'), join(folder, 'node_modules', '.bin', 'mcp-server-everything'));
  const packageDir = join(folder, 'node_modules', 'subagent-panel');
  return { folder, temporary, packageDir, files: await filesIn(packageDir), packedSize: (await stat(tarball)).size };
}

async function link(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(from, to);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const entry of glob('**', { cwd: folder, withFileTypes: true })) {
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll(sep, '/'));
  }
  return files.sort();
}
