import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AppError } from '../../src/runtime/base/errors.ts';
import type { ChildView } from '../../src/runtime/domain/agents.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import { SILENT_LOG } from '../../src/runtime/domain/ports.ts';
import { accept, acceptable } from '../../src/ui/review/accept.ts';
import type { ReviewDocuments } from '../../src/ui/review/documents.ts';
import { acceptShown, reviewResults, type ReviewContext } from '../../src/ui/review/reviewPicker.ts';
import { child, group, strictReviews } from '../unit/ui/fakes.ts';

const inReview = { status: 'completed', taskStatus: 'review' } as const;

describe('what waits for review', () => {
  let children: readonly ChildView[];
  let told: string[];
  let agent: LiteAgent;

  beforeEach(() => {
    told = [];
    const fake = {
      reviews: strictReviews({
        accept: async (agentId) => {
          told.push(`accept changes of ${agentId}`);
          return { accepted: [], conflicts: [], unsaved: [] };
        },
        changes: async () => [],
      }),
      tasks: {
        list: () => [],
        accept: async (taskId: string) => {
          told.push(`accept task ${taskId}`);
          if (taskId === 'taken') throw new AppError('conflict', 'It is completed already.');
        },
      },
      groups: () => [group(children)],
      group: (id: string) => (id === 'g1' ? group(children) : undefined),
      child: (id: string) => children.find(({ agentId }) => agentId === id),
    };
    agent = fake as unknown as LiteAgent;
  });

  it('is accepted by its task, and what is left of other ends by itself', async () => {
    children = [
      child({ agentId: 'r', taskId: 't', ...inReview }),
      child({ agentId: 'late', taskId: 'taken', ...inReview }),
      child({ agentId: 'f', status: 'failed', changedFiles: ['/a'] }),
      child({ agentId: 'nothing', status: 'failed' }),
      child({ agentId: 'busy', status: 'running', changedFiles: ['/a'] }),
      child({ agentId: 'other', status: 'cancelled', changedFiles: ['/a'] }),
    ];
    const chosen = acceptable(agent, ['r', 'late', 'f', 'nothing', 'busy'].map((agentId) => ({ agentId })));
    assert.deepEqual(chosen.map((item) => item.kind === 'child' && item.child.agentId), ['r', 'late', 'f']);
    assert.deepEqual(await accept({ log: SILENT_LOG }, agent, chosen), []);
    assert.deepEqual(told, ['accept task t', 'accept task taken', 'accept changes of f']);
  });

  it('is asked about anew where the only one that was chosen has gone on since it was shown', async () => {
    const view = { showChild: async (agentId: string) => void told.push(`row of ${agentId}`) };
    const context = { view, log: SILENT_LOG, requests: { unsent: () => 0 } } as unknown as ReviewContext;
    const shown = child({ agentId: 'r', taskId: 't', ...inReview });
    children = [{ ...shown, round: 2, changedFiles: ['/unseen'] }];
    await acceptShown(context, agent, [{ kind: 'child', child: shown }], 'g1');
    assert.deepEqual(told, ['row of r']);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('opens at once where it is the only one: its changes with its row beside, or its result', async () => {
    const documents: Pick<ReviewDocuments, 'openResult'> = { openResult: async (_agent, agentId) => void told.push(`result of ${agentId}`) };
    const view = { showChild: async (agentId: string) => void told.push(`row of ${agentId}`) };
    const context = { view, documents, log: SILENT_LOG } as unknown as ReviewContext;
    children = [child({ agentId: 'r', ...inReview }), child({ agentId: 'f', status: 'failed' })];
    await reviewResults(context, agent, 'g1');
    children = [child({ agentId: 'c', changedFiles: ['/a'], ...inReview })];
    await reviewResults(context, agent, 'g1');
    assert.deepEqual(told, ['result of r', 'row of c']);
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});
