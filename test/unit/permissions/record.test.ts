import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskSecrets } from '../../../src/runtime/permissions/record.ts';

describe('masking of secrets in records', () => {
  for (const name of ['apiKey', 'api_key', 'API-KEY', 'token', 'accessToken', 'GITHUB_TOKEN', 'password', 'dbPassword', 'client_secret', 'Authorization', 'privateKey', 'Set-Cookie', 'credentials']) {
    it(`hides the text of ${name}`, () => assert.deepEqual(maskSecrets({ a: [{ [name]: 'hush' }] }), { a: [{ [name]: '***' }] }));
  }

  for (const value of [{ max_tokens: 5 }, { tokens: 'many' }, { keyboard: 'us' }, { path: 'src/token.ts', command: 'npm test' }, { password: '' }, null, 3, 'plain']) {
    it(`leaves ${JSON.stringify(value)}`, () => assert.deepEqual(maskSecrets(value), value));
  }

  const secret = 'abcdef0123456789ABCDEF';
  const texts = [
    `sk-${secret}`, `sk-ant-api03-${secret}`, `ghp_${secret}`, `github_pat_${secret}`, `curl -H 'Authorization: Bearer ${secret}' x`, `export API_KEY=${secret}`, `login --password ${secret}`, `https://me:${secret}@example.org/`,
    `{"token": "${secret}"}`, `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----`, `eyJhbGciOi.${secret}.${secret}`,
  ];
  for (const said of [`x --password '${secret}'`, `x --token "${secret}"`, `x --password 'a ${secret}'`, `curl -u me:${secret} x`, `curl -u 'me:a ${secret}' x`, `curl --user=me:${secret} x`, `https://${secret}@example.org/x`, `password='a ${secret}'`, `{"password": "a ${secret}"}`]) texts.push(said);
  for (const text of texts) it(`hides the secret in ${JSON.stringify(text.slice(0, 40))}`, () => assert.ok(!JSON.stringify(maskSecrets({ command: text })).includes(secret)));

  it('hides everything below a telling name and changes nothing in place', () => {
    const value = { credentials: { user: 'me', list: ['x'] }, n: 1 };
    assert.deepEqual(maskSecrets(value), { credentials: { user: '***', list: ['***'] }, n: 1 });
    assert.equal(value.credentials.user, 'me');
  });

  it('takes linear time, whatever stands in the text', () => {
    const pieces = ['a.', 'a-', 'eyJ-', 'eyJaaaaaa.', 'a://', 'a://a:', '-----BEGIN ', '-----BEGIN PRIVATE KEY-----', 'token ', 'token=', '--token ', '--token "', "--token '", 'token="', ' -u ', ' -u a', ' -u "a', '--user ', 'https://', 'https://a', 'sk-', 'Bearer ', ' ', 'x:'];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(100_000 / piece.length));
      const before = performance.now();
      maskSecrets(text);
      maskSecrets(`${piece}${' '.repeat(100_000)}`);
      assert.ok(performance.now() - before < 1000, piece);
    }
  });

  it('keeps the shape of any JSON value', () => {
    const shape = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? '' : each)));
    fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(shape(maskSecrets(JSON.parse(text))), shape(JSON.parse(text)))));
  });
});
