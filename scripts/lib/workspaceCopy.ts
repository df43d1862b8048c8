import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execOrThrow } from './exec.ts';
import { sampleWorkspace } from './paths.ts';

/** Copies a workspace (the sample by default) and makes the copy a git repository with one commit, where git is there. */
export async function copyWorkspace(to: string, from: string = sampleWorkspace): Promise<string> {
  await mkdir(to, { recursive: true });
  await cp(from, to, { recursive: true });
  if (!existsSync(join(to, '.git'))) await commitAll(to);
  return to;
}

async function commitAll(folder: string): Promise<void> {
  const identity = ['-c', 'user.name=Sample', '-c', 'user.email=sample@example.com', '-c', 'commit.gpgsign=false'];
  try {
    await execOrThrow('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
    await execOrThrow('git', ['add', '--all'], { cwd: folder });
    await execOrThrow('git', [...identity, 'commit', '--quiet', '--message=Initial commit'], { cwd: folder });
  } catch {
    // Without git the workspace is an ordinary folder.
  }
}
