import type { ToolDefinition } from '../domain/tools.ts';
import { BACKGROUND_TOOLS } from './backgroundTools.ts';
import { createBashTool, type ShellOptions } from './bash.ts';
import { editTool } from './edit.ts';
import { findTool } from './findTool.ts';
import { createGlobTool } from './glob.ts';
import { createGrepTool } from './grep.ts';
import { readTool } from './read.ts';
import { writeTool } from './write.ts';

export interface BuiltinToolOptions {
  /** Absolute path of a ripgrep binary; without one there is no `Glob` and no `Grep`. */
  readonly ripgrep?: string;
  /** Absent: no `Bash`. On Windows there is none either way. */
  readonly shell?: ShellOptions;
}

/** The tools for files, search and shell, and the one that finds others, in the order in which a model sees them. */
export function createBuiltinTools({ ripgrep, shell }: BuiltinToolOptions): readonly ToolDefinition[] {
  return [
    readTool,
    writeTool,
    editTool,
    ...(ripgrep === undefined ? [] : [createGlobTool(ripgrep), createGrepTool(ripgrep)]),
    ...(shell === undefined || process.platform === 'win32' ? [] : [createBashTool(shell), ...BACKGROUND_TOOLS]),
    findTool,
  ];
}
