import assert from 'node:assert/strict';
import { textMessage } from '../../src/runtime/domain/messages.ts';
import { RawServer } from '../support/rawServer.ts';
import { endOf, type WireTest } from './wireTest.ts';

/** Servers that send elsewhere: neither the key nor the conversation goes there, and the message says where it is. */
export function describeRedirects(test: WireTest): void {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`follows no redirect to another origin (${status}), and names it`, async () => {
      const other = await RawServer.start();
      try {
        const events = await test.ask({ status, headers: { location: `${other.url}/secret-path?secret=query` } }, { messages: [textMessage('the plan')] });
        const { error } = endOf(events);
        assert.equal(events.length, 1);
        assert.deepEqual([error?.failure, error?.status], ['bad_request', status]);
        assert.ok(error);
        assert.ok(error.message.includes(`redirects to ${other.url},`), error.message);
        assert.match(error.message, /set that as the base URL/u);
        assert.doesNotMatch(error.message, /secret/u);
        assert.deepEqual(other.requests, []);
      } finally {
        await other.stop();
      }
    });
  }

  it('follows no redirect within its origin, or to nowhere', async () => {
    for (const [location, said] of [['/v2/there?x=1', /another path, \/v2\/there,/u], ['http://', /somewhere else/u], ['data:text/plain,x', /somewhere else/u], ['', /another path/u]] as const) {
      const before = test.server.requests.length;
      const { error } = endOf(await test.ask({ status: 307, headers: { location } }));
      assert.equal(error?.failure, 'bad_request');
      assert.match(error.message, said);
      assert.equal(test.server.requests.length, before + 1);
    }
  });
}
