import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { filesOf } from '../../scripts/lib/layer.ts';
import { projectRoot } from '../../scripts/lib/paths.ts';
import { codeOf } from '../support/codeBlocks.ts';
import { installedPackage, runProgram, type InstalledPackage } from '../support/installedPackage.ts';

const EXPORTS = /^export (?<type>type )?\{(?<names>[^}]*)\}/gmu;
const IMPORTS = /^import (?:type )?\{(?<names>[^}]*)\} from 'subagent-panel\/runtime'/gmu;
const DECLARATIONS = /^(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gmu;
/** Parts of a public type that nobody has to write. */
const UNNAMED = ['DefinitionFormat', 'ReadContext'];

const PAGES = ['README.md', 'docs/library.md'];

const namesIn = (list: string | undefined): readonly string[] => (list ?? '').split(',').map((name) => name.trim()).filter(Boolean);

describe('the types of the packed library', () => {
  let installed: InstalledPackage;
  let declarations: string;
  before(async () => {
    installed = await installedPackage();
    declarations = await readFile(join(installed.packageDir, 'dist', 'runtime', 'index.d.mts'), 'utf8');
  });

  const exported = (kind: 'value' | 'type'): readonly string[] => [...declarations.matchAll(EXPORTS)].filter(({ groups }) => (groups?.['type'] === undefined) === (kind === 'value')).flatMap(({ groups }) => namesIn(groups?.['names'])).toSorted();

  it('declare as values what the module exports, and nothing else', async () => {
    const { code, output } = await runProgram(installed, ['--eval', "import('subagent-panel/runtime').then((all) => console.log(JSON.stringify(Object.keys(all))))"]);
    assert.equal(code, 0, output);
    assert.deepEqual(exported('value'), (JSON.parse(output) as string[]).toSorted());
  });

  it('give every type a name that a project can import', () => {
    const declared = [...declarations.matchAll(DECLARATIONS)].map(([, name]) => name ?? '');
    const known = [...exported('value'), ...exported('type'), ...UNNAMED];
    assert.ok(declared.length > 100);
    assert.deepEqual(declared.filter((name) => !known.includes(name)), []);
  });

  it('are those of the written list', async () => {
    const listed = await readFile(join(projectRoot, 'test', 'package', 'everyExport.ts'), 'utf8');
    const names = [...listed.matchAll(IMPORTS)].flatMap(({ groups }) => namesIn(groups?.['names']));
    assert.deepEqual(names.toSorted(), [...exported('value'), ...exported('type')].toSorted());
  });

  it('fit every export, the examples and the code of the pages, strictly, libraries included', async () => {
    const folder = join(installed.folder, 'typed');
    await mkdir(folder);
    const examples = await filesOf(['examples/*.ts']);
    for (const file of [...examples, 'test/package/everyExport.ts']) await cp(join(projectRoot, file), join(installed.folder, 'typed', file.split(/[/\\]/u).at(-1) ?? ''));
    for (const page of PAGES) {
      const code = codeOf(await readFile(join(projectRoot, page), 'utf8'));
      assert.match(code, /subagent-panel\/runtime/, `${page} holds code`);
      await writeFile(join(folder, `${page.replaceAll(/\W/gu, '-')}.ts`), code);
    }
    const compilerOptions = { target: 'es2024', lib: ['es2024'], module: 'nodenext', strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noEmit: true, types: ['node'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { code, output } = await runProgram(installed, [join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc'), '--project', folder, '--listFiles', '--pretty', 'false']);
    assert.equal(code, 0, output.split('\n').filter((line) => line.includes('error')).join('\n'));
    const checked = output.split('\n').filter((line) => line.includes('/typed/')).length;
    assert.equal(checked, examples.length + 1 + PAGES.length);
    assert.match(output, /project\/node_modules\/subagent-panel\/dist\/runtime\/index\.d\.mts/);
  });
});
