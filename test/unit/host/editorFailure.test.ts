import assert from 'node:assert/strict';
import { editorFailure, goneFailure } from '../../../src/host/lm/editorFailure.ts';

/** An error as it comes through VS Code: with a code, or with a name of its own. */
const error = (message: string, fields: { readonly code?: string; readonly name?: string; readonly cause?: Error } = {}): Error => Object.assign(new Error(message), fields);

describe('a failure of a model of the editor', () => {
  const cases: readonly (readonly [what: string, thrown: unknown, failure: string, words: RegExp])[] = [
    ['no consent', error('Language model cannot be used.', { code: 'NoPermissions' }), 'auth', /Manage Language Model Access.* choose Allow/u],
    ['a model that is gone', error('copilot/x', { code: 'NotFound' }), 'bad_request', /copilot\/gpt isn't offered any more/u],
    ['a block', error('Slow down.', { code: 'Blocked' }), 'quota', /blocked .*Slow down\./u],
    ['a used up quota', error('Upgrade.', { name: 'ChatQuotaExceeded', code: '' }), 'quota', /used up.*Upgrade\./u],
    ['too many requests', error('Rate limit exceeded', { name: 'ChatRateLimited' }), 'rate_limited', /too many requests/u],
    ['a conversation that is too long', error('Message exceeds token limit.'), 'context', /token limit/u],
    ['one that another vendor finds too long', error('prompt is too long: 200001 tokens'), 'context', /too long/u],
    ['no credit', error('Your credit balance is too low'), 'quota', /credit/u],
    ['no network', error('Please check your network connection. Error Code: net::ERR_NAME_NOT_RESOLVED'), 'network', /net::ERR/u],
    ['a server in trouble', error('Server error: 502'), 'server', /502/u],
    ['anything else', error('Something odd'), 'error', /^The model copilot\/gpt failed\. It said: Something odd\.$/u],
    ['an error that hides its cause', error('errored, check cause', { cause: new Error('Message exceeds token limit.') }), 'context', /check cause Message exceeds/u],
    ['what is no error', 'just text', 'error', /just text/u],
    ['nothing at all', new Error(), 'error', /did not say why/u],
    ['a code that is a property of every object', error('odd', { code: 'constructor', name: 'toString' }), 'error', /odd/u],
  ];
  for (const [what, thrown, failure, words] of cases) {
    it(`is told: ${what}`, () => {
      const told = editorFailure(thrown, 'copilot/gpt');
      assert.equal(told.failure, failure);
      assert.match(told.message, words);
      assert.match(told.message, /copilot\/gpt/u);
    });
  }

  it('is told of whatever was thrown, also of what throws as it is read', () => {
    const throwing = (field: string): Error => Object.defineProperty(new Error('Odd.'), field, { get: () => { throw new Error('no'); } });
    const thrown: readonly unknown[] = [undefined, null, Symbol('x'), Object.create(null), () => 1, ...['code', 'name', 'message', 'cause'].map(throwing), new Error('x', { cause: Object.create(null) }), Object.assign(new Error('x'), { name: 5, code: { toString: null } })];
    for (const each of thrown) assert.match(editorFailure(each, 'v/m').message, /^The model v\/m failed\./u);
  });

  it('is one line, of bounded length, without anything that looks like a key', () => {
    const { message } = editorFailure(error(`Bad key sk-${'a1'.repeat(20)}\n<html>${'x'.repeat(20_000)}`), 'v/m');
    assert.ok(!message.includes('\n') && !message.includes('a1a1') && message.length < 700, message);
  });

  it('is the same for a model that isn’t found as for one that has gone meanwhile', () => {
    assert.match(goneFailure('v/m').message, /v\/m isn't offered any more/u);
    assert.equal(goneFailure('v/m').failure, 'bad_request');
  });
});
