/**
 * A process that sends scheduled prompts: `node worker.ts <dir> <log> <name> [kill]`. It notes what it sends in the log,
 * a line for each, and lives until its input ends. `kill`: the point at which it kills itself, as a crash would, where
 * it has a prompt to send: `locked` when it has the lock of the file, `claimed` before it sends it, `sent` when it has.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCronService } from '../../../src/runtime/cron/cronService.ts';
import { lockFile } from '../../../src/runtime/store/fileLock.ts';

const [dir = '', log = '', name = '', kill = ''] = process.argv.slice(2);
const report = (message: string): void => appendFileSync(log, `problem ${message}\n`);
if (kill === 'locked') {
  await lockFile(join(dir, 'scheduled.json'), () => 1_000);
  process.kill(process.pid, 'SIGKILL');
}
const listening = createCronService({ dir, timeZone: 'UTC', report }).listen({
  async send({ prompt }) {
    if (kill === 'claimed') process.kill(process.pid, 'SIGKILL');
    appendFileSync(log, `sent ${prompt} ${name}\n`);
    if (kill === 'sent') process.kill(process.pid, 'SIGKILL');
  },
  holds: () => true,
  report,
});
process.stdin.resume();
process.stdin.on('end', () => {
  listening.dispose();
  void listening.idle();
});
