import { cpSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import { textOf } from '../../src/runtime/domain/messages.ts';
import type { AgentFixture } from './agentFixture.ts';

export type Folders = Pick<AgentFixture, 'cwd' | 'storageDir'>;

/** The folders of a runtime as a crash at this moment would leave them: its storage, without its host's sign of life and without what is only half written. */
export async function crashed({ cwd, storageDir }: Folders): Promise<Folders & { remove(): Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'crashed-')));
  const copy = join(folder, 'storage');
  cpSync(storageDir, copy, { recursive: true, filter: (path) => !/^hosts$|\.(json|jsonl)\../.test(basename(path)) });
  return { cwd, storageDir: copy, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The completions of groups in a session's transcript. */
export async function completionsIn(agent: LiteAgent, sessionId: string): Promise<readonly string[]> {
  const entries = await agent.transcript(sessionId);
  return entries.flatMap((entry) => (entry.type === 'message' && entry.message.role === 'user' && entry.message.source === 'completion' ? [textOf(entry.message.content)] : []));
}
