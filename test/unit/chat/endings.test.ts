import assert from 'node:assert/strict';
import type { ChildView, FailureReason, RunOutcome } from '../../../src/runtime/domain/agents.ts';
import { TurnRenderer } from '../../../src/ui/chat/turnRenderer.ts';
import { currentBlock, groupBlock } from '../../../src/ui/chat/groupBlock.ts';
import { statusReport } from '../../../src/ui/chat/statusReport.ts';
import { childDescription, childRow, type ChildContext } from '../../../src/ui/tree/childItem.ts';
import { english as l10n } from '../ui/fakes.ts';
import { IDS, RecordedOutput, WORDS, child, event, group } from './support.ts';

const ALL_REASONS: Readonly<Record<FailureReason, string>> = {
  error: 'failed: The server was gone.',
  max_turns: 'failed: reached its turn limit',
  max_tokens: 'failed: its answer was cut off',
  refusal: 'failed: the model refused',
  filtered: 'failed: its answer was filtered',
  no_text: 'failed: it ended without an answer',
  context: 'failed: the context was too long',
  timeout: 'failed: it took too long',
  rate_limited: 'failed: the rate limit was reached',
  quota: 'failed: the quota is used up',
  auth: 'failed: access to the model was refused',
  schema: 'failed: its answer had the wrong form',
  budget: 'failed: the budget is used up',
};

const DONE: RunOutcome = { status: 'completed', text: 'Done.' };
const settled = (outcome: RunOutcome, more: Partial<ChildView> = {}): ChildView => child('a', { status: outcome.status, outcome, startedAt: 1000, settledAt: 3000, ...more });

const unstarted = (outcome: RunOutcome): ChildView => child('a', { status: outcome.status, outcome, settledAt: 3000 });

/** Every way a child can end, with the words for it, and what is told beside them. */
const ENDINGS: Readonly<Record<string, readonly [ChildView, string, string?]>> = {
  'completed, with a task to review': [settled(DONE, { taskId: 't', taskStatus: 'review' }), 'review', ' · 2 s'],
  'completed with changed files and denied calls': [settled(DONE, { taskId: 't', taskStatus: 'review', changedFiles: ['/a', '/b'], denials: 1 }), 'review', ' · 1 denied · 2 files · 2 s'],
  'completed, with no task': [settled(DONE), 'completed', ' · 2 s'],
  'completed in a later round': [settled(DONE, { taskId: 't', taskStatus: 'review', round: 3 }), 'review', ' · 2 s · round 3'],
  'failed without saying how': [settled({ status: 'failed', reason: 'error', message: ' \n' }), 'failed: an error', ' · 2 s'],
  'failed with markup in what was said': [settled({ status: 'failed', reason: 'error', message: '[a](b) `c` $(d) <e>\nf' }), 'failed: [a](b) `c` $(d) <e> f', ' · 2 s'],
  'failed before it started': [unstarted({ status: 'failed', reason: 'budget', message: 'm' }), 'failed: the budget is used up', ''],
  'failed with files that it changed': [settled({ status: 'failed', reason: 'max_turns', message: 'm', partialText: 'p' }, { changedFiles: ['/a'], taskId: 't', taskStatus: 'failed' }), 'failed: reached its turn limit', ' · 1 file · 2 s'],
  'cancelled at work': [settled({ status: 'cancelled' }, { taskId: 't', taskStatus: 'cancelled' }), 'cancelled', ' · 2 s'],
  'cancelled in the queue': [unstarted({ status: 'cancelled' }), 'cancelled', ''],
  ...Object.fromEntries(Object.entries(ALL_REASONS).map(([reason, words]) => [`failed: ${reason}`, [settled({ status: 'failed', reason: reason as FailureReason, message: 'The server\nwas gone.' }), words, ' · 2 s'] as const])),
};
const LATER: Readonly<Record<string, readonly [ChildView, string]>> = {
  'accepted': [settled(DONE, { taskId: 't', taskStatus: 'completed' }), 'completed · 2 s'],
  'interrupted': [child('a', { status: 'interrupted', startedAt: 1000, changedFiles: ['/a'] }), 'interrupted · 1 file'],
};

const context: ChildContext = { name: 'Name of a', place: 1, now: 9000, isElsewhere: false, hasRefused: false, cwd: '/w', locale: 'en', l10n };
/** What VS Code shows of inert Markdown. */
const shown = (markdown: string): string => markdown.replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)));
/** Icon and words of the first line of a block. */
const firstLine = (block: string): readonly (string | undefined)[] => /^\s*\$\(([\w-]+)\) \*\*Name of a\*\* · (.*?) {2}\n/.exec(shown(block))?.slice(1) ?? [block];

function told(view: ChildView): Record<'block' | 'status' | 'tree', readonly (string | undefined)[]> {
  const views = group([view], { status: view.status === 'queued' ? 'running' : view.status });
  const report = statusReport({ groups: [views], pending: [], tasks: [], sessionId: 's1' }, { ids: IDS, words: WORDS, locale: 'en', l10n });
  return {
    block: firstLine(groupBlock(currentBlock(views, { sessionId: 's1', turnId: 't1', groupId: 'bg_1' }), IDS, WORDS)),
    status: firstLine(report.find(({ kind }) => kind === 'block')?.markdown ?? ''),
    tree: [childRow(view, context).icon.id, childDescription(view, context)],
  };
}

describe('an end of a child', () => {
  for (const [what, [view, words, more = '']] of Object.entries(ENDINGS)) {
    it(`reads the same in the chat, in /status and in the panel: ${what}`, () => {
      const { block, status, tree } = told(view);
      assert.equal(tree[1], `${words}${more}`);
      assert.deepEqual([block, status], [tree, tree]);
      assert.equal(progressOf(view), `progress:ended Name of a: ${words}`);
    });
  }

  for (const [what, [view, words]] of Object.entries(LATER)) {
    it(`reads the same later on: ${what}`, () => {
      const { block, status, tree } = told(view);
      assert.deepEqual([tree[1], block, status], [words, tree, tree]);
    });
  }
});

/** The line of progress for the end, at which the task is still at work. */
function progressOf(view: ChildView): string | undefined {
  const output = new RecordedOutput();
  const before = group([{ ...view, ...(view.taskId !== undefined && { taskStatus: 'in_progress' }) }]);
  const renderer = new TurnRenderer({ output, agent: { group: () => before }, ids: IDS, words: WORDS, turnId: () => 't1' });
  if (view.outcome) renderer.handle(event({ type: 'child.settled', sessionId: 's1', groupId: 'bg_1', agentId: 'a', outcome: view.outcome }), false);
  return output.parts.map(shown).at(-1);
}
