import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { before, describe, it } from 'mocha';
import { packageExtension } from '../../scripts/lib/package.ts';
import { projectRoot } from '../../scripts/lib/paths.ts';
import { installedPackage, type InstalledPackage } from '../support/installedPackage.ts';
import { zipEntries, type ZipEntry } from '../support/zip.ts';

const MB = 1_000_000;

const LIBRARY = [
  'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json',
  'dist/runtime/index.mjs', 'dist/runtime/index.d.mts', 'dist/runtime/chunks/*.mjs', 'dist/runtime/chunks/htmlWorker.mjs',
  'dist/runtime/chunks/tree-sitter.wasm', 'dist/runtime/chunks/tree-sitter-bash.wasm',
];

const EXTENSION = [
  '[[]Content_Types].xml', 'extension.vsixmanifest',
  ...[
    'changelog.md', 'LICENSE.txt', 'readme.md', 'package.json', 'package.nls.json', 'package.nls.zh-cn.json', 'l10n/bundle.l10n.zh-cn.json',
    'agents/{bug-hunter,code-reviewer,dependency-auditor,doc-writer,security-reviewer,test-writer}.md', 'media/icon.png', 'media/subagents.svg',
    'dist/extension.js', 'dist/vendor/*.js', 'dist/vendor/htmlWorker.js', 'dist/vendor/tree-sitter.wasm', 'dist/vendor/tree-sitter-bash.wasm',
  ].map((path) => `extension/${path}`),
];

/** Every file fits the list, and every line of the list a file. */
function assertHolds(files: readonly string[], list: readonly string[]): void {
  assert.deepEqual(files.filter((file) => !list.some((pattern) => matchesGlob(file, pattern))), [], 'no file but those listed');
  assert.deepEqual(list.filter((pattern) => !files.some((file) => matchesGlob(file, pattern))), [], 'all that is listed');
}

describe('the packed library', () => {
  let installed: InstalledPackage;
  before(async () => {
    installed = await installedPackage();
  });

  it('holds the runtime, its types and what npm shows of a package, also where the extension was built too', () => {
    assertHolds(installed.files, LIBRARY);
  });

  it('is small', () => {
    assert.ok(installed.packedSize < 3 * MB, `${installed.packedSize} bytes`);
  });

  it('names no folder of the machine that built it', async () => {
    const texts = await Promise.all(installed.files.filter((file) => !file.endsWith('.wasm')).map(async (file) => ({ file, text: await readFile(join(installed.packageDir, file), 'utf8') })));
    assert.deepEqual(texts.filter(({ text }) => text.includes(projectRoot)).map(({ file }) => file), []);
  });
});

describe('the packaged extension', () => {
  let archive: Buffer;
  let entries: readonly ZipEntry[];
  before(async () => {
    // Built last, so that what the library left in dist/ would be packed if it were not for the list.
    await installedPackage();
    archive = await readFile(await packageExtension());
    entries = zipEntries(archive);
  });

  it('holds what runs in the editor, and neither the library nor sources', () => {
    assertHolds(entries.map(({ path }) => path), EXTENSION);
  });

  it('is small, and what is loaded at start-up is smaller', () => {
    assert.ok(archive.length < 3 * MB, `${archive.length} bytes`);
    const [main] = entries.filter(({ path }) => path === 'extension/dist/extension.js');
    assert.ok(main && main.size > 0 && main.size < 300_000, `${main?.size} bytes`);
  });
});
