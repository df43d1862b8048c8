import assert from 'node:assert/strict';
import { cpSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RuntimeEventType } from '../../src/runtime/domain/events.ts';
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

/** The results of calls, in a session's transcript, that deliver a group. */
export async function resultsIn(agent: LiteAgent, sessionId: string): Promise<readonly string[]> {
  const entries = await agent.transcript(sessionId);
  const results = entries.flatMap((entry) => (entry.type === 'message' && entry.message.role === 'tool' ? entry.message.results : []));
  return results.flatMap(({ delivers, content }) => (delivers === undefined ? [] : [textOf(content)]));
}

/** Lets the runtime work, and copies its storage in each state that it has from the first event of that type on; the last is the storage itself. */
export async function storageStates({ agent, ...folders }: AgentFixture, from: RuntimeEventType, work: () => Promise<void>): Promise<{ readonly states: readonly Folders[]; readonly remove: () => Promise<void> }> {
  const found: ReturnType<typeof crashed>[] = [];
  let state = '';
  let isOver = false;
  const copy = (): void => {
    const now = stateOf(folders.storageDir);
    if (now !== state) found.push(crashed(folders));
    state = now;
    if (!isOver) setImmediate(copy);
  };
  agent.subscribe(({ type }) => {
    if (type === from && state === '') copy();
  });
  await work();
  isOver = true;
  const copies = await Promise.all(found);
  return {
    states: [...copies, folders],
    remove: async () => {
      await Promise.all(copies.map((each) => each.remove()));
    },
  };
}

/** How much there is of groups and transcripts. */
function stateOf(storageDir: string): string {
  return ['groups', 'transcripts'].flatMap((folder) => readdirSync(join(storageDir, folder)).map((name) => `${name} ${statSync(join(storageDir, folder, name), { throwIfNoEntry: false })?.size}`)).join();
}

/** Cuts a file before the line with that text. */
export async function cutBefore(path: string, text: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes(text));
  assert.notEqual(at, -1);
  await writeFile(path, lines.slice(0, at).map((line) => `${line}\n`).join(''));
}
