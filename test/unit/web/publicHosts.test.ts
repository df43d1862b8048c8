import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, it } from 'mocha';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { listedHosts } from '../../../src/runtime/web/listedHosts.ts';
import { checkSpelledHost, isPublicAddress, publicLookup } from '../../../src/runtime/web/publicHosts.ts';
import { readWebAddress } from '../../../src/runtime/web/webAddress.ts';

describe('an address of the public internet', () => {
  for (const address of ['93.184.215.14', '8.8.8.8', '172.32.0.1', '100.63.255.255', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:8.8.8.8']) {
    it(`is ${address}`, () => assert.equal(isPublicAddress(address), true));
  }

  const others = [
    '127.0.0.1', '127.1.2.3', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.127.255.255',
    '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255',
    '::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::ffff:0:127.0.0.1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1',
    '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001:0:1::1', '2001:db8::1', '100::1', '5f00::1', '4000::1', '', 'example.org', '0x7f.1', '2130706433',
  ];
  for (const address of others) {
    it(`isn't ${JSON.stringify(address)}`, () => assert.equal(isPublicAddress(address), false));
  }
});

describe('a host that says by its spelling that it is private', () => {
  const spellings = [
    'http://127.0.0.1/', 'http://127.1/', 'http://0x7f.1/', 'http://0x7f000001/', 'http://2130706433/', 'http://017700000001/', 'http://0/', 'http://127.0.0.1./', 'http://①②⑦.⓪.⓪.①/',
    'http://%31%32%37.0.0.1/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]/', 'http://[0:0:0:0:0:0:0:1]/', 'http://[::]/', 'http://[fe80::1]/', 'http://[64:ff9b::127.0.0.1]/',
    'http://localhost/', 'http://LOCALHOST:8080/', 'http://localhost./', 'http://a.localhost/', 'http://printer.local/', 'http://metadata.google.internal/', 'http://nas.home.arpa/',
    'http://intranet/', 'http://intranet./', 'http://169.254.169.254/latest/meta-data/', 'http://10.1/', 'http://192.168.0.1:8080/', 'https://172.16.0.1/',
  ];
  for (const spelling of spellings) {
    it(`is denied: ${spelling}`, () => assert.throws(() => checkSpelledHost(readWebAddress(spelling)), (error) => isAppError(error, 'denied')));
  }

  for (const spelling of ['http://example.org/', 'https://8.8.8.8/', 'https://localhost.example.org/', 'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/', 'https://local.example/']) {
    it(`isn't ${spelling}`, () => checkSpelledHost(readWebAddress(spelling)));
  }
});

describe('the addresses that a connection gets for its host', () => {
  const lookUp = (found: readonly string[], all: boolean): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const resolveHost = async (): Promise<LookupAddress[]> => found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      publicLookup(resolveHost)('host.example', { all }, (error, address, family) => (error ? reject(error) : resolve(all ? address : [address, family])));
    });

  it('are all of them where all are public', async () => {
    assert.deepEqual(await lookUp(['8.8.8.8', '2606:2800::1'], true), [{ address: '8.8.8.8', family: 4 }, { address: '2606:2800::1', family: 6 }]);
  });

  it('are the first where one is asked for', async () => assert.deepEqual(await lookUp(['8.8.8.8', '9.9.9.9'], false), ['8.8.8.8', 4]));

  for (const found of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::1', '8.8.8.8'], ['::ffff:192.168.0.1']]) {
    it(`are none where one isn't public: ${found.join()}`, async () => {
      for (const all of [true, false]) await assert.rejects(lookUp(found, all), (error) => isAppError(error, 'denied'));
    });
  }

  it('are none where there are none', async () => assert.rejects(lookUp([], true), (error) => isAppError(error, 'not_found')));
});

describe('the hosts that a user lists', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['localhost', 'http://localhost:3000/x', true], ['LocalHost', 'http://localhost/', true], ['localhost', 'http://localhost./', true], ['localhost', 'http://a.localhost/', false],
    ['localhost:3000', 'http://localhost:3000/', true], ['localhost:3000', 'http://localhost/', false], ['localhost:80', 'http://localhost/', true], ['localhost:80', 'https://localhost/', false], ['localhost:443', 'https://localhost/', true],
    ['127.0.0.1', 'http://0x7f.1/', true], ['0x7f.1', 'http://127.0.0.1/', true], ['127.0.0.1', 'http://127.0.0.2/', false], ['[::1]:8080', 'http://[0:0::1]:8080/', true], ['[::1]', 'http://[::1]/', true],
    ['bücher.example', 'http://xn--bcher-kva.example/', true], ['a..', 'http://a/', false],
    ['*.corp.example', 'http://wiki.corp.example/', true], ['*.corp.example', 'http://corp.example/', false], ['*.corp.example', 'http://evilcorp.example/', false], ['*.corp.example:8080', 'http://a.b.corp.example:8080/', true],
    ['http://localhost:3000/', 'http://localhost:3000/', true], ['', 'http://localhost/', false], ['*', 'http://localhost/', false], ['a/b', 'http://a/', false], ['user@localhost', 'http://localhost/', false],
  ];
  for (const [entry, address, expected] of cases) {
    it(`${JSON.stringify(entry)} ${expected ? 'means' : 'does not mean'} ${address}`, () => assert.equal(listedHosts(['other.example', entry])(readWebAddress(address)), expected));
  }
});

describe('an address of the web', () => {
  it('is read without its fragment, and without white space around it', () => assert.equal(readWebAddress('  HTTPS://Example.ORG:443/a?b#c \n').href, 'https://example.org/a?b'));

  for (const text of ['', 'example.org', '/path', 'file:///etc/passwd', 'ftp://example.org/', 'javascript:alert(1)', 'data:text/plain,x', 'http://', 'http://example.org../', 'http://a..example.org/', 'http://.example.org/', 'http://./', 'http://user@example.org/', 'http://user:secret@example.org/', `http://example.org/${'x'.repeat(9000)}`]) {
    it(`is none: ${text.slice(0, 40)}`, () => assert.throws(() => readWebAddress(text), (error) => isAppError(error, 'invalid_input') && !error.message.includes('secret')));
  }
});
