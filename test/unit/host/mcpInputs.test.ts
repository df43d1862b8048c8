import assert from 'node:assert/strict';
import { McpInputs, type AskInput, type InputOwner } from '../../../src/host/mcp/mcpInputs.ts';
import type { AskedInput } from '../../../src/host/mcp/inputDeclaration.ts';
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

/** A person who answers when the test says so. */
class Person {
  readonly asked: string[] = [];
  #answer: Deferred<string | undefined> | undefined;
  #isAsked = deferred<void>();

  readonly ask: AskInput = (input, server, signal) => {
    assert.equal(this.#answer, undefined, 'one question at a time');
    this.asked.push(`${server}: ${input.id}`);
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

  async function told(owner: InputOwner, input: AskedInput, text: string): Promise<void> {
    const answer = inputs.answer(owner, input, 'server');
    await person.says(text);
    assert.equal(await answer, text);
  }

  it('is asked for once, also over windows', async () => {
    await told(here, secret, 's3cret');
    await told(here, plain, 'localhost');
    for (const window of [inputs, newWindow()]) assert.deepEqual([await window.answer(here, secret, 'x'), await window.answer(here, plain, 'x')], ['s3cret', 'localhost']);
    assert.deepEqual(person.asked, ['server: key', 'server: host']);
  });

  it('is kept as a secret where it is one, and nowhere else', async () => {
    await told(here, secret, 's3cret');
    await told(here, plain, 'localhost');
    await told(here, level, 'low');
    assert.deepEqual([[...secrets.values.values()], [...state.values.values()]], [['s3cret'], ['localhost', 'low']]);
  });

  it('is a matter of its owner: a folder’s isn’t told to another folder, nor a setting’s to a project', async () => {
    await told(settings, secret, 'mine');
    await told(here, secret, 'the project’s');
    await told(there, secret, 'another’s');
    assert.deepEqual(await Promise.all([settings, here, there].map((owner) => inputs.answer(owner, secret, 'x'))), ['mine', 'the project’s', 'another’s']);
  });

  it('is asked for one after the other, and never twice at once', async () => {
    const answers = [inputs.answer(here, secret, 'one'), inputs.answer(here, plain, 'two'), inputs.answer(here, secret, 'three')];
    await person.says('s3cret');
    await person.says('localhost');
    assert.deepEqual(await Promise.all(answers), ['s3cret', 'localhost', 's3cret']);
    assert.deepEqual(person.asked, ['one: key', 'two: host']);
  });

  it('may be left open, which fails every server that waits for it, and no other', async () => {
    const [first, second, other] = [inputs.answer(here, secret, 'one'), inputs.answer(here, secret, 'two'), inputs.answer(here, plain, 'three')];
    const refused = Promise.all([first, second].map((answer) => assert.rejects(answer, { reason: 'unavailable', message: /“key” was not given/ })));
    await person.says(undefined);
    await person.says('localhost');
    await refused;
    assert.equal(await other, 'localhost');
  });

  it('is not asked for again after that until the person wants it', async () => {
    const dismissed = assert.rejects(inputs.answer(here, secret, 'one'), { reason: 'unavailable' });
    await person.says(undefined);
    await dismissed;
    await assert.rejects(inputs.answer(here, secret, 'one'), { reason: 'unavailable' });
    assert.equal(person.asked.length, 1);
    inputs.askAgain();
    await told(here, secret, 's3cret');
  });

  it('may be answered with nothing', async () => {
    await told(here, plain, '');
    await told(here, secret, '');
    assert.deepEqual([await inputs.answer(here, plain, 'x'), await inputs.answer(here, secret, 'x'), person.asked.length], ['', '', 2]);
  });

  it('is asked for anew where the answer isn’t offered any more', async () => {
    await told(here, level, 'high');
    const less: AskedInput = { ...level, choices: [{ label: 'Low', value: 'low' }] };
    const answer = inputs.answer(here, less, 'server');
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
    assert.equal(await inputs.answer(there, secret, 'x'), 's3cret');
    await told(here, secret, 'new');
  });

  it('is taken back when the window closes, and asked for no more', async () => {
    const waiting = [inputs.answer(here, secret, 'one'), inputs.answer(here, plain, 'two')].map((answer) => assert.rejects(answer, { reason: 'closed' }));
    await person.isAsked();
    inputs.dispose();
    await Promise.all(waiting);
    assert.deepEqual(person.asked, ['one: key']);
  });

  it('fails with the storage', async () => {
    secrets.failure = new Error('locked');
    const answer = assert.rejects(inputs.answer(here, secret, 'one'), { message: 'locked' });
    await person.says('s3cret');
    await answer;
  });
});
