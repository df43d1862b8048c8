import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { withLock } from './lock.ts';
import { projectRoot } from './paths.ts';

const entry = join(projectRoot, 'src', 'runtime', 'index.ts');
const thread = join(projectRoot, 'src', 'runtime', 'web', 'htmlWorker.ts');
const target = join(projectRoot, 'dist', 'runtime');
const wasm = join(projectRoot, 'node_modules', '@vscode', 'tree-sitter-wasm', 'wasm');

/** What packages in CommonJS expect to find, for each file of the build. */
const commonJsNames = [
  "import { createRequire as nodeCreateRequire } from 'node:module';",
  "import { dirname as nodeDirname } from 'node:path';",
  "import { fileURLToPath as nodeFileURLToPath } from 'node:url';",
  'const require = nodeCreateRequire(import.meta.url);',
  'const __filename = nodeFileURLToPath(import.meta.url);',
  'const __dirname = nodeDirname(__filename);',
].join('\n');

/** Builds dist/runtime/, which is the package's `subagent-panel/runtime`: modules and the types of all its exports. */
export async function buildLibrary(): Promise<void> {
  await withLock('package', async () => {
    await rm(target, { recursive: true, force: true });
    await Promise.all([bundleModules(), bundleTypes()]);
  });
}

/** What is imported dynamically, and what several of those need, becomes a file of its own, loaded on first use. Readable, since it is read in stack traces. */
async function bundleModules(): Promise<void> {
  const chunks = join(target, 'chunks');
  await build({
    // The thread is found beside the chunk that starts it.
    entryPoints: { index: entry, 'chunks/htmlWorker': thread },
    outdir: target,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // The one without a parser of its own, which is never used.
    alias: { turndown: 'turndown/lib/turndown.browser.cjs.js' },
    banner: { js: commonJsNames },
    absWorkingDir: projectRoot,
    logLevel: 'warning',
  });
  // The shell grammar is found beside the chunk that loads it.
  for (const file of ['tree-sitter.wasm', 'tree-sitter-bash.wasm']) await cp(join(wasm, file), join(chunks, file));
}

async function bundleTypes(): Promise<void> {
  const bundle = await rollup({ input: entry, plugins: [dts({ tsconfig: join(projectRoot, 'tsconfig.json'), compilerOptions: { types: ['node'] } })] });
  await bundle.write({ file: join(target, 'index.d.mts'), format: 'es' });
  await bundle.close();
}
