import assert from 'node:assert/strict';
import { isDefinition } from '../../../src/runtime/store/shapes.ts';

const MINIMAL = { name: 'x', prompt: '', tools: 'inherit', disallowedTools: [] };
const SERVERS = [{ server: 'github', tools: 'all' }, { server: 'files', config: { command: 'c', args: ['a'], env: { A: 'b' }, cwd: '/w' }, tools: ['read'] }, { server: 'docs', config: { type: 'http', url: 'http://x', headers: { A: 'b' } }, tools: [] }];

describe('a stored definition', () => {
  it('is taken as it is written, with or without what later versions added', () => {
    for (const more of [{}, { servers: SERVERS, skills: ['a'], readOnly: true, resultSchema: { type: 'object' }, color: 'red', appendPrompt: 'more' }, { servers: [], skills: [], later: 1 }]) assert.ok(isDefinition({ ...MINIMAL, ...more }));
  });

  const broken: Record<string, object> = {
    'servers that are no list': { servers: { github: {} } },
    'a server without a name': { servers: [{ tools: 'all' }] },
    'a server with neither all tools nor a list': { servers: [{ server: 'github', tools: 'some' }] },
    'a configuration that says nothing': { servers: [{ server: 'github', config: {}, tools: 'all' }] },
    'arguments that are no list': { servers: [{ server: 'github', config: { command: 'c', args: 'a' }, tools: 'all' }] },
    'variables that are no text': { servers: [{ server: 'github', config: { command: 'c', env: { A: 1 } }, tools: 'all' }] },
    'headers that are no map': { servers: [{ server: 'github', config: { url: 'http://x', headers: ['A'] }, tools: 'all' }] },
    'skills that are no texts': { skills: [1] },
    'a schema that is none': { resultSchema: ['object'] },
    'a prompt that is no text': { appendPrompt: 1 },
  };
  for (const [what, more] of Object.entries(broken)) {
    it(`is left out with ${what}`, () => {
      assert.equal(isDefinition({ ...MINIMAL, ...more }), false);
    });
  }
});
