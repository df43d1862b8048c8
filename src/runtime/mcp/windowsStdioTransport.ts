import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Disposable } from '../base/lifecycle.ts';
import type { StdioEvents, StdioTarget } from './stdioTransport.ts';

/** The same for Windows, where the library finds `npx.cmd` and its like, and the system knows what descends from a process. */
export class WindowsStdioTransport extends StdioClientTransport {
  readonly #events: StdioEvents;
  #note: Disposable | undefined;

  constructor({ command, args, env, cwd }: StdioTarget, events: StdioEvents) {
    super({ command, args: [...args], env: { ...env }, ...(cwd !== undefined && { cwd }), stderr: 'pipe' });
    this.#events = events;
    this.stderr?.on('data', (chunk: Buffer) => events.onErrorOutput(chunk.toString()));
  }

  override async start(): Promise<void> {
    await super.start();
    if (this.pid !== null) this.#note = this.#events.onProcess(this.pid);
  }

  override async close(): Promise<void> {
    // Once the first process has gone, nobody can tell any more what it had started. It may be gone already.
    if (this.pid !== null) await promisify(execFile)('taskkill', ['/pid', String(this.pid), '/T', '/F'], { windowsHide: true }).catch(() => undefined);
    await super.close();
    this.#note?.dispose();
  }
}
