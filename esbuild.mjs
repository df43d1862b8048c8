// Builds the extension into dist/. Packages and sources that are imported dynamically become files of their own under dist/vendor, loaded on first use, so that start-up stays small.
import { cpSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build } from 'esbuild';

const production = process.argv.includes('--production');
/** What is loaded on first use, by the name of its file. A source among it gets copies of what it imports, so only plain data may pass between it and the rest. */
const vendored = new Map();
/** What runs in a thread of its own, found under its own name beside what starts it. */
vendored.set('htmlWorker', resolve('src/runtime/web/htmlWorker.ts'));

/** Marks `await import('package')` and `await import('./source.ts')` as external and points them at dist/vendor. `folder`: that folder from the file that imports. */
const lazyImports = (folder) => ({
  name: 'lazy-imports',
  setup(builder) {
    builder.onResolve({ filter: /^[^/]/ }, ({ path, kind, resolveDir, importer }) => {
      // A package's own files stay together.
      if (kind !== 'dynamic-import' || importer.includes('node_modules') || path.startsWith('node:') || path === 'vscode') return undefined;
      const source = path.startsWith('.') ? resolve(resolveDir, path) : path;
      const name = vendorFile(path.startsWith('.') ? relative('src', source) : path);
      vendored.set(name, source);
      return { path: `${folder}/${name}.js`, external: true };
    });
  },
});
const vendorFile = (name) => name.replace(/^@/, '').replace(/\.[jt]s$/, '').replaceAll(/[/\\]/g, '-');

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode'],
  // What modules know of themselves, in CommonJS.
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  alias: {
    // Its main file, made for several module systems, loads its parts in a way that can't be bundled.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    // The one without a parser of its own, which is never used.
    turndown: 'turndown/lib/turndown.browser.cjs.js',
  },
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
};

// What else is in dist/ is others' (dist/runtime is built by scripts/lib/library.ts).
for (const output of ['dist/extension.js', 'dist/extension.js.map', 'dist/vendor']) rmSync(output, { recursive: true, force: true });
await build({ ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', plugins: [lazyImports('./vendor')] });
// What these import dynamically in turn joins the list while it is gone through.
for (const [name, source] of vendored) {
  await build({ ...common, entryPoints: [source], outfile: `dist/vendor/${name}.js`, sourcemap: false, plugins: [lazyImports('.')] });
}
// The shell grammar is found beside the runtime that loads it.
for (const file of ['tree-sitter.wasm', 'tree-sitter-bash.wasm']) cpSync(`node_modules/@vscode/tree-sitter-wasm/wasm/${file}`, `dist/vendor/${file}`);
