import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeEvent } from '../../src/runtime/domain/events.ts';
import { parseJsonl } from '../../src/runtime/store/jsonl.ts';

/** The events of all groups that the extension has stored under a server's data folder, oldest first. */
export async function storedEvents(dataDir: string): Promise<RuntimeEvent[]> {
  const paths = await readdir(dataDir, { recursive: true });
  const logs = paths.filter((path) => /subagent-panel[/\\]groups[/\\][^/\\]+\.jsonl$/.test(path));
  const texts = await Promise.all(logs.map((path) => readFile(join(dataDir, path), 'utf8')));
  return texts.flatMap((text) => parseJsonl<RuntimeEvent>(text)).sort((a, b) => a.at - b.at);
}
