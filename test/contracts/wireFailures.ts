import assert from 'node:assert/strict';
import type { ModelFailure } from '../../src/runtime/domain/models.ts';
import { RawServer } from '../support/rawServer.ts';
import { KEY } from './wires.ts';
import { allOf, endOf, type WireTest } from './wireTest.ts';

const STATUSES: readonly (readonly [number, ModelFailure])[] = [
  [400, 'bad_request'], [401, 'auth'], [403, 'auth'], [404, 'bad_request'], [408, 'timeout'], [409, 'server'], [413, 'context'], [422, 'bad_request'],
  [429, 'rate_limited'], [500, 'server'], [502, 'server'], [503, 'overloaded'], [504, 'server'], [529, 'overloaded'],
];

/** Answers that are failures: each is told apart, said in the vendor's words, and never shows the key. */
export function describeFailures(test: WireTest): void {
  const { wire } = test;
  const json = { 'content-type': 'application/json' };
  const body = (type: string, message: string, code?: string): string[] => [JSON.stringify({ type: 'error', error: { type, message, ...(code && { code }) } })];
  const failing = async (status: number, chunks: readonly string[], headers: Record<string, string> = json): Promise<NonNullable<ReturnType<typeof endOf>['error']>> => {
    const before = test.server.requests.length;
    const events = await test.ask({ status, chunks, headers });
    assert.equal(events.length, 1);
    assert.equal(test.server.requests.length, before + 1, 'asks only once');
    const { error } = endOf(events);
    assert.ok(error);
    return error;
  };

  for (const [status, failure] of STATUSES) {
    it(`tells status ${status} as ${failure}, and names provider, model, status and words`, async () => {
      const error = await failing(status, body('some_error', 'It is about the hat.'));
      assert.equal(error.failure, failure);
      assert.equal(error.status, status);
      for (const part of [wire.model, String(status), 'It is about the hat.', wire.path === '/v1/messages' ? 'anthropic' : 'openai']) assert.ok(error.message.includes(part), part);
    });
  }

  it('takes an answer that is no JSON, in one line and cut', async () => {
    const error = await failing(502, [`<html>\n<p>Bad\tgateway</p>\n${'x'.repeat(100_000)}`], { 'content-type': 'text/html' });
    assert.equal(error.failure, 'server');
    assert.match(error.message, /Bad gateway/u);
    assert.ok(error.message.length < 700 && !error.message.includes('\n'));
  });

  it('tells a spent quota from a rate limit', async () => {
    for (const chunks of [body('insufficient_quota', 'You exceeded your current quota.', 'insufficient_quota'), [JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'Spent.', details: { error_code: 'enforced_spend_limit_reached' } } })], body('billing_error', 'Pay first.')]) {
      assert.equal((await failing(429, chunks)).failure, 'quota');
    }
    assert.equal((await failing(400, body('invalid_request_error', 'Your credit balance is too low to access the API.'))).failure, 'quota');
    assert.equal((await failing(429, body('rate_limit_error', 'Slow down.'))).failure, 'rate_limited');
  });

  it('tells a request that is longer than the window, however it is said', async () => {
    const said = [
      body('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      body('invalid_request_error', 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'),
      body('invalid_request_error', 'Your input exceeds the context window of this model.', 'context_length_exceeded'),
      body('BadRequestError', "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."),
      body('exceed_context_size_error', 'the request exceeds the available context size, try increasing it'),
      body('invalid_request_error', 'Please reduce the length of the messages or completion.'),
    ];
    for (const chunks of said) assert.equal((await failing(400, chunks)).failure, 'context', chunks[0]);
    assert.equal((await failing(400, body('invalid_request_error', 'max_tokens: 100000 > 8192, which is the maximum allowed'))).failure, 'bad_request');
    assert.equal((await failing(429, body('tokens', 'Limit 30000, requested 40000. Reduce the length of the messages.'))).failure, 'rate_limited');
  });

  it('reads how long to wait, in milliseconds, in seconds and as a date', async () => {
    const slow = body('rate_limit_error', 'Slow down.');
    assert.equal((await failing(429, slow, { ...json, 'retry-after': '7' })).retryAfterMs, 7000);
    assert.equal((await failing(429, slow, { ...json, 'retry-after-ms': '1500', 'retry-after': '7' })).retryAfterMs, 1500);
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const wait = (await failing(503, slow, { ...json, 'retry-after': date })).retryAfterMs ?? 0;
    assert.ok(wait > 3_000_000 && wait <= 3_600_000);
    assert.equal((await failing(429, slow, { ...json, 'retry-after': 'soon' })).retryAfterMs, undefined);
  });

  it('never shows the key, whole or in part', async () => {
    for (const echo of [KEY, `Incorrect API key provided: ${KEY.slice(0, 10)}*****${KEY.slice(-4)}.`, `"authorization": "Bearer ${KEY}"`, `x${KEY.slice(4, 18)}y`]) {
      const { message } = await failing(401, body('authentication_error', `Wrong: ${echo}`));
      for (let at = 0; at + 8 <= KEY.length; at += 1) assert.ok(!message.includes(KEY.slice(at, at + 8)), message);
      assert.match(message, /Wrong: /u);
    }
    const { message } = await failing(401, body('authentication_error', 'Not sk-proj-987654321abc, nor sk-ab******************wxyz, nor Bearer eyJhbGciOi.'));
    assert.doesNotMatch(message, /987654321|wxyz|eyJhbGciOi/u);
  });

  it('tells a server that is not there', async () => {
    const gone = await RawServer.start();
    const { url } = gone;
    await gone.stop();
    const { error } = endOf(await allOf(wire.create(url, KEY).stream(test.request())));
    assert.equal(error?.failure, 'network');
    assert.match(error.message, /ECONNREFUSED/u);
  });

  it('refuses a key that no header can carry, without showing it', async () => {
    const before = test.server.requests.length;
    const { error } = endOf(await allOf(wire.create(test.server.url, 'sk-secret\nhidden').stream(test.request())));
    assert.equal(error?.failure, 'auth');
    assert.doesNotMatch(error.message, /secret|hidden/u);
    assert.equal(test.server.requests.length, before);
  });
}
