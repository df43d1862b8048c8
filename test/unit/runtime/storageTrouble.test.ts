import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { createNodeFiles } from '../../../src/runtime/store/nodeFiles.ts';
import { delegating, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';

describe('storage that fails', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  /** Puts a file where the folder of transcripts was, so that nothing can be written there. */
  async function breakTranscripts(): Promise<void> {
    await rename(join(fixture.storageDir, 'transcripts'), join(fixture.storageDir, 'aside'));
    await writeFile(join(fixture.storageDir, 'transcripts'), '');
  }

  it('is reported when a completion can not be kept, and rejects nowhere', async () => {
    const gate = deferred<void>();
    fixture = await startAgent(delegating({ A: [{ text: 'a', wait: gate.promise }] }));
    const session = await fixture.agent.openSession();
    await session.send('go');
    const unhandled: unknown[] = [];
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (error) => unhandled.push(error));
    try {
      await breakTranscripts();
      gate.resolve();
      const { message } = await fixture.recorder.until('problem', (event) => event.message.includes('did not reach'));
      assert.ok(message.includes(fixture.agent.groups()[0]?.groupId ?? '-'));
      await new Promise((next) => setImmediate(next));
      assert.deepEqual(unhandled, []);
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    }
  });

  it('leaves a conversation that can go on once the storage is back', async () => {
    const files = createNodeFiles();
    fixture = await startAgent([{ calls: [{ name: 'Write', input: { file_path: 'a', content: 'x' } }] }, { text: 'Fine.' }], {
      permissions: { user: { allow: ['Edit'] } },
      files: {
        ...files,
        async write(path, bytes) {
          await breakTranscripts();
          return files.write(path, bytes);
        },
      },
    });
    const session = await fixture.agent.openSession();
    assert.equal((await session.send('Write it.')).status, 'failed');
    await rm(join(fixture.storageDir, 'transcripts'));
    await mkdir(join(fixture.storageDir, 'transcripts'));
    assert.deepEqual(await session.send('And now?'), { status: 'completed', text: 'Fine.' });
    fixture.model.assertClean();
    const repaired = fixture.model.requests[1]?.messages.slice(0, 3) ?? [];
    assert.deepEqual(toolResults({ messages: repaired } as never).map(({ isError }) => isError), [true]);
  });

  it('does not make a group that runs look as if it had not started', async () => {
    fixture = await startAgent(() => ({ text: 'ok' }));
    const session = await fixture.agent.openSession();
    const listening = fixture.agent.subscribe((event) => {
      if (event.type !== 'group.accepted') return;
      renameSync(join(fixture.storageDir, 'transcripts'), join(fixture.storageDir, 'aside'));
      writeFileSync(join(fixture.storageDir, 'transcripts'), '');
    });
    const group = await session.delegate([{ display_name: 'A', prompt: 'a' }]);
    listening.dispose();
    assert.equal(group.children.length, 1);
    await fixture.recorder.until('problem', ({ message }) => message.includes('could not be told'));
  });
});
