/**
 * A process that stands still while it has the lock: `node stalledWorker.ts <dir> <file>` says that it stands still and
 * goes on once the file is there. Prints what came of its change.
 */
import { existsSync } from 'node:fs';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { createTaskStore } from '../../../src/runtime/tasks/taskStore.ts';

const [dir = '', file = ''] = process.argv.slice(2);
const store = createTaskStore(dir, (message) => void process.stderr.write(message));
const nobody = new Int32Array(new SharedArrayBuffer(4));

try {
  await store.update((tasks) => {
    process.stdout.write('still ');
    while (!existsSync(file)) Atomics.wait(nobody, 0, 0, 20);
    return [...tasks, { id: 'late', subject: 'late', description: '', status: 'pending', createdAt: 1, updatedAt: 1, history: [] }];
  });
  process.stdout.write('stored');
} catch (error) {
  process.stdout.write(isAppError(error) ? error.reason : String(error));
}
