import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { LM_TOOLS } from '../../../src/ids.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('the API for other extensions', () => {
  it('imports nothing, so that its types can be copied', async () => {
    assert.ok(!/^\s*(?:import|export \*)\b|import\(/m.test((await read('src/api.ts')).replaceAll(/\/\*\*[\s\S]*?\*\//g, '')));
  });

  it('is documented, each method and each tool of it', async () => {
    const [types, page] = [await read('src/api.ts'), await read('docs/api.md')];
    const [, body = ''] = /interface SubagentPanelApi \{([\s\S]*?)\n\}/.exec(types) ?? [];
    const methods = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name ?? '');
    assert.ok(methods.length >= 5);
    for (const name of [...methods, ...Object.values(LM_TOOLS)]) assert.ok(page.includes(name), name);
  });
});
