/**
 * A second process on one task list: `node worker.ts <dir> <name> <count> <hub>` makes tasks that the hub waits for,
 * takes each to review, and tries to make those of others wait for its own. Prints how many circles it was refused.
 */
import assert from 'node:assert/strict';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { TrackedTasks } from '../../../src/runtime/tasks/trackedTasks.ts';

const [dir = '', name = '', count = '0', hub = ''] = process.argv.slice(2);
const problems: string[] = [];
const tasks = new TrackedTasks({ dir, publish: (event) => event.type === 'problem' && problems.push(event.message) });
let refused = 0;

for (let index = 0; index < Number(count); index++) {
  const { id } = await tasks.create({ subject: `${name}-${index}`, description: 'work', blocks: [hub] }, 'agent');
  await tasks.update(id, { description: `work of ${name}` }, 'agent');
  // Others may have made it wait meanwhile, which keeps nobody from going on with it.
  await tasks.transition(id, 'in_progress', 'runtime');
  const others = tasks.list().filter(({ id: other, subject }) => other !== hub && !subject.startsWith(`${name}-`)).slice(-3);
  for (const other of others) {
    await tasks.update(id, { addBlocks: [other.id] }, 'agent').catch((error: unknown) => {
      assert.ok(isAppError(error, 'conflict'));
      refused += 1;
    });
  }
  await tasks.transition(id, 'review', 'runtime');
}
assert.deepEqual(problems, []);
process.stdout.write(String(refused));
