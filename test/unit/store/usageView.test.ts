import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { RuntimeEventBody } from '../../../src/runtime/domain/events.ts';
import { addUsage, NO_USAGE, type Usage } from '../../../src/runtime/domain/usage.ts';
import { GroupFolder } from '../../../src/runtime/store/groupFolder.ts';
import { RunProjection } from '../../../src/runtime/store/projection.ts';
import { isStoredEntry } from '../../../src/runtime/store/storedEntry.ts';
import { isStoredEvent } from '../../../src/runtime/store/storedEvent.ts';

const SESSION = 's';
const model = { provider: 'p', model: 'm' };
const accepted = (groupId: string, ids: readonly string[], round = 1): RuntimeEventBody => ({
  type: 'group.accepted',
  hostId: 'h',
  group: { groupId, sessionId: SESSION, cwd: '/', children: ids.map((agentId) => ({ agentId, displayName: agentId, definition: 'd', model, prompt: 'p', maxTurns: 9, tools: [], round })) },
});
const used = (groupId: string, agentId: string, usage: Partial<Usage>): RuntimeEventBody => ({ type: 'model.ended', agent: { kind: 'child', sessionId: SESSION, groupId, agentId, displayName: agentId }, stop: 'stop', usage: { ...NO_USAGE, ...usage } });

function after(...events: readonly RuntimeEventBody[]): RunProjection {
  const projection = new RunProjection();
  for (const event of events) projection.apply({ at: 0, ...event });
  return projection;
}

/** a and b in one group; then a goes on beside c, which is new. */
const ROUNDS = [accepted('g1', ['a', 'b']), used('g1', 'a', { input: 1, cost: 1 }), used('g1', 'b', { input: 10, cacheRead: 5, isPartial: true }), accepted('g2', ['a'], 2), used('g2', 'a', { input: 100, cost: 2 }), used('g2', 'a', { output: 1000 })];

describe('what was used, as the views tell it', () => {
  it('is that of all rounds for a child, and that of its own rounds for a group', () => {
    const projection = after(...ROUNDS);
    assert.deepEqual(projection.child('a')?.usage, { ...NO_USAGE, input: 101, output: 1000, cost: 3 });
    assert.deepEqual(projection.group('g1')?.usage, { ...NO_USAGE, input: 11, cacheRead: 5, cost: 1, isPartial: true });
    assert.deepEqual(projection.group('g2')?.usage, { ...NO_USAGE, input: 100, output: 1000, cost: 2 });
  });

  it('is the same summed over groups and over children: nothing counts twice', () => {
    const projection = after(...ROUNDS);
    const sum = (usages: readonly Usage[]): Usage => usages.reduce(addUsage, NO_USAGE);
    assert.deepEqual(sum(projection.groups().map(({ usage }) => usage)), sum(['a', 'b'].map((id) => projection.child(id)?.usage ?? NO_USAGE)));
  });

  it('is that of the root for no group', () => {
    const projection = after(...ROUNDS, { type: 'model.ended', agent: { kind: 'root', sessionId: SESSION }, stop: 'stop', usage: { ...NO_USAGE, input: 5 } });
    assert.deepEqual(projection.groups(), after(...ROUNDS).groups());
  });

  it('is stored with the view, and known of a view that an earlier version stored', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'usage-view-'));
    try {
      const folder = new GroupFolder(dir, assert.fail);
      const views = after(...ROUNDS).groups();
      for (const view of views) await folder.writeView(view);
      assert.deepEqual(views.map(({ groupId }) => folder.readView(groupId)), views);
      const path = join(dir, 'g1.view.json');
      const file = JSON.parse(await readFile(path, 'utf8')) as { view: { usage?: Usage } };
      delete file.view.usage;
      await writeFile(path, JSON.stringify(file));
      // What a used in this round alone is not known any more.
      assert.deepEqual(folder.readView('g1')?.usage, after(...ROUNDS).child('b')?.usage);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('is read where no cost was stored, and not where it makes no sense', () => {
    for (const [usage, isRead] of [[NO_USAGE, true], [{ ...NO_USAGE, cost: 1, isPartial: true, later: 1 }, true], [{ ...NO_USAGE, cost: '1' }, false], [{ input: 1 }, false]] as const) {
      assert.equal(isStoredEvent({ at: 0, type: 'model.ended', agent: { kind: 'root', sessionId: SESSION }, stop: 'stop', usage }), isRead);
      assert.equal(isStoredEntry({ at: 0, type: 'message', message: { role: 'assistant', stop: 'stop', content: [] }, usage }), isRead);
    }
    assert.equal(isStoredEvent({ at: 0, ...accepted('g', ['a']) }), true);
    const priced = (price: unknown): RuntimeEventBody => JSON.parse(JSON.stringify(accepted('g', ['a'])).replace('"model":"m"', `"model":"m","price":${JSON.stringify(price)}`)) as RuntimeEventBody;
    assert.deepEqual([{ input: 1, output: 2 }, { input: 1 }, { input: '1', output: 2 }].map((price) => isStoredEvent({ at: 0, ...priced(price) })), [true, false, false]);
  });
});
