import assert from 'node:assert/strict';
import type { Destination } from '../../../src/host/mcp/destination.ts';
import { McpInputs, type AskInput, type InputOwner } from '../../../src/host/mcp/mcpInputs.ts';
import type { AskedInput } from '../../../src/host/mcp/inputDeclaration.ts';
import type { WrittenServer } from '../../../src/host/mcp/serverConfig.ts';
import { deferred, type Deferred } from '../../../src/runtime/base/async.ts';
import { fakeSecrets } from '../../support/secrets.ts';
import { fakeState } from '../../support/state.ts';
import { english as l10n } from '../ui/fakes.ts';

const here: InputOwner = { kind: 'folder', path: '/w' };
const there: InputOwner = { kind: 'folder', path: '/w/sub' };
const settings: InputOwner = { kind: 'settings' };
const secret: AskedInput = { kind: 'text', id: 'key', isSecret: true };
const plain: AskedInput = { kind: 'text', id: 'host', isSecret: false };
const level: AskedInput = { kind: 'choice', id: 'level', choices: [{ label: 'Low', value: 'low' }, { label: 'High', value: 'high' }] };

/** The server of that name, as long as nothing is said of it. */
const to = (server: string, config: WrittenServer = { command: 'run' }): Destination => ({ server, config });

/** A person who answers when the test says so. */
class Person {
  readonly asked: string[] = [];
  #answer: Deferred<string | undefined> | undefined;
  #isAsked = deferred<void>();

