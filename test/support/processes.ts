import { execFileSync } from 'node:child_process';

/** Command lines of this machine's processes that contain the text. */
export function processesWith(text: string): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(text));
}
