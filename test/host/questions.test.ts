import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/ids.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../src/runtime/domain/approvals.ts';
import type { RuntimeEvent } from '../../src/runtime/domain/events.ts';
import type { LiteAgent } from '../../src/runtime/domain/liteAgent.ts';
import type { UserQuestion } from '../../src/runtime/domain/services.ts';
import { SILENT_LOG } from '../../src/runtime/domain/ports.ts';
import { approvalCommands } from '../../src/ui/commands/approve.ts';
import type { CommandContext } from '../../src/ui/commands/command.ts';
import { question, request } from '../unit/ui/fakes.ts';

/** What the person does next in a pick or a box: chooses items by a part of their label, writes, or presses Escape. */
type Step = { readonly choose: readonly string[] } | { readonly write: string } | 'escape' | 'elsewhere';

describe('the commands on questions', () => {
  const { showQuickPick, showInputBox } = vscode.window;
  const window = vscode.window as unknown as Record<string, unknown>;
  let pending: ApprovalRequest[];
  let decided: (readonly [string, ApprovalDecision])[];
  let shown: { readonly options: vscode.QuickPickOptions & vscode.InputBoxOptions; readonly labels: readonly string[] }[];
  let listeners: Set<(event: RuntimeEvent) => void>;

  afterEach(() => Object.assign(window, { showQuickPick, showInputBox }));

  async function run(command: typeof COMMANDS.answer | typeof COMMANDS.dontAnswer | typeof COMMANDS.allow | typeof COMMANDS.deny | typeof COMMANDS.moreDecisions, targets: readonly string[], ...steps: readonly Step[]): Promise<void> {
    const left = [...steps];
    decided = [];
    shown = [];
    listeners = new Set();
    /** Answered in another place, which closes what is open. */
    const settle = (token: vscode.CancellationToken | undefined): undefined => {
      const [head] = pending;
      if (head !== undefined) for (const listener of listeners) listener({ at: 0, type: 'approval.decided', request: head, decision: { kind: 'deny' }, by: 'person' });
      assert.equal(token?.isCancellationRequested, true, 'it stays open');
      return undefined;
    };
    window['showQuickPick'] = async (items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions, token?: vscode.CancellationToken) => {
      shown.push({ options, labels: items.map(({ label }) => label) });
      const step = left.shift() ?? assert.fail('one pick too many');
      if (step === 'elsewhere') return settle(token);
      if (step === 'escape') return undefined;
      assert.ok('choose' in step);
      const chosen = step.choose.map((label) => items.find((item) => item.label.includes(label)) ?? assert.fail(label));
      return options.canPickMany ? chosen : chosen[0];
    };
    window['showInputBox'] = async (options: vscode.InputBoxOptions, token?: vscode.CancellationToken) => {
      shown.push({ options, labels: [] });
      const step = left.shift() ?? assert.fail('one box too many');
      if (step === 'elsewhere') return settle(token);
      if (step === 'escape') return undefined;
      assert.ok('write' in step);
      return step.write;
    };
    const agent = {
      groups: () => [],
      subscribe: (listener: (event: RuntimeEvent) => void) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
      approvals: { pending: () => pending, decide: async (id: string, decision: ApprovalDecision) => decided.push([id, decision]) > 0 },
    } as unknown as LiteAgent;
    const context = { access: { agent: async () => agent }, log: SILENT_LOG } as unknown as CommandContext;
    await approvalCommands(context)[command](targets.map((requestId) => ({ requestId })));
    assert.deepEqual(left, [], 'not all was asked');
    assert.equal(listeners.size, 0);
  }

  const asks = (asked: UserQuestion): void => void (pending = [question({ question: asked })]);
  const answers = (): readonly (string | undefined)[] => decided.map(([, decision]) => (decision.kind === 'answer' ? decision.text : undefined));

  it('answer with an option, or in other words, in the name of who asks', async () => {
    asks({ question: 'Which\ncolour?', options: [{ label: 'red' }, { label: 'blue' }] });
    await run(COMMANDS.answer, ['q1'], { choose: ['blue'] });
    assert.deepEqual(decided, [['q1', { kind: 'answer', text: 'blue' }]]);
    assert.deepEqual([shown[0]?.options.title, shown[0]?.options.placeHolder, shown[0]?.options.ignoreFocusOut], ['Docs review asks: Which colour?', 'Which colour?', true]);
    assert.deepEqual(shown[0]?.labels, ['red', 'blue', '$(edit) Write another answer…']);
    await run(COMMANDS.answer, ['q1'], { choose: ['Write another'] }, { write: ' green ' });
    assert.deepEqual(answers(), ['green']);
  });

  it('answer with several, where several may be chosen', async () => {
    asks({ question: 'Which?', options: [{ label: 'a' }, { label: 'b' }, { label: 'c' }], multiple: true });
    await run(COMMANDS.answer, ['q1'], { choose: ['a', 'c'] });
    assert.deepEqual(answers(), ['a\nc']);
    await run(COMMANDS.answer, ['q1'], { choose: ['b', 'Write another'] }, { write: 'd' });
    assert.deepEqual(answers(), ['b\nd']);
  });

  it('answer freely where nothing is offered; no link and no icon come of the question', async () => {
    asks({ question: 'Run [this](command:x) $(trash)?' });
    await run(COMMANDS.answer, ['q1'], { write: 'no' });
    assert.deepEqual(answers(), ['no']);
    const prompt = shown[0]?.options.prompt ?? '';
    assert.ok(!prompt.includes('](') && !prompt.includes('$('), prompt);
  });

  it('leave it pending on Escape, and where nothing was said', async () => {
    asks({ question: 'Which?', options: [{ label: 'a' }], multiple: true });
    for (const steps of [['escape'], [{ choose: [] }], [{ choose: ['a', 'Write another'] }, 'escape']] as const) {
      await run(COMMANDS.answer, ['q1'], ...steps);
      assert.deepEqual(decided, [], JSON.stringify(steps));
    }
    asks({ question: 'Which?' });
    await run(COMMANDS.answer, ['q1'], { write: ' ' });
    assert.deepEqual(decided, []);
  });

  it('close when it is answered elsewhere, and say nothing then', async () => {
    asks({ question: 'Which?', options: [{ label: 'a' }] });
    await run(COMMANDS.answer, ['q1'], 'elsewhere');
    await run(COMMANDS.answer, ['q1'], { choose: ['Write another'] }, 'elsewhere');
    assert.deepEqual(decided, []);
  });

  it('decline it, with words or without', async () => {
    asks({ question: 'Which?' });
    await run(COMMANDS.dontAnswer, ['q1']);
    assert.deepEqual(decided, [['q1', { kind: 'deny' }]]);
    await run(COMMANDS.moreDecisions, ['q1'], { choose: ['with message'] }, { write: 'ask later' });
    assert.deepEqual(decided, [['q1', { kind: 'deny', message: 'ask later' }]]);
    await run(COMMANDS.moreDecisions, ['q1'], { choose: ['Answer…'] }, { write: 'now' });
    assert.deepEqual(answers(), ['now']);
  });

  it('do to several rows only what fits each', async () => {
    pending = [question(), request()];
    await run(COMMANDS.allow, ['q1', 'r1']);
    assert.deepEqual(decided, [['r1', { kind: 'allow_once' }]]);
    await run(COMMANDS.deny, ['q1', 'r1']);
    assert.deepEqual(decided, [['r1', { kind: 'deny' }]]);
    await run(COMMANDS.dontAnswer, ['r1', 'q1']);
    assert.deepEqual(decided, [['q1', { kind: 'deny' }]]);
    await run(COMMANDS.answer, ['r1', 'gone']);
    assert.deepEqual(decided, []);
  });
});
