import assert from 'node:assert/strict';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isAbort } from '../../../src/runtime/base/abort.ts';
import { deferred } from '../../../src/runtime/base/async.ts';
import type { AgentRef } from '../../../src/runtime/domain/agents.ts';
import type { ApprovalRequest } from '../../../src/runtime/domain/approvals.ts';
import type { RuntimeEventBody } from '../../../src/runtime/domain/events.ts';
import type { GateAnswer, ToolGate } from '../../../src/runtime/domain/gate.ts';
import type { PermissionLayer, PermissionLists, PermissionMode } from '../../../src/runtime/domain/permissions.ts';
import type { ToolDefinition, ToolPreview } from '../../../src/runtime/domain/tools.ts';
import { createGate } from '../../../src/runtime/permissions/gate.ts';
import { layersFor } from '../../../src/runtime/permissions/layers.ts';
import { call, child, command, readsFile, ROOT, tempFolder, tool, WatchedQueue, writes } from '../../support/permissionsCalls.ts';

const user = (lists: PermissionLists): PermissionLayer[] => [{ name: 'user', lists }];

describe('the gate', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let queue: WatchedQueue;
  let gate: ToolGate;

  beforeEach(async () => {
    ({ folder, remove } = await tempFolder());
    await mkdir(path.join(folder, 'work', 'src'), { recursive: true });
    folder = path.join(folder, 'work');
    await writeFile(path.join(folder, 'src', 'a.ts'), 'a');
    queue = new WatchedQueue({ saveRule: () => async () => {} });
    queue.attach();
    gate = createGate(queue);
  });
  afterEach(() => remove());

  /** The request that the answer waits for. */
  async function asked(answer: Promise<GateAnswer>): Promise<ApprovalRequest> {
    const settled = answer.then((each) => assert.fail(`settled without asking: ${JSON.stringify(each)}`));
    await Promise.race([queue.whenPending(1), settled]);
    settled.catch(() => undefined);
    const request = queue.pending()[0];
    assert.ok(request);
    return request;
  }

  function messageOf(answer: GateAnswer): string {
    assert.ok(!answer.allowed);
    return answer.message;
  }

  it('lets an allowed call through without any request, with its real paths (21)', async () => {
    await symlink('src', path.join(folder, 'alias'));
    const answer = await gate(call(folder, 'Read', [readsFile('alias/a.ts'), readsFile('src/new.ts')]));
    assert.deepEqual(answer, { allowed: true, realPaths: [path.join(folder, 'src/a.ts'), path.join(folder, 'src/new.ts')] });
    assert.deepEqual(queue.events, []);
  });

  it('says of an allowed call that is nothing but commands which only read, and of no other', async () => {
    const layers = user({ allow: ['Bash', 'Act'] });
    const only = async (name: string, ...targets: Parameters<typeof call>[2]): Promise<boolean> => {
      const answer = await gate(call(folder, name, targets, { layers }));
      assert.ok(answer.allowed);
      return answer.onlyReads === true;
    };
    for (const text of ['ls', 'ls src && git status', 'cat src/a.ts | wc -l']) assert.equal(await only('Bash', command(text)), true, text);
    for (const text of ['make', 'ls; make', 'cat src/a.ts | tee x', 'git checkout .', 'cd src && git status']) assert.equal(await only('Bash', command(text)), false, text);
    assert.equal(await only('Act'), false);
    assert.equal(await only('Bash', command('ls'), command('make')), false);
    gate = createGate(queue, { mode: () => 'dry-run' });
    assert.equal(await only('Bash', command('ls')), true);
    assert.equal(await only('Bash', command('ls > x')), false);
  });

  it('lets what is allowed for the group count for a tool that all share, and else for agents of that kind', async () => {
    const [shared, own, other] = [tool('Shared'), tool('Act'), tool('Act')];
    gate = createGate(queue, { isShared: (each) => each === shared });
    const act = (agentId: string, owner: string, used: ToolDefinition): Promise<GateAnswer> => gate(call(folder, used.name, [], { agent: child(agentId), owner, tool: used, layers: layersFor('child', { user: {} }) }));
    for (const used of [own, shared]) {
      const [first, waiting, same] = [act('a', 'one', used), act('b', 'two', used === own ? other : used), act('c', 'one', used)];
      await queue.whenPending(3);
      await queue.decide(queue.pending()[0]?.id ?? '', { kind: 'allow_group' });
      assert.deepEqual([(await first).allowed, (await same).allowed], [true, true]);
      assert.deepEqual(queue.pending().map(({ agent }) => agent), used === own ? [child('b')] : []);
      for (const { id } of queue.pending()) await queue.decide(id, { kind: 'deny' });
      assert.equal((await waiting).allowed, used === shared);
    }
    assert.equal((await act('d', 'one', own)).allowed, true);
    const late = act('d', 'two', other);
    await asked(late);
    queue.endGroup('g');
    const again = act('d', 'one', own);
    await queue.whenPending(2);
    for (const { id } of queue.pending()) await queue.decide(id, { kind: 'deny' });
    assert.deepEqual([(await late).allowed, (await again).allowed], [false, false]);
  });

  it('16: a child whose rules ask does ask, and runs when a person allows it', async () => {
    const answer = gate(call(folder, 'Edit', [writes('src/a.ts')], { agent: child('a'), layers: layersFor('child', { user: { ask: ['*'] } }) }));
    const request = await asked(answer);
    assert.deepEqual(request.agent, child('a'));
    assert.equal(request.tool, 'Edit');
    assert.equal(request.action, 'edit src/a.ts');
    assert.match(request.why, /\*/);
    assert.equal(request.rule, 'Edit(src/a.ts)');
    assert.equal(request.canAlways, false);
    await queue.decide(request.id, { kind: 'allow_once' });
    assert.deepEqual(await answer, { allowed: true, realPaths: [path.join(folder, 'src/a.ts')] });
  });

  it('offers "always" only where the saved rule would have allowed the call', async () => {
    const offers: [Parameters<typeof call>[2], string, readonly PermissionLayer[], boolean][] = [
      [[writes('src/a.ts')], 'Edit', user({}), true],
      [[writes('.vscode/settings.json')], 'Edit', user({}), false],
      [[command('npm test')], 'Bash', user({}), true],
      [[command('npm test && ls')], 'Bash', user({}), false],
      [[command('npm test')], 'Bash', [...user({}), { name: 'definition', lists: { ask: ['Bash'] } }], false],
      [[command('npm test')], 'Bash', [...user({}), { name: 'definition', lists: { allow: ['Read'] } }], false],
      [[], 'mcp__a__b', user({}), true],
    ];
    for (const [targets, name, layers, expected] of offers) {
      const answer = gate(call(folder, name, targets, { layers }));
      const request = await asked(answer);
      assert.equal(request.canAlways, expected, request.action);
      await queue.decide(request.id, { kind: 'deny' });
      await answer;
    }
  });

  it('says in one line what the call would do, commands and URLs in full (9)', async () => {
    const long = `echo ${'a'.repeat(3000)}`;
    const actions: [Parameters<typeof call>[2], string, string][] = [
      [[command(long)], 'Bash', long],
      [[command('a\nb \u202e c')], 'Bash', 'a ⏎ b c'],
      [[writes('src/a.ts')], 'Write', 'write src/a.ts'],
      [[readsFile('../x')], 'Read', `read ${path.dirname(folder)}/x`],
      [[{ kind: 'url', url: 'https://example.org/a' }], 'WebFetch', 'fetch https://example.org/a'],
      [[], 'mcp__a__b', 'mcp__a__b {"targets":[]}'],
    ];
    for (const [targets, name, action] of actions) {
      const answer = gate(call(folder, name, targets));
      const request = await asked(answer);
      assert.equal(request.action, action);
      await queue.decide(request.id, { kind: 'deny' });
      await answer;
    }
  });

  it('says what the tool itself has to say, and of what acts on the run what it does now', async () => {
    const own: [Partial<ToolDefinition>, string][] = [
      [{ action: () => 'schedule  every minute:\nHello' }, 'schedule every minute: ⏎ Hello'],
      [{ action: () => undefined, targets: () => [command('npm test')] }, 'npm test'],
      [{ action: () => 'in the background: npm test', targets: () => [command('npm test')] }, 'in the background: npm test'],
      [{ actsOnRun: true, describe: () => 'Adding the task A' }, 'Adding the task A'],
      [{ describe: () => 'Doing it' }, 'Custom {"targets":[]}'],
    ];
    for (const [overrides, action] of own) {
      const answer = gate(call(folder, 'Custom', [], { tool: tool('Custom', overrides), layers: user({ ask: ['Custom', 'Bash'] }) }));
      const request = await asked(answer);
      assert.equal(request.action, action);
      await queue.decide(request.id, { kind: 'deny' });
      await answer;
    }
  });

  it('shows the preview of the tool, the input as JSON without one, and says so when it fails', async () => {
    const previews: [(() => Promise<ToolPreview>) | undefined, RegExp][] = [
      [async () => ({ kind: 'text', text: 'mine' }), /^mine$/],
      [undefined, /^\{\n {2}"targets": \[\]\n\}$/],
      [() => Promise.reject(new Error('unreadable')), /unreadable[^]*"targets"/],
      [() => { throw new Error('thrown'); }, /thrown/],
      ...[undefined, null, 'mine', {}, { kind: 'text' }, { kind: 'diff', path: 'a', before: '' }, { kind: 'command', command: 5, cwd: '/' }, { kind: 'picture', text: '' }].map(
        (given): [() => Promise<ToolPreview>, RegExp] => [async () => given as ToolPreview, /can not be read[^]*"targets"/],
      ),
    ];
    for (const [preview, expected] of previews) {
      const answer = gate(call(folder, 'Custom', [], { tool: tool('Custom', preview ? { preview } : {}) }));
      const request = await asked(answer);
      assert.ok(request.preview.kind === 'text');
      assert.match(request.preview.text, expected);
      await queue.decide(request.id, { kind: 'allow_once' });
      assert.equal((await answer).allowed, true);
    }
  });

  it('23: a denied call never reaches the queue, whoever calls and whatever its own lists say', async () => {
    const sources = { user: { allow: ['*'] }, workspace: { deny: ['Bash(git push:*)', 'Edit(src/**)'] }, definition: { allow: ['*'] } };
    for (const [agent, kind] of [[ROOT, 'root'], [child('a'), 'child'], [child('a', 'resumed'), 'child']] as [AgentRef, 'root' | 'child'][]) {
      const layers = layersFor(kind, sources);
      assert.match(messageOf(await gate(call(folder, 'Bash', [command('git push')], { agent, layers }))), /Bash\(git push:\*\).*workspace/);
      assert.match(messageOf(await gate(call(folder, 'Write', [writes('src/new.ts')], { agent, layers }))), /Edit\(src\/\*\*\)/);
    }
    assert.deepEqual(queue.events, []);
  });

  it('allowing for the group never lifts a deny', async () => {
    const first = gate(call(folder, 'Bash', [command('npm test')], { agent: child('a') }));
    await queue.decide((await asked(first)).id, { kind: 'allow_group' });
    const denied = await gate(call(folder, 'Bash', [command('npm test')], { agent: child('b'), layers: user({ deny: ['Bash(npm:*)'] }) }));
    assert.equal(denied.allowed, false);
  });

  it('a deny that comes while calls wait holds against every answer', async () => {
    for (const kind of ['allow_group', 'allow_once'] as const) {
      const deny: string[] = [];
      const make = (id: string): Promise<GateAnswer> => gate({ ...call(folder, 'Bash', [command('npm test')], { agent: child(id, kind) }), layersNow: () => user({ deny }) });
      const answers = [make('a'), make('b')];
      await queue.whenPending(2);
      deny.push('Bash(npm test:*)');
      for (const { id } of queue.pending()) await queue.decide(id, { kind });
      for (const answer of await Promise.all(answers)) assert.match(messageOf(answer), /Bash\(npm test:\*\)/);
    }
  });

  it('an agent that never asks is refused at once, whoever is there and whatever its group was allowed', async () => {
    const first = gate(call(folder, 'Bash', [command('npm test')], { agent: child('a') }));
    await queue.decide((await asked(first)).id, { kind: 'allow_group' });
    const before = queue.events.length;
    const layers = layersFor('child', { user: { allow: ['Bash(ls:*)'] }, definition: { onAsk: 'deny' } });
    assert.match(messageOf(await gate(call(folder, 'Bash', [command('npm test')], { agent: child('b'), layers }))), /never asks/);
    assert.equal((await gate(call(folder, 'Bash', [command('ls')], { agent: child('b'), layers }))).allowed, true);
    assert.equal(queue.events.length, before);
  });

  it('tells of what was refused without asking, and with nothing else', async () => {
    const events: RuntimeEventBody[] = [];
    const telling = createGate(queue, { publish: (event) => events.push(event) });
    await telling(call(folder, 'Read', [readsFile('src/a.ts')]));
    await telling(call(folder, 'Bash', [command('git push')], { layers: user({ deny: ['Bash(git push:*)'] }) }));
    await telling(call(folder, 'Write', [writes('../x')]));
    await telling(call(folder, 'Read', [readsFile('/dev/zero')], { agent: child('a') }));
    const [byRule, byDefault, byPath, ...others] = events;
    assert.ok(byRule?.type === 'permission.denied' && byDefault?.type === 'permission.denied' && byPath?.type === 'permission.denied');
    assert.deepEqual([byRule.agent, byRule.callId, byRule.tool, byRule.action, byRule.rule], [ROOT, 'c', 'Bash', 'git push', 'Bash(git push:*)']);
    assert.deepEqual([byDefault.rule, byDefault.why], [undefined, 'It would write outside the workspace folders.']);
    assert.match(`${byPath.action} ${byPath.why}`, /\/dev\/zero.*system/);
    assert.deepEqual(others, []);
  });

  it('in a dry run records what it would have asked or refused, and stops nothing that is a matter of rules', async () => {
    const events: RuntimeEventBody[] = [];
    let mode: PermissionMode = 'dry-run';
    const dry = createGate(queue, { publish: (event) => events.push(event), mode: () => mode });
    const layers = user({ deny: ['Bash(git push:*)'] });
    for (const [name, target] of [['Bash', command('git push')], ['Edit', writes('src/a.ts')], ['Read', readsFile('src/a.ts')]] as const) {
      assert.equal((await dry(call(folder, name, [target], { layers }))).allowed, true);
    }
    assert.deepEqual(events.map((event) => event.type === 'permission.dry_run' && [event.verdict, event.action, event.rule]), [
      ['deny', 'git push', 'Bash(git push:*)'],
      ['ask', 'edit src/a.ts', undefined],
    ]);
    assert.match(messageOf(await dry(call(folder, 'Read', [readsFile('a\0b')]))), /NUL/);
    assert.deepEqual(queue.events, []);
    mode = 'enforce';
    assert.equal((await dry(call(folder, 'Bash', [command('git push')], { layers }))).allowed, false);
  });

  it('allowing for the group lets its next calls through, also where a rule asks, and settles waiting ones', async () => {
    const layers = user({ ask: ['Bash'] });
    const answers = ['a', 'b'].map((id) => gate(call(folder, 'Bash', [command('npm test')], { agent: child(id), layers })));
    await queue.whenPending(2);
    await queue.decide(queue.pending()[0]?.id ?? '', { kind: 'allow_group' });
    assert.deepEqual((await Promise.all(answers)).map(({ allowed }) => allowed), [true, true]);
    assert.equal((await gate(call(folder, 'Bash', [command('npm test -w')], { agent: child('c'), layers }))).allowed, true);
    const events = queue.events.length;
    void gate(call(folder, 'Bash', [command('npm test')], { agent: child('x', 'other'), layers })).catch(() => undefined);
    await queue.whenPending(1);
    assert.equal(queue.events.length, events + 1);
  });

  it('13, 14: denying one child tells that child why and leaves its siblings waiting', async () => {
    const [first, second] = ['a', 'b'].map((id) => gate(call(folder, 'Bash', [command(`make ${id}`)], { agent: child(id) })));
    assert.ok(first && second);
    await queue.whenPending(2);
    const requestOf = (id: string): string => queue.pending().find(({ agent }) => agent.kind === 'child' && agent.agentId === id)?.id ?? '';
    await queue.decide(requestOf('a'), { kind: 'deny', message: 'use npm instead' });
    assert.match(messageOf(await first), /user.*use npm instead/);
    assert.equal(queue.pending().length, 1);
    await queue.decide(requestOf('b'), { kind: 'allow_once' });
    assert.equal((await second).allowed, true);
  });

  it('17: with nobody to answer, what no rule covers fails at once with a reason', async () => {
    const alone = createGate(new WatchedQueue());
    const layers = layersFor('child', { user: { allow: ['Bash(ls:*)'] } });
    for (const agent of [ROOT, child('a')]) {
      assert.equal((await alone(call(folder, 'Bash', [command('ls')], { agent, layers }))).allowed, true);
      assert.match(messageOf(await alone(call(folder, 'Bash', [command('rm x')], { agent, layers }))), /nobody/);
    }
  });

  it('1: aborting a child withdraws its request and rejects with the abort error', async () => {
    const controller = new AbortController();
    const answer = gate(call(folder, 'Bash', [command('make')], { agent: child('a'), signal: controller.signal }));
    await asked(answer);
    controller.abort();
    await assert.rejects(answer, isAbort);
    assert.deepEqual(queue.pending(), []);
    await assert.rejects(gate(call(folder, 'Read', [readsFile('src/a.ts')], { signal: controller.signal })), isAbort);
  });

  it('an abort ends the wait for a preview that hangs', async () => {
    const controller = new AbortController();
    const started = deferred<void>();
    const hanging = tool('Custom', { preview: () => { started.resolve(); return new Promise(() => {}); } });
    const answer = gate(call(folder, 'Custom', [], { tool: hanging, signal: controller.signal }));
    await started.promise;
    controller.abort();
    await assert.rejects(answer, isAbort);
    assert.deepEqual(queue.events, []);
  });

  it('fails closed: whatever goes wrong inside is a denial with its text', async () => {
    const broken = tool('Custom', { targets: () => { throw new Error('no targets today'); } });
    assert.match(messageOf(await gate(call(folder, 'Custom', [], { tool: broken, layers: user({ allow: ['*'] }) }))), /no targets today/);
    const parserless = createGate(queue, { readCommand: () => Promise.reject(new Error('no parser')) });
    assert.match(messageOf(await parserless(call(folder, 'Bash', [command('ls')], { layers: user({ allow: ['*'] }) }))), /no parser/);
    assert.match(messageOf(await gate(call(folder, 'Read', [readsFile('a\0b')], { layers: user({ allow: ['*'] }) }))), /NUL/);
    queue.dispose();
    assert.equal((await gate(call(folder, 'Bash', [command('ls')]))).allowed, false);
  });

  it('30: a link out of the workspace is judged by where it leads', async () => {
    const outside = path.join(path.dirname(folder), 'outside');
    await mkdir(outside);
    await symlink(outside, path.join(folder, 'out'));
    assert.equal((await gate(call(folder, 'Write', [writes('out/new')], { layers: user({ allow: ['Edit'] }) }))).allowed, false);
    const reading = gate(call(folder, 'Read', [readsFile('out/x')]));
    await queue.decide((await asked(reading)).id, { kind: 'deny' });
    assert.equal((await reading).allowed, false);
    const listed = await gate(call(folder, 'Write', [writes('out/new')], { layers: user({ allow: [`Edit(/${outside}/**)`] }) }));
    assert.deepEqual(listed, { allowed: true, realPaths: [path.join(outside, 'new')] });
  });

  it('judges the files that a command opens by where they really are', async () => {
    const outside = path.join(path.dirname(folder), 'outside');
    await mkdir(outside);
    await symlink(outside, path.join(folder, 'out'));
    const layers = user({ allow: ['Bash', 'Edit(src/**)'] });
    const verdict = async (text: string): Promise<string> => {
      const answer = gate(call(folder, 'Bash', [command(text)], { layers }));
      const asking = queue.whenPending(1).then(() => 'ask');
      const verdict = await Promise.race([answer.then(({ allowed }) => (allowed ? 'allow' : 'deny')), asking]);
      if (verdict === 'ask') await queue.decide(queue.pending()[0]?.id ?? '', { kind: 'deny' });
      await answer;
      return verdict;
    };
    const cases: [string, string][] = [
      ['ls > src/new', 'allow'], ['ls > new', 'ask'], ['ls > out/new', 'deny'], ['ls > /etc/new', 'deny'], ['ls > /dev/sda', 'deny'], ['cat < /proc/self/status', 'deny'],
      ['cat < out/x', 'ask'], ['cat < src/a.ts', 'allow'], ["ls > '~/new'", 'ask'], ["ls > 'file:///etc/new'", 'ask'], ['ls > src/new 2> out/new', 'deny'], ['ls > src/new 2>&1', 'allow'],
    ];
    for (const [text, expected] of cases) assert.equal(await verdict(text), expected, text);
  });

  it('denies when a file that a command opens became another one while the person thought about it', async () => {
    const answer = gate(call(folder, 'Bash', [command('ls > src/new')]));
    const request = await asked(answer);
    assert.equal(request.rule, undefined);
    assert.equal(request.action, 'ls > src/new');
    await rename(path.join(folder, 'src'), path.join(folder, 'old'));
    await symlink('old', path.join(folder, 'src'));
    await queue.decide(request.id, { kind: 'allow_once' });
    assert.match(messageOf(await answer), /changed/);
  });

  it('denies when a link was swapped while the person thought about it', async () => {
    const answer = gate(call(folder, 'Edit', [writes('src/a.ts')]));
    const request = await asked(answer);
    await rename(path.join(folder, 'src'), path.join(folder, 'old'));
    await symlink('old', path.join(folder, 'src'));
    await queue.decide(request.id, { kind: 'allow_once' });
    assert.match(messageOf(await answer), /changed/);
  });

  it('2: a resumed child asks under its new group', async () => {
    const controller = new AbortController();
    const before = gate(call(folder, 'Bash', [command('make')], { agent: child('a', 'g1'), signal: controller.signal }));
    await asked(before);
    controller.abort();
    await assert.rejects(before, isAbort);
    const again = gate(call(folder, 'Bash', [command('make')], { agent: child('a', 'g2') }));
    const request = await asked(again);
    assert.deepEqual(request.agent, child('a', 'g2'));
    await queue.decide(request.id, { kind: 'allow_once' });
    assert.equal((await again).allowed, true);
  });
});
