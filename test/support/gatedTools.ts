import { textOf } from '../../src/runtime/domain/messages.ts';
import type { PermissionLists } from '../../src/runtime/domain/permissions.ts';
import type { PathScope } from '../../src/runtime/domain/ports.ts';
import { runToolPhase } from '../../src/runtime/agent/toolPhase.ts';
import { createGate } from '../../src/runtime/permissions/gate.ts';
import { createNodeFiles } from '../../src/runtime/store/nodeFiles.ts';
import type { ReadLedger } from '../../src/runtime/domain/tools.ts';
import { createReadLedger } from '../../src/runtime/store/readLedger.ts';
import { createBuiltinTools } from '../../src/runtime/tools/registry.ts';
import { findRipgrep } from '../../src/runtime/tools/ripgrep.ts';
import { child, WatchedQueue } from './permissionsCalls.ts';
import { clockOf } from './timing.ts';
import { fixedTools } from './fixedTools.ts';

export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

export interface GatedToolsOptions {
  readonly scope: PathScope;
  readonly user: PermissionLists;
  /** Default: a ledger that knows what was read. */
  readonly reads?: ReadLedger;
}

/** The real file and search tools behind the real gate, with nobody there to ask. */
export async function gatedTools({ scope, user, reads = createReadLedger() }: GatedToolsOptions): Promise<(name: string, input: object) => Promise<ToolOutcome>> {
  const ripgrep = await findRipgrep({ path: process.env['PATH'] ?? '' });
  const tools = createBuiltinTools(ripgrep === undefined ? {} : { ripgrep });
  const gate = createGate(new WatchedQueue());
  const files = createNodeFiles();
  return async (name, input) => {
    const [result] = await runToolPhase([{ type: 'tool_call', id: 'c', name, arguments: JSON.stringify(input) }], {
      agent: child('a'),
      tools: fixedTools(tools),
      gate,
      layers: () => [{ name: 'user', lists: user }],
      scope,
      files,
      reads,
      spill: async () => '/dev/null',
      publish: () => undefined,
      noteProcess: () => ({ dispose() {} }),
      clock: clockOf(),
    });
    if (!result) throw new Error('no result');
    return { text: textOf(result.content), isError: result.isError };
  };
}
