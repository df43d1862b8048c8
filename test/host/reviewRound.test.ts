import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/ids.ts';
import { SILENT_LOG } from '../../src/runtime/domain/ports.ts';
import { ChangeRequests } from '../../src/ui/review/comments/requestChanges.ts';
import { ReviewComments } from '../../src/ui/review/comments/reviewComments.ts';
import { threadCommands } from '../../src/ui/review/comments/threadCommands.ts';
import { until } from '../support/hostEvents.ts';
import { edits, startReviewing, type ReviewFixture } from '../support/reviewFixture.ts';
import { fakeState } from '../support/state.ts';

/** The comments of the window on a real runtime, with a child that a scripted model plays. */
describe('a round of changes', () => {
  let fixture: ReviewFixture;
  let comments: ReviewComments | undefined;

  afterEach(async () => {
    comments?.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await fixture.end();
  });

  it('begins with a comment beside the file, is answered there, and ends when the change is accepted', async () => {
    fixture = await startReviewing(
      { A: [...edits('f.txt', ['two\n', 'TWO\n']), ...edits('f.txt', ['TWO\n', 'Two\n']).slice(0, -1), { text: 'All done.\n\nComment 1: In small letters now.' }] },
      { tasks: true, workspace: { 'f.txt': 'one\ntwo\nthree\n' } },
    );
    const { agent } = fixture;
    const [child] = await fixture.run('A');
    const agentId = child?.agentId ?? '';
    const threads = new Set<vscode.CommentThread>();
    let controller: vscode.CommentController | undefined;
    const access = { current: agent, agent: async () => agent, onDidCreate: () => ({ dispose: () => undefined }) };
    comments = new ReviewComments({ access, log: SILENT_LOG, extension: { workspaceState: fakeState() } }, (id, label) => {
      controller = vscode.comments.createCommentController(id, label);
      return noting(controller, threads);
    });
    const commands = threadCommands({ access, log: SILENT_LOG }, comments, new ChangeRequests(comments, { askSummary: async () => '', offerModel: async () => assert.fail('its model is there') }));
    const labelled = (label: string): vscode.CommentThread | undefined => [...threads].find((thread) => thread.label === label);

    const uri = vscode.Uri.file(fixture.path('f.txt'));
    await vscode.commands.executeCommand('vscode.open', uri);
    await until('the thread of the change', comments.onDidRefresh, () => labelled('Change 1 of 1 by A')?.range?.start.line === 1);
    const draft = controller?.createCommentThread(uri, new vscode.Range(1, 0, 1, 0), []);
    assert.ok(draft);
    await commands[COMMANDS.addComment]({ thread: draft, text: 'Not in capitals.' });
    await commands[COMMANDS.sendComments](draft);
    await fixture.recorder.until('group.delivered', ({ groupId }) => groupId === fixture.child(agentId).roundGroupId && fixture.child(agentId).round === 2);
    assert.equal(await fixture.text('f.txt'), 'one\nTwo\nthree\n');

    await until('the answer', comments.onDidRefresh, () => labelled('Sent to A')?.comments.length === 2);
    assert.deepEqual(labelled('Sent to A')?.comments.map(({ body }) => body), ['Not in capitals.', 'In small letters now.']);
    await commands[COMMANDS.acceptHunk](labelled('Change 1 of 1 by A'));
    await until('that all is settled', comments.onDidRefresh, () => labelled('Change 1 of 1 by A') === undefined && labelled('Sent to A')?.state === vscode.CommentThreadState.Resolved);
    assert.equal(fixture.child(agentId).taskStatus, 'completed');
  });
});

/** The controller, with its living threads noted. */
function noting(controller: vscode.CommentController, threads: Set<vscode.CommentThread>): vscode.CommentController {
  return {
    id: controller.id,
    label: controller.label,
    createCommentThread(...args) {
      const thread = controller.createCommentThread(...args);
      const end = thread.dispose.bind(thread);
      threads.add(thread);
      thread.dispose = () => (threads.delete(thread), end());
      return thread;
    },
    set options(options: vscode.CommentOptions) {
      controller.options = options;
    },
    set commentingRangeProvider(provider: vscode.CommentingRangeProvider) {
      controller.commentingRangeProvider = provider;
    },
    dispose: () => controller.dispose(),
  };
}
