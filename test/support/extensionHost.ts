import { execFileSync } from 'node:child_process';
import { waitFor } from '../../scripts/lib/wait.ts';

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

/** Kills the extension hosts of the server with this data folder, as a crash would end them, and waits until they are gone. */
export async function killExtensionHosts(dataDir: string): Promise<void> {
  const hosts = extensionHosts(dataDir);
  if (hosts.length === 0) throw new Error(`No extension host runs under ${dataDir}.`);
  for (const pid of hosts) process.kill(pid, 'SIGKILL');
  await waitFor('the end of the extension hosts', 10_000, () => (extensionHosts(dataDir).some((pid) => hosts.includes(pid)) ? undefined : true));
}

/** Pids of the extension hosts that descend from the server with this data folder. */
function extensionHosts(dataDir: string): number[] {
  const processes = table();
  const family = new Set(processes.filter(({ args }) => args.includes(dataDir)).map(({ pid }) => pid));
  // A child may be listed before its parent.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes.filter(({ pid, args }) => family.has(pid) && args.includes('--type=extensionHost')).map(({ pid }) => pid);
}

function table(): ProcessLine[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return args === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
}
