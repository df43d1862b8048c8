import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
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

/** What a run of mocha gave, and the files in which something failed. */
interface MochaRun {
  readonly count: Count;
  readonly events: readonly TestEvent[];
  /** Nothing where the run itself broke, so that it isn't known which. */
  readonly failedFiles: readonly string[];
}

/** Runs mocha in a process of its own; one that crashes, hangs or ends early counts as one more failure. */
export async function runMocha(layer: MochaLayer): Promise<Count> {
  return (await mochaRun(layer)).count;
}

/**
 * Runs mocha, and the files in which a test failed once more: a browser on a busy machine loses a key or a click at
 * times. What passes only then is named as flaky, which is a bug to mend, and doesn't fail the run.
 * @param argsFor mocha's arguments for these files
 */
export async function runMochaTwice(layer: Omit<MochaLayer, 'args'>, argsFor: (files: readonly string[]) => readonly string[]): Promise<Count> {
  const first = await mochaRun({ ...layer, args: argsFor(layer.specs) });
  if (first.failedFiles.length === 0) return first.count;
  console.log(`${layer.name}: once more, in a new start: ${first.failedFiles.map((file) => relative(projectRoot, file)).join(', ')}`);
  const second = await mochaRun({ ...layer, specs: first.failedFiles.map((file) => relative(projectRoot, file)), args: argsFor(first.failedFiles) });
  const others = first.events.filter((event) => 'file' in event && !first.failedFiles.includes(event.file));
  const stillFailing = new Set(second.events.flatMap((event) => (event.event === 'fail' ? [event.title] : [])));
  for (const event of first.events) if (event.event === 'fail' && !stillFailing.has(event.title)) console.log(`${layer.name}: FLAKY, failed and then passed: ${event.title}`);
  const { passed, failed } = countOf(others);
  return { passed: passed + second.count.passed, failed: failed + second.count.failed };
}

async function mochaRun(layer: MochaLayer): Promise<MochaRun> {
  if ((await filesOf(layer.specs)).length === 0) {
    console.log(`${layer.name}: no tests`);
    return { count: { passed: 0, failed: 0 }, events: [], failedFiles: [] };
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
  if (broken) return { count: { ...count, failed: count.failed + 1 }, events, failedFiles: [] };
  return { count, events, failedFiles: [...new Set(events.flatMap((event) => (event.event === 'fail' && event.file !== undefined ? [event.file] : [])))] };
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
