import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the project's root folder. */
export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What is downloaded or cached beside the project: git-ignored, kept between runs. */
export const cacheDir = join(projectRoot, '.vscode-test');

/** What a run leaves for people to look at: packages, results, logs, screenshots. */
export const outDir = join(projectRoot, 'out');

/** The sample workspace; always opened as a copy. */
export const sampleWorkspace = join(projectRoot, 'test', 'fixtures', 'sample');
