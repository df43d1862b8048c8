/** A second process on one task list: `node worker.ts <dir> <name> <count>` makes tasks and takes each to review. */
import assert from 'node:assert/strict';
import { TrackedTasks } from '../../../src/runtime/tasks/trackedTasks.ts';

const [dir = '', name = '', count = '0'] = process.argv.slice(2);
const problems: string[] = [];
const tasks = new TrackedTasks({ dir, publish: (event) => event.type === 'problem' && problems.push(event.message) });

for (let index = 0; index < Number(count); index++) {
  const [task] = await tasks.createForChildren([{ subject: `${name}-${index}`, description: 'work', groupId: `bg_${name}`, agentId: `agent-${name}-${index}` }]);
  assert.ok(task);
  await tasks.transition(task.id, 'in_progress', 'runtime');
  await tasks.transition(task.id, 'review', 'runtime');
}
assert.deepEqual(problems, []);
