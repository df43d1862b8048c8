import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentQuery } from '../../src/runtime/domain/agentApi.ts';
import type { RunOutcome } from '../../src/runtime/domain/agents.ts';
import type { RuntimeEnvironment, RuntimeOptions } from '../../src/runtime/domain/environment.ts';
import type { RuntimeEvent } from '../../src/runtime/domain/events.ts';
import { createRuntimeEnvironment } from '../../src/runtime/environment.ts';
import { ScriptedModel, type Script } from './scriptedModel.ts';

export interface ApiFixture {
  readonly runtime: RuntimeEnvironment;
  readonly model: ScriptedModel;
  /** Removes the folders. */
  end(): Promise<void>;
}

/** An environment on a scripted model, in folders of its own. */
export async function createEnvironment(script: Script, { workspace = {}, ...options }: Partial<RuntimeOptions> & { readonly workspace?: Readonly<Record<string, string>> } = {}): Promise<ApiFixture> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'api-')));
  const cwd = join(folder, 'workspace');
  await mkdir(cwd);
  for (const [path, text] of Object.entries(workspace)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  const model = new ScriptedModel(script);
  const runtime = createRuntimeEnvironment({ cwd, storageDir: join(folder, 'storage'), provider: model, model: { provider: 'scripted', model: 'm' }, env: { PATH: process.env['PATH'] }, ...options });
  return { runtime, model, end: () => rm(folder, { recursive: true, force: true }) };
}

/** All events of a query, and how it ended. */
export async function collect(query: AgentQuery): Promise<{ readonly events: readonly RuntimeEvent[]; readonly outcome: RunOutcome }> {
  const events: RuntimeEvent[] = [];
  for await (const event of query) events.push(event);
  return { events, outcome: await query.result };
}
