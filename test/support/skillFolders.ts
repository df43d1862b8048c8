import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder, by its real path, with files that skills are made of. The test removes it. */
export class SkillFolders {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'skills-')));

  path(...parts: readonly string[]): string {
    return join(this.root, ...parts);
  }

  /** Writes a file, making its folders; gives its path. */
  write(path: string, content: string | Uint8Array): string {
    const file = this.path(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A `SKILL.md` that loads. */
export function skillText(name: string, ...lines: readonly string[]): string {
  return `---\nname: ${name}\ndescription: About ${name}\n${lines.map((line) => `${line}\n`).join('')}---\nInstructions of ${name}.\n`;
}
