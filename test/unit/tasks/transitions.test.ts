import assert from 'node:assert/strict';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import type { TrackedTask, TrackedTaskStatus } from '../../../src/runtime/domain/trackedTasks.ts';
import { applyTransition } from '../../../src/runtime/tasks/transitions.ts';

const STATUSES: readonly TrackedTaskStatus[] = ['pending', 'in_progress', 'review', 'completed', 'failed', 'cancelled'];
const FREE = new Set(['pending>in_progress', 'pending>failed', 'pending>cancelled', 'in_progress>review', 'in_progress>failed', 'in_progress>cancelled', 'review>completed', 'review>in_progress']);
const WITH_REASON = new Set(['completed>in_progress', 'failed>in_progress', 'cancelled>in_progress']);

function task(status: TrackedTaskStatus): TrackedTask {
  return { id: 'task-1', subject: 'Audit', description: 'Audit it', status, createdAt: 1, updatedAt: 1, history: [{ to: 'pending', by: 'runtime', at: 1 }] };
}

function refused(from: TrackedTaskStatus, to: TrackedTaskStatus, reason?: string): boolean {
  try {
    applyTransition(task(from), { to, by: 'user', at: 2, ...(reason !== undefined && { reason }) });
    return false;
  } catch (error) {
    assert.ok(isAppError(error, 'conflict'));
    return true;
  }
}

describe('task transitions', () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const jump = `${from}>${to}`;
      it(`${FREE.has(jump) ? 'allows' : WITH_REASON.has(jump) ? 'allows with a reason only' : 'refuses'} ${jump}`, () => {
        assert.equal(refused(from, to), !FREE.has(jump));
        assert.equal(refused(from, to, 'because'), !FREE.has(jump) && !WITH_REASON.has(jump));
        assert.equal(refused(from, to, '  '), !FREE.has(jump), 'a blank reason is none');
      });
    }
  }

  it('names the allowed statuses when it refuses', () => {
    assert.throws(() => applyTransition(task('in_progress'), { to: 'completed', by: 'agent', at: 2 }), (error: Error) => ['review', 'failed', 'cancelled'].every((status) => error.message.includes(status)));
  });

  it('keeps every change with its author, time and reason', () => {
    const failed = applyTransition(applyTransition(task('pending'), { to: 'in_progress', by: 'runtime', at: 2 }), { to: 'failed', by: 'runtime', at: 3, reason: 'max turns' });
    assert.deepEqual(failed.history.slice(1), [
      { from: 'pending', to: 'in_progress', by: 'runtime', at: 2 },
      { from: 'in_progress', to: 'failed', by: 'runtime', at: 3, reason: 'max turns' },
    ]);
    assert.equal(failed.updatedAt, 3);
  });
});