  readonly ask: AskInput = ({ input, destination, changes }, signal) => {
    assert.equal(this.#answer, undefined, 'one question at a time');
    this.asked.push([`${destination.server}: ${input.id}`, ...changes].join(' '));
    const answer = (this.#answer = deferred<string | undefined>());
    signal.addEventListener('abort', () => answer.resolve(undefined));
    this.#isAsked.resolve();
    return answer.promise;
  };

  async says(text: string | undefined): Promise<void> {
    await this.isAsked();
    this.#isAsked = deferred<void>();
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.resolve(text);
  }

  isAsked(): Promise<void> {
    return this.#isAsked.promise;
  }
}

describe('what MCP servers ask for', () => {
  let person: Person;
  let secrets: ReturnType<typeof fakeSecrets>;
  let state: ReturnType<typeof fakeState>;
  let inputs: McpInputs;

  beforeEach(() => {
    person = new Person();
    secrets = fakeSecrets();
    state = fakeState();
    inputs = newWindow();
  });

  function newWindow(): McpInputs {
    return new McpInputs({ secrets, state, ask: person.ask, l10n });
  }

  async function told(owner: InputOwner, input: AskedInput, text: string, destination = to('server')): Promise<void> {
    const answer = inputs.answer(owner, input, destination);
    await person.says(text);
    assert.equal(await answer, text);
  }

  it('is asked for once, also over windows', async () => {
    await told(here, secret, 's3cret');
    await told(here, plain, 'localhost');
    for (const window of [inputs, newWindow()]) assert.deepEqual([await window.answer(here, secret, to('server')), await window.answer(here, plain, to('server'))], ['s3cret', 'localhost']);
    assert.deepEqual(person.asked, ['server: key', 'server: host']);
  });

  it('is kept as a secret where it is one, and nowhere else', async () => {
    await told(here, secret, 's3cret');
    await told(here, plain, 'localhost');
    await told(here, level, 'low');
    const kept = (values: ReadonlyMap<string, unknown>): unknown[] => [...values.values()].map((text) => (JSON.parse(String(text)) as { readonly value: string }).value);
    assert.deepEqual([kept(secrets.values), kept(state.values)], [['s3cret'], ['localhost', 'low']]);
  });

  it('is a matter of its owner: a folder’s isn’t told to another folder, nor a setting’s to a project', async () => {
    await told(settings, secret, 'mine');
    await told(here, secret, 'the project’s');
    await told(there, secret, 'another’s');
    assert.deepEqual(await Promise.all([settings, here, there].map((owner) => inputs.answer(owner, secret, to('server')))), ['mine', 'the project’s', 'another’s']);
  });

  it('is given to no other server, whatever that calls itself', async () => {
    await told(here, secret, 'for one', to('one'));
    await told(here, secret, 'for two', to('two'));
    assert.deepEqual(await Promise.all(['one', 'two'].map((server) => inputs.answer(here, secret, to(server)))), ['for one', 'for two']);
    assert.deepEqual(person.asked, ['one: key', 'two: key']);
  });

  const process = { command: 'npx', args: ['-y', 'good'], env: { HOST: 'good.example', KEY: '${input:key}' }, cwd: 'sub' };
  const address = { type: 'http', url: 'https://good.example/mcp', headers: { Authorization: 'Bearer ${input:key}' } } as const;
  const moved: readonly (readonly [what: string, before: WrittenServer, after: WrittenServer, changes: string])[] = [
    ['another program', process, { ...process, command: 'curl' }, 'command'],
    ['other arguments', process, { ...process, args: ['-y', 'evil'] }, 'args'],
    ['another environment', process, { ...process, env: { ...process.env, HOST: 'evil.example' } }, 'env'],
    ['another folder', process, { ...process, cwd: 'evil' }, 'cwd'],
    ['a file of variables', process, { ...process, envFile: '.env' }, 'envFile'],
    ['an address instead', process, address, 'url command args env cwd'],
    ['another host', address, { ...address, url: 'https://evil.example/mcp' }, 'url'],
    ['another port', address, { ...address, url: 'https://good.example:8443/mcp' }, 'url'],
    ['no encryption', address, { ...address, url: 'http://good.example/mcp' }, 'url'],
    ['another host behind a variable', { ...address, url: '${input:base}/mcp' }, { ...address, url: '${env:BASE}/mcp' }, 'url'],
  ];
  for (const [what, before, after, changes] of moved) {
    it(`is asked for again where its server has ${what}, and then kept for that`, async () => {
      await told(here, secret, 's3cret', to('s', before));
      await told(here, secret, 'again', to('s', after));
      assert.deepEqual(person.asked, ['s: key', `s: key ${changes}`]);
      assert.equal(await newWindow().answer(here, secret, to('s', after)), 'again');
    });
  }

  it('stays where its server is still the same', async () => {
    await told(here, secret, 's3cret', to('s', address));
    await told(here, secret, 'other', to('t', process));
    assert.equal(await inputs.answer(here, secret, to('s', { ...address, type: 'sse', url: 'https://good.example/v2?x=1', headers: { Authorization: '${input:key}', More: 'x' } })), 's3cret');
    assert.equal(await inputs.answer(here, secret, to('t', { cwd: 'sub', env: { KEY: '${input:key}', HOST: 'good.example' }, args: ['-y', 'good'], type: 'stdio', command: 'npx' })), 'other', 'in another order');
  });

  it('that is being given for one server doesn’t go to another of its name', async () => {
    const [good, evil] = [inputs.answer(here, secret, to('s', process)), inputs.answer(here, secret, to('s', { ...process, command: 'curl' }))];
    await person.says('s3cret');
    assert.equal(await good, 's3cret');
    const refused = assert.rejects(evil, { reason: 'unavailable' });
    await person.says(undefined);
    await refused;
    assert.deepEqual(person.asked, ['s: key', 's: key command']);
    assert.equal(await inputs.answer(here, secret, to('s', process)), 's3cret', 'what was refused elsewhere is known here');
  });

  it('keeps nothing of what its server is written with', async () => {
    await told(here, plain, 'localhost', to('s', { command: 'run', args: ['--password', 'hunter2'], env: { TOKEN: 'tok-123' } }));
    assert.doesNotMatch(JSON.stringify([...state.values]), /hunter2|tok-123|--password/);
  });

  it('is asked for anew where what is kept can’t be read', async () => {
    await told(here, secret, 's3cret');
    for (const [key] of secrets.values) secrets.values.set(key, 's3cret');
    await told(here, secret, 'again');
  });

  it('is asked for one after the other, and never twice at once', async () => {
    const answers = [inputs.answer(here, secret, to('one')), inputs.answer(here, plain, to('two')), inputs.answer(here, secret, to('one'))];
    await person.says('s3cret');
    await person.says('localhost');
    assert.deepEqual(await Promise.all(answers), ['s3cret', 'localhost', 's3cret']);
    assert.deepEqual(person.asked, ['one: key', 'two: host']);
  });

  it('may be left open, which fails everybody who waits for it, and nobody else', async () => {
    const [first, second, other] = [inputs.answer(here, secret, to('one')), inputs.answer(here, secret, to('one')), inputs.answer(here, plain, to('three'))];
    const refused = Promise.all([first, second].map((answer) => assert.rejects(answer, { reason: 'unavailable', message: /“key” was not given/ })));
    await person.says(undefined);
    await person.says('localhost');
    await refused;
    assert.equal(await other, 'localhost');
  });

  it('is not asked for again after that until the person wants it', async () => {
    const dismissed = assert.rejects(inputs.answer(here, secret, to('one')), { reason: 'unavailable' });
    await person.says(undefined);
    await dismissed;
    await assert.rejects(inputs.answer(here, secret, to('one')), { reason: 'unavailable' });
    assert.equal(person.asked.length, 1);
    inputs.askAgain();
    await told(here, secret, 's3cret');
  });

  it('may be answered with nothing', async () => {
    await told(here, plain, '');
    await told(here, secret, '');
    assert.deepEqual([await inputs.answer(here, plain, to('server')), await inputs.answer(here, secret, to('server')), person.asked.length], ['', '', 2]);
  });

  it('is asked for anew where the answer isn’t offered any more', async () => {
    await told(here, level, 'high');
    const less: AskedInput = { ...level, choices: [{ label: 'Low', value: 'low' }] };
    const answer = inputs.answer(here, less, to('server'));
    await person.says('low');
    assert.equal(await answer, 'low');
  });

  it('can be forgotten for some owners', async () => {
    await secrets.store('subagents.apiKey.v1:x', 'a key');
    for (const owner of [here, there]) {
      await told(owner, secret, 's3cret');
      await told(owner, plain, 'localhost');
    }
    await inputs.forget([here, settings]);
    assert.deepEqual([secrets.values.size, state.values.size], [2, 1], 'the other folder’s and the key stay');
    assert.equal(await inputs.answer(there, secret, to('server')), 's3cret');
    await told(here, secret, 'new');
  });

  it('is taken back when the window closes, and asked for no more', async () => {
    const waiting = [inputs.answer(here, secret, to('one')), inputs.answer(here, plain, to('two'))].map((answer) => assert.rejects(answer, { reason: 'closed' }));
    await person.isAsked();
    inputs.dispose();
    await Promise.all(waiting);
    assert.deepEqual(person.asked, ['one: key']);
  });

  it('fails with the storage', async () => {
    secrets.failure = new Error('locked');
    const answer = assert.rejects(inputs.answer(here, secret, to('one')), { message: 'locked' });
    await person.says('s3cret');
    await answer;
  });
});
