import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { McpServerConfig } from '../../../src/runtime/domain/mcp.ts';
import { keyOf, readTarget } from '../../../src/runtime/mcp/config.ts';
import { maskFor } from '../../../src/runtime/mcp/secrets.ts';

describe('the configuration of an MCP server', () => {
  const accepted: readonly (readonly [string, McpServerConfig, object])[] = [
    ['a command', { command: 'serve' }, { kind: 'stdio', command: 'serve', args: [], env: {} }],
    ['a command with everything', { type: 'stdio', command: 'serve', args: ['a'], env: { A: '1' }, cwd: '/tmp' }, { kind: 'stdio', command: 'serve', args: ['a'], env: { A: '1' }, cwd: '/tmp' }],
    ['an address', { url: 'https://serve.example/mcp' }, { kind: 'http', url: 'https://serve.example/mcp', headers: {} }],
    ['an address of the older way', { type: 'sse', url: 'http://serve.example' }, { kind: 'sse', url: 'http://serve.example/', headers: {} }],
    ['a name and a password in the address', { url: 'https://me:p%40ss@serve.example/mcp' }, { kind: 'http', url: 'https://serve.example/mcp', headers: { Authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` } }],
    ['a header that says more than the address', { url: 'https://me:pass@serve.example/', headers: { authorization: 'Bearer x' } }, { kind: 'http', url: 'https://serve.example/', headers: { authorization: 'Bearer x' } }],
    ['a lone percent sign in a password', { url: 'https://me:100%@serve.example/' }, { kind: 'http', url: 'https://serve.example/', headers: { Authorization: `Basic ${Buffer.from('me:100%').toString('base64')}` } }],
  ];
  for (const [what, config, target] of accepted) it(`may be ${what}`, () => assert.deepEqual(readTarget('a', config), target));

  const refused: readonly (readonly [string, unknown])[] = [
    ['nothing', {}],
    ['a command and an address', { command: 'a', url: 'https://a.example' }],
    ['a type that does not fit a command', { type: 'http', command: 'a' }],
    ['a type that does not fit an address', { type: 'stdio', url: 'https://a.example' }],
    ['an unknown type', { type: 'websocket', url: 'https://a.example' }],
    ['an empty command', { command: '  ' }],
    ['a command that is no text', { command: 3 }],
    ['a command with a NUL', { command: 'a\0b' }],
    ['arguments that are no list', { command: 'a', args: 'b' }],
    ['arguments that are no texts', { command: 'a', args: [1] }],
    ['an environment that is no object', { command: 'a', env: ['A=1'] }],
    ['a variable that is no text', { command: 'a', env: { A: 1 } }],
    ['a relative folder', { command: 'a', cwd: 'b' }],
    ['an address that is none', { url: 'nowhere' }],
    ['an address of a file', { url: 'file:///etc/passwd' }],
    ['a header with a line break', { url: 'https://a.example', headers: { 'X-Key': 'a\r\nb' } }],
    ['a header with a name that is none', { url: 'https://a.example', headers: { 'X Key': 'a' } }],
  ];
  for (const [what, config] of refused) it(`must not be ${what}`, () => assert.throws(() => readTarget('a', config as McpServerConfig), { reason: 'invalid_input' }));

  // `a` with a tool `b__c` and `a__b` with a tool `c` would be one.
  for (const name of ['', ' ', 'a__b', 'a_', 'a*', 'a(b)', 'a\nb', 'a'.repeat(65)]) {
    it(`must not have the name ${JSON.stringify(name)}`, () => assert.throws(() => readTarget(name, { command: 'a' }), { reason: 'invalid_input' }));
  }
  for (const name of ['git-hub', 'io.github.me/server', 'Файлы', 'my server', '_a']) it(`may have the name ${name}`, () => assert.equal(readTarget(name, { command: 'a' }).kind, 'stdio'));

  it('does not tell the value of a header that is refused', () => {
    assert.throws(() => readTarget('a', { url: 'https://a.example', headers: { 'X-Key': 'hush\nhush' } }), ({ message }: Error) => !message.includes('hush'));
  });

  it('is the same in whatever order its fields stand', () => {
    const key = (config: McpServerConfig): string => keyOf(readTarget('a', config));
    assert.equal(key({ command: 'a', env: { A: '1', B: '2' } }), key({ env: { B: '2', A: '1' }, args: [], type: 'stdio', command: 'a' }));
    assert.notEqual(key({ command: 'a', args: ['b', 'c'] }), key({ command: 'a', args: ['c', 'b'] }));
  });
});

describe('the secrets of an MCP server', () => {
  const cases: readonly (readonly [string, McpServerConfig, readonly string[]])[] = [
    ['its variables', { command: 'a', env: { A: 'hush-1', B: 'hush-1-and-more' } }, ['hush-1', 'hush-1-and-more']],
    ['its headers, with and without the scheme', { url: 'https://a.example', headers: { 'X-Key': 'hush-1', Authorization: 'Bearer hush-2' } }, ['hush-1', 'Bearer hush-2', 'hush-2']],
    ['the query of its address', { url: 'https://a.example/?key=hush%201' }, ['hush%201', 'hush 1', 'key=hush%201']],
    ['the name and the password in its address', { url: 'https://me:hush-1@a.example/' }, ['hush-1', Buffer.from('me:hush-1').toString('base64')]],
  ];
  for (const [what, config, secrets] of cases) {
    it(`are ${what}`, () => {
      const mask = maskFor(readTarget('a', config));
      for (const secret of secrets) assert.equal(/hush|bWU6/.exec(mask(`It said ${secret}!`)), null);
    });
  }

  it('are no single characters or the like', () => {
    assert.equal(maskFor(readTarget('a', { command: 'a', env: { DEBUG: '1', MODE: 'on' } }))('1 on 1'), '1 on 1');
  });
});
