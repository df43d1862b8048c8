import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { textOf } from '../../src/runtime/domain/messages.ts';
import type { FileChange, ToolContext, ToolDefinition, ToolPreview, ToolResult } from '../../src/runtime/domain/tools.ts';
import { noBackground } from '../../src/runtime/tools/noBackground.ts';
import { createNodeFiles } from '../../src/runtime/store/nodeFiles.ts';
import { createReadLedger } from '../../src/runtime/store/readLedger.ts';
import { createSpill } from '../../src/runtime/store/spill.ts';

/** A real temporary folder, by its real path. The caller removes it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'panel-test-')));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export interface TestContext extends ToolContext {
  /** Everything reported as progress, joined. */
  readonly reported: () => string;
  /** Every change of a file that was told, in order. */
  readonly changes: readonly FileChange[];
}

/** A context on the real disk that lets every path through; `changes` replaces members. */
export function toolContext<T extends Partial<ToolContext>>(cwd: string, changes?: T): TestContext & T {
  const reports: string[] = [];
  const told: FileChange[] = [];
  return {
    agent: { kind: 'root', sessionId: 'session' },
    callId: 'call',
    cwd,
    signal: new AbortController().signal,
    files: createNodeFiles(),
    reads: createReadLedger(),
    resolvePath: async (path) => realpath(resolve(cwd, path)).catch(() => resolve(cwd, path)),
    mayRead: () => true,
    keep: async () => ({ kind: 'unknown', why: 'nothing is kept' }),
    changed: (change) => void told.push(change),
    changes: told,
    spill: createSpill(join(cwd, '.spilled')),
    progress: (text) => void reports.push(text),
    reported: () => reports.join(''),
    skills: [],
    deferred: { list: () => [], activate() {} },
    noteProcess: () => ({ dispose() {} }),
    services: {},
    background: noBackground(),
    ...(changes as T),
  };
}

/** Runs a tool on an input as the gate would have let it through. */
export function execute(tool: ToolDefinition, input: object, context: ToolContext): Promise<ToolResult> {
  return tool.execute(input as never, context);
}

export async function executeText(tool: ToolDefinition, input: object, context: ToolContext): Promise<string> {
  return textOf((await execute(tool, input, context)).content);
}

export async function previewOf(tool: ToolDefinition, input: object, context: ToolContext): Promise<ToolPreview> {
  if (!tool.preview) throw new Error(`${tool.name} has no preview.`);
  return tool.preview(input as never, context);
}

/** Waits until the check holds; fails after five seconds. */
export async function eventually(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Waited too long for: ${what}.`);
    await new Promise((next) => setTimeout(next, 10));
  }
}
