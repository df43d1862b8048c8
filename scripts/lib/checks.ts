import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exec } from './exec.ts';
import { runMocha, type Count } from './layer.ts';
import { cacheDir, projectRoot } from './paths.ts';

/** Types, lint and unit tests, side by side; types and lint count as one each. */
export async function runChecks(): Promise<Count> {
  await mkdir(join(cacheDir, 'cache'), { recursive: true });
  const counts = await Promise.all([types(), lint(), unit()]);
  return total(counts);
}

/** What shows one part by itself, on plain Node. */
export function unit(): Promise<Count> {
  return runMocha({ name: 'unit', specs: ['test/unit/**/*.test.ts'], args: onNode('test/unit/**/*.test.ts'), limitMs: 300_000, stream: false });
}

/** What meets real counterparts: servers over HTTP, processes. */
export function contracts(): Promise<Count> {
  return runMocha({ name: 'contracts', specs: ['test/contracts/**/*.test.ts'], args: onNode('test/contracts/**/*.test.ts'), limitMs: 300_000, stream: false });
}

function onNode(specs: string): readonly string[] {
  return ['--no-config', '--extension', 'ts', '--timeout', '10000', '--forbid-only', specs];
}

/** Adds counts up. */
export function total(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Says how a layer went, in one line. */
export function report(name: string, { passed, failed }: Count, startedAt: number): void {
  console.log(`${name}: ${passed} passed, ${failed} failed (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}

function types(): Promise<Count> {
  return tool('types', ['typescript', 'bin', 'tsc'], ['--pretty', 'false']);
}

function lint(): Promise<Count> {
  return tool('lint', ['eslint', 'bin', 'eslint.js'], ['.']);
}

async function tool(name: string, script: readonly string[], args: readonly string[]): Promise<Count> {
  const startedAt = performance.now();
  const { code, output } = await exec(process.execPath, [join(projectRoot, 'node_modules', ...script), ...args], { timeoutMs: 300_000 });
  if (code !== 0 || output.trim() !== '') console.log(output.trimEnd());
  const count = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  report(name, count, startedAt);
  return count;
}
