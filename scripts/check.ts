// `npm run check`: types, lint and unit tests.
import { report, runChecks } from './lib/checks.ts';

const startedAt = performance.now();
const count = await runChecks();
report('check', count, startedAt);
process.exitCode = count.failed > 0 ? 1 : 0;
