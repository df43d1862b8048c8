// `npm run package`: the .vsix, in out/.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packageExtension } from './lib/package.ts';
import { outDir } from './lib/paths.ts';

const target = join(outDir, 'subagent-panel.vsix');
await mkdir(outDir, { recursive: true });
await copyFile(await packageExtension(), target);
console.log(target);
