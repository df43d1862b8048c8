import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { newRunMark } from '../../../src/runtime/base/runMark.ts';
import { endLeftovers } from '../../../src/runtime/leftovers.ts';
import { JsonlFile } from '../../../src/runtime/store/jsonl.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

describe('what a dead window left running', function () {
  this.timeout(20_000);

  it('is ended by its mark where the shell that started it is gone, and nothing without that mark', async function () {
    if (process.platform !== 'linux') return this.skip();
    const folder = await temporaryFolder();
    const [ours, ended, others] = [newRunMark(), newRunMark(), newRunMark()];
    const started = [ours, ended, others].map(({ env }): ChildProcess => spawn('sleep', ['1000'], { env: { PATH: process.env['PATH'], ...env }, detached: true, stdio: 'ignore' }));
    try {
      await Promise.all(started.map((child) => once(child, 'spawn')));
      const path = join(folder.path, 'notes.jsonl');
      const notes = new JsonlFile<object>(path);
      const exits = started.map((child) => once(child, 'exit'));
      // Of a command that has ended all that had its mark was ended with it.
      for (const [pid, mark] of [[1_000_000_001, ours], [1_000_000_002, ended]] as const) await notes.append({ pid, startedAt: '1', mark: mark.id });
      await notes.append({ ended: 1_000_000_002 });
      const forgotten: string[] = [];
      await endLeftovers({ dead: async () => [{ hostId: 'dead', isHere: true }], processesPath: () => path, forget: async (hostId) => void forgotten.push(hostId) }, folder.path);
      await exits[0];
      assert.deepEqual(started.map(({ signalCode }) => signalCode), ['SIGTERM', null, null]);
      assert.deepEqual(forgotten, ['dead']);
    } finally {
      for (const child of started) child.kill('SIGKILL');
      await folder.remove();
    }
  });
});
