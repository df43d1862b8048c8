// Builds dist/. Packages that the sources import dynamically become files of their own under dist/vendor, loaded on first use, so that start-up stays small.
import { cpSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const production = process.argv.includes('--production');
const vendored = new Set();

/** Marks `await import('package')` as external and points it at dist/vendor. */
const lazyPackages = {
  name: 'lazy-packages',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:') || path === 'vscode') return undefined;
      vendored.add(path);
      return { path: `./vendor/${vendorFile(path)}.js`, external: true };
    });
  },
};
const vendorFile = (name) => name.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-');

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode'],
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
};

rmSync('dist', { recursive: true, force: true });
await build({ ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', plugins: [lazyPackages] });
for (const name of vendored) {
  await build({ ...common, entryPoints: [name], outfile: `dist/vendor/${vendorFile(name)}.js`, sourcemap: false });
}
// The shell grammar is found beside the runtime that loads it.
for (const file of ['tree-sitter.wasm', 'tree-sitter-bash.wasm']) cpSync(`node_modules/@vscode/tree-sitter-wasm/wasm/${file}`, `dist/vendor/${file}`);
