// `npm start`: VS Code with the extension and the sample workspace, until stopped. `npm start -- --once` does the main job and ends.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runOnce } from './lib/once.ts';
import { packageExtension } from './lib/package.ts';
import { cacheDir } from './lib/paths.ts';
import { installVsCode, startServer } from './lib/vscode.ts';
import { copyWorkspace } from './lib/workspaceCopy.ts';

const { values } = parseArgs({ options: { once: { type: 'boolean', default: false }, port: { type: 'string' } } });
if (values.once) process.exitCode = await runOnce();
else await serve(values.port === undefined ? 0 : Number(values.port));

async function serve(port: number): Promise<void> {
  const home = join(cacheDir, 'start');
  const workspace = join(home, 'workspace');
  await mkdir(home, { recursive: true });
  const [vsix] = await Promise.all([packageExtension(), installVsCode()]);
  if (!existsSync(workspace)) await copyWorkspace(workspace);
  const server = await startServer({ dataDir: join(home, 'data'), port, token: await token(join(home, 'token')), extensions: [vsix] });
  console.log(`\nVS Code with Subagent Panel is ready:\n\n  ${server.url(workspace)}\n\nLog: ${server.log}\nStop with Ctrl+C.`);
}

/** The same from start to start, so that an open window finds its server again. Readable by its owner alone. */
async function token(file: string): Promise<string> {
  if (!existsSync(file)) await writeFile(file, randomUUID(), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}
