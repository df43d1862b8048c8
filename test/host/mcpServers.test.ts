import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ConfiguredServer } from '../../src/host/mcp/configuredServers.ts';
import { deferred, type Deferred } from '../../src/runtime/base/async.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import type { ServerView } from '../../src/runtime/domain/mcp.ts';
import type { UiContext } from '../../src/ui/context.ts';
import { showServers } from '../../src/ui/mcp/serverPicker.ts';

const ACCEPT = 'workbench.action.acceptSelectedQuickOpenItem';
const HIDE = 'workbench.action.closeQuickOpen';

describe('the list of MCP servers', () => {
  const server: ServerView = { name: 'everything', transport: 'stdio', status: 'failed', tools: [], error: 'It ended at once.' };
  const configured: ConfiguredServer = { name: 'everything', config: { type: 'stdio', command: 'x' }, origin: { kind: 'settings' }, folder: '/w', inputs: 'undeclared' };
  let done: string[];
  let restarted: Deferred<ServerView>;

  beforeEach(() => {
    done = [];
    restarted = deferred();
  });

  function contextWith(servers: readonly ConfiguredServer[]): UiContext {
    const mcp: Partial<UiContext['mcp']> = { servers: () => new Map(servers.map((one) => [one.name, one])), askAgain: () => done.push('ask again') };
    return { mcp, showLog: () => done.push('show log') } as unknown as UiContext;
  }

  function agentWith(servers: readonly ServerView[]): LiteAgent {
    const agent: Partial<LiteAgent> = {
      subscribe: () => ({ dispose: () => done.push('listen no more') }),
      connections: {
        list: () => servers,
        restart: (name) => {
          done.push(`restart ${name}`);
          return restarted.promise;
        },
      },
    };
    return agent as LiteAgent;
  }

  /** Gives a command again and again, which does nothing while nothing is open, until something has come of it. */
  async function press(command: string, until: () => boolean): Promise<void> {
    while (!until()) await vscode.commands.executeCommand(command);
  }

  it('restarts one, whose inputs are asked for again, and is there again after that', async () => {
    let isOver = false;
    const showing = showServers(contextWith([configured]), agentWith([server])).finally(() => (isOver = true));
    await press(ACCEPT, () => done.includes('restart everything'));
    assert.deepEqual(done, ['listen no more', 'ask again', 'restart everything']);
    restarted.resolve(server);
    await press(HIDE, () => isOver);
    await showing;
    assert.deepEqual(done.slice(3), ['listen no more']);
  });

  it('can do nothing to one that a subagent brought, but show the log where it failed', async () => {
    const { error: _error, ...fine } = server;
    for (const [view, expected] of [[{ ...fine, status: 'closed' }, ['listen no more']], [server, ['listen no more', 'show log']]] as const) {
      done = [];
      let isOver = false;
      const showing = showServers(contextWith([]), agentWith([view])).finally(() => (isOver = true));
      await press(ACCEPT, () => isOver);
      await showing;
      assert.deepEqual(done, expected);
    }
  });
});
