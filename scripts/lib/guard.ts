// Runs a program (this file's arguments, on this Node) and ends with it; ends the whole process group when stdin closes,
// that is, when the process that started it is gone in whatever way. Leads its process group.
import { spawn } from 'node:child_process';

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit'] });
child.on('exit', (code) => process.exit(code ?? 1));

// The signal reaches the child too, as a member of the group; this process waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.stdin.resume().on('close', () => process.kill(-process.pid, 'SIGKILL'));
