import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { AgentFixture } from '../../support/agentFixture.ts';
import { heardBy, runGroup, startDefined } from '../../support/definedChildren.ts';
import { fixtureServer } from '../../support/mcpServers.ts';

const MARKER = 'marker-of-a-server-7731';
const { command, args = [] } = fixtureServer();
const FIELDS = ['mcpServers:', '  - own:', `      command: ${JSON.stringify(command)}`, `      args: ${JSON.stringify(args)}`, '      env:', `        SERVICE_KEY: ${MARKER}`];

describe('the configuration of a server that a definition brings', () => {
  let fixture: AgentFixture | undefined;
  afterEach(() => fixture?.end());

  async function start(): Promise<AgentFixture> {
    const look = { calls: [{ name: 'mcp__own__look', input: {} }] };
    fixture = await startDefined({ a: { fields: FIELDS, turns: [look, { text: 'one' }, look, { text: 'two' }] } }, { permissions: { user: { allow: ['mcp__own__*'] } } });
    await runGroup(fixture);
    return fixture;
  }
  async function goOn({ agent, recorder }: AgentFixture): Promise<readonly string[]> {
    const child = agent.groups()[0]?.children[0];
    assert.ok(child);
    const { groupId } = await agent.resumeChild(child.agentId, { prompt: 'again' });
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion' && cause.groupId === groupId);
    return agent.child(child.agentId)?.notes ?? [];
  }

  it('is stored nowhere, since it may hold secrets', async () => {
    const { agent, storageDir } = await start();
    await agent.close();
    const files = await readdir(storageDir, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
    assert.ok(texts.some((text) => text.includes('"server":"own"')), 'the definition itself is stored');
    assert.deepEqual(texts.filter((text) => text.includes(MARKER)), []);
  });

  it('is read from the file again when the run goes on', async () => {
    const notes = await goOn(await start());
    assert.deepEqual(notes, []);
    assert.deepEqual(heardBy(fixture as AgentFixture, 'a'), ['seen', 'seen']);
  });

  it('is missed, in words, once the file has changed', async () => {
    const started = await start();
    await writeFile(join(started.storageDir, '../definitions/a.md'), '---\ndescription: a\n---\nOther.\n');
    const notes = await goOn(started);
    assert.ok(notes.some((note) => note.includes('the definition that brought it is gone or has changed')), notes.join('\n'));
    assert.match(heardBy(started, 'a')[1] ?? '', /no tool named mcp__own__look/);
  });
});
