import assert from 'node:assert/strict';
import { mkdir, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { GateAnswer, ToolGate } from '../../../src/runtime/domain/gate.ts';
import { createGate } from '../../../src/runtime/permissions/gate.ts';
import { layersFor } from '../../../src/runtime/permissions/layers.ts';
import { SecondChances } from '../../../src/runtime/permissions/secondChances.ts';
import { call, child, command, readsFile, ROOT, tempFolder, WatchedQueue } from '../../support/permissionsCalls.ts';

const test = [command('npm test')];

/** Nobody is there to ask, so that what asks is refused. */
describe('a call that was refused', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let chances: SecondChances;
  let gate: ToolGate;

  beforeEach(async () => {
    ({ folder, remove } = await tempFolder());
    chances = new SecondChances();
    gate = createGate(new WatchedQueue(), { chances });
  });
  afterEach(() => remove());

  const make = (targets: Parameters<typeof call>[2], options: Parameters<typeof call>[3] = {}): Promise<GateAnswer> => gate(call(folder, 'Bash', targets, { agent: child('a'), ...options }));
  const isAllowed = async (targets: Parameters<typeof call>[2], options: Parameters<typeof call>[3] = {}): Promise<boolean> => (await make(targets, options)).allowed;

  it('is let through once where a person grants it, and then asks again', async () => {
    assert.equal(await isAllowed(test), false);
    assert.deepEqual(chances.list('a'), [{ agent: child('a'), callId: 'c', tool: 'Bash', action: 'npm test', why: 'No rule allows it.' }]);
    assert.equal(chances.grant('a', 'c')?.action, 'npm test');
    assert.deepEqual(chances.list('a'), []);
    assert.equal(await isAllowed(test), true);
    assert.equal(await isAllowed(test), false);
  });

  it('is let through for no other agent, tool or input', async () => {
    await make(test);
    chances.grant('a', 'c');
    assert.equal(await isAllowed([command('npm test ')]), false);
    assert.equal(await isAllowed([command('npm test'), command('ls')]), false);
    assert.equal(await isAllowed(test, { agent: child('b') }), false);
    assert.equal((await gate(call(folder, 'Shell', test, { agent: child('a') }))).allowed, false);
    assert.equal(await isAllowed(test), true);
  });

  it('is the same whatever the order of its fields', async () => {
    const base = call(folder, 'Bash', test, { agent: child('a') });
    await gate({ ...base, input: { targets: test, a: 1, b: { c: 1, d: [1, 2] } } });
    chances.grant('a', 'c');
    assert.equal((await gate({ ...base, input: { b: { d: [2, 1], c: 1 }, a: 1, targets: test } })).allowed, false);
    assert.equal((await gate({ ...base, input: { b: { d: [1, 2], c: 1 }, a: 1, targets: test } })).allowed, true);
  });

  it('is another one where a link leads elsewhere by now', async () => {
    await mkdir(path.join(folder, 'work'));
    for (const name of ['one', 'two']) await writeFile(path.join(folder, name), name);
    await symlink('../one', path.join(folder, 'work', 'link'));
    const read = (): Promise<GateAnswer> => gate(call(path.join(folder, 'work'), 'Read', [readsFile('link')], { agent: child('a') }));
    assert.equal((await read()).allowed, false);
    chances.grant('a', 'c');
    await unlink(path.join(folder, 'work', 'link'));
    await symlink('../two', path.join(folder, 'work', 'link'));
    assert.equal((await read()).allowed, false);
  });

  it('can not be granted where a rule denies it, nor is a grant stronger than such a rule', async () => {
    const denying = { layers: layersFor('child', { user: { deny: ['Bash(npm test)'] } }) };
    await make(test, denying);
    assert.deepEqual(chances.list('a'), []);
    await make(test);
    chances.grant('a', 'c');
    assert.equal(await isAllowed(test, denying), false);
  });

  it('can be granted where its agent never asks', async () => {
    const silent = { layers: layersFor('child', { user: {}, definition: { onAsk: 'deny' } }) };
    assert.equal(await isAllowed(test, silent), false);
    assert.ok(chances.grant('a', 'c'));
    assert.equal(await isAllowed(test, silent), true);
  });

  it('counts as refused again when its grant was not used before the run ended', async () => {
    await make(test);
    chances.grant('a', 'c');
    chances.endRun('a');
    assert.equal(chances.list('a').length, 1);
    assert.equal(await isAllowed(test), false);
  });

  it('is kept once, and only the latest of many', async () => {
    for (let index = 0; index < 30; index++) await make([command(`x ${index % 25}`)]);
    assert.deepEqual(chances.list('a').map(({ action }) => action), Array.from({ length: 20 }, (_, index) => `x ${(index + 10) % 25}`));
  });

  it('of the chat itself is not kept: its person is there', async () => {
    await make(test, { agent: ROOT });
    assert.equal(chances.grant('s', 'c'), undefined);
  });
});
