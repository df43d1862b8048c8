import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { FIELDS } from '../../../src/runtime/definitions/fieldTable.ts';
import { parseDefinition } from '../../../src/runtime/definitions/parse.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const docs = read('docs/definitions.md');
const load = (fields: string) => parseDefinition({ path: '/a/x.md', text: `---\n${/^description:/m.test(fields) ? '' : 'description: x\n'}${fields}\n---\nBody.`, source: 'project' });

describe('the page on definitions', () => {
  it('names every field in its table and shows it in an example', () => {
    for (const { name, isOffered } of FIELDS) {
      assert.match(docs, new RegExp(`^\\| \`${name}\` \\| \\S`, 'm'), name);
      if (isOffered) assert.match(docs, new RegExp(`^${name}:`, 'm'), name);
    }
  });

  it('has examples that load without a problem', async () => {
    const examples = [...docs.matchAll(/```yaml\n(.*?)\n```/gs)].map(([, example = '']) => example);
    assert.ok(examples.length >= 10);
    for (const example of examples) assert.deepEqual((await load(example)).diagnostics, [], example);
  });

  it('is linked from the README', () => assert.ok(read('README.md').includes('](docs/definitions.md)')));
});

describe('the table of fields', () => {
  for (const { name, example } of FIELDS) {
    it(`has an example of \`${name}\` that loads without a problem`, async () => {
      assert.ok(example.startsWith(`${name}:`));
      assert.deepEqual((await load(example)).diagnostics, []);
    });
  }
});
