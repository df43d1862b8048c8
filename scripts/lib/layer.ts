import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { resultsVariable } from '../../test/support/resultReporter.ts';
import { parseEvents, type TestEvent } from '../../test/support/testEvents.ts';
import { exec } from './exec.ts';
import { outDir, projectRoot } from './paths.ts';

/** Counts of one layer of tests. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

export interface MochaLayer {
  readonly name: string;
  readonly specs: readonly string[];
  readonly args?: readonly string[];
  readonly limitMs: number;
  /** Show the output while it runs; else only that of failures, at the end. */
  readonly stream: boolean;
}

/** Runs mocha in a process of its own; one that crashes, hangs or ends early counts as one more failure. */
export async function runMocha(layer: MochaLayer): Promise<Count> {
  if ((await filesOf(layer.specs)).length === 0) {
    console.log(`${layer.name}: no tests`);
    return { passed: 0, failed: 0 };
  }
  const results = await freshResults(layer.name);
  const mocha = join(projectRoot, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const args = [mocha, '--reporter', 'test/support/resultReporter.ts', ...(layer.args ?? [])];
  const { code, output, timedOut } = await exec(process.execPath, args, {
    env: { ...process.env, [resultsVariable]: results },
    stream: layer.stream,
    timeoutMs: layer.limitMs,
  });
  const events = await readResults(results);
  const count = countOf(events);
  const ended = events.some(({ event }) => event === 'end');
  const broken = timedOut || !ended || (code !== 0 && count.failed === 0);
  if (!layer.stream && (broken || count.failed > 0)) console.log(output);
  if (broken) console.log(`${layer.name}: ${timedOut ? `not done after ${layer.limitMs / 1000} s` : `mocha ended early, with exit code ${code}`}`);
  return broken ? { ...count, failed: count.failed + 1 } : count;
}

/** Path of an empty results file for a layer. */
export async function freshResults(name: string): Promise<string> {
  const file = join(outDir, 'results', `${name}.jsonl`);
  await mkdir(join(outDir, 'results'), { recursive: true });
  await rm(file, { force: true });
  return file;
}

/** The events that a results file holds by now. */
export async function readResults(file: string): Promise<TestEvent[]> {
  return existsSync(file) ? parseEvents(await readFile(file, 'utf8')) : [];
}

/** Counts tests that passed and failed. */
export function countOf(events: readonly TestEvent[]): Count {
  return {
    passed: events.filter(({ event }) => event === 'pass').length,
    failed: events.filter(({ event }) => event === 'fail').length,
  };
}

/** Files of the project that fit the patterns, in order. */
export async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob([...patterns], { cwd: projectRoot })) files.push(file);
  return files.sort();
}
