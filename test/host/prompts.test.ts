import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SILENT_LOG } from '../../src/runtime/domain/ports.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import type { RuntimeEvent } from '../../src/runtime/domain/events.ts';
import type { ScheduledPrompt } from '../../src/runtime/domain/services.ts';
import { showPrompts } from '../../src/ui/prompts/promptPicker.ts';

const HIDE = 'workbench.action.closeQuickOpen';

describe('the list of scheduled prompts', () => {
  let prompts: ScheduledPrompt[];
  let listening: Set<(event: RuntimeEvent) => void>;
  let isOver: boolean;
  let asked: number;

  beforeEach(() => {
    prompts = [{ id: 'cron-1', sessionId: 's1', schedule: '0 9 * * *', prompt: 'Look at the build', createdAt: 0, nextAt: Date.UTC(2030, 0) }];
    listening = new Set();
    [isOver, asked] = [false, 0];
  });

  function show(): Promise<void> {
    const agent: Partial<LiteAgent> = {
      subscribe: (listener) => {
        listening.add(listener);
        return { dispose: () => void listening.delete(listener) };
      },
      transcript: async () => [],
    };
    const list = async (): Promise<readonly ScheduledPrompt[]> => {
      asked += 1;
      return prompts;
    };
    return showPrompts({ prompts: { list, remove: () => assert.fail('nothing is deleted') }, log: SILENT_LOG }, agent as LiteAgent).finally(() => (isOver = true));
  }

  it('ends where it is hidden, and listens no more', async () => {
    const showing = show();
    while (!isOver) await vscode.commands.executeCommand(HIDE);
    await showing;
    assert.deepEqual([listening.size, asked], [0, 1]);
  });

  it('follows what is sent, and ends with its last prompt', async () => {
    const showing = show();
    while (listening.size === 0) await new Promise((resolve) => setImmediate(resolve));
    const turn = { at: 0, type: 'turn.started', sessionId: 's1', turnId: 't', cause: { kind: 'scheduled', promptId: 'cron-1', title: 'Look' } } as const;
    for (const listener of listening) listener({ ...turn, cause: { kind: 'user' } });
    assert.equal(asked, 1, "the user's own turns change nothing in it");
    prompts = [];
    for (const listener of listening) listener(turn);
    await showing;
    assert.deepEqual([listening.size, asked], [0, 2]);
  });

  it('is none where nothing is scheduled', async () => {
    prompts = [];
    await show();
    assert.deepEqual([listening.size, asked], [0, 1]);
  });
});
