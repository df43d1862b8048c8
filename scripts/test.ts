// `npm test`: all layers; `npm test -- unit host` runs a part of them. The last line counts everything.
import { cleanUp } from './lib/cleanup.ts';
import { contracts, report, runChecks, total } from './lib/checks.ts';
import { runHostTests } from './lib/hostTests.ts';
import { runMocha, runMochaTwice, type Count } from './lib/layer.ts';
import { installVsCode } from './lib/vscode.ts';

const layers: Readonly<Record<string, () => Promise<Count>>> = {
  unit: runChecks,
  contracts,
  faults: () => runMocha({
    name: 'faults',
    specs: ['test/faults/**/*.test.ts'],
    args: ['--no-config', '--extension', 'ts', '--timeout', '60000', '--forbid-only', 'test/faults/**/*.test.ts'],
    limitMs: 300_000,
    stream: true,
  }),
  package: () => runMocha({
    name: 'package',
    specs: ['test/package/**/*.test.ts'],
    args: ['--no-config', '--extension', 'ts', '--timeout', '120000', '--forbid-only', '--require', 'test/support/packageHooks.ts', 'test/package/**/*.test.ts'],
    limitMs: 300_000,
    stream: true,
  }),
  host: runHostTests,
  ui: () => runMochaTwice(
    { name: 'ui', specs: ['test/ui/**/*.test.ts'], limitMs: 900_000, stream: true },
    (files) => ['--no-config', '--extension', 'ts', '--timeout', '120000', '--forbid-only', '--require', 'test/support/uiHooks.ts', ...files],
  ),
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in layers));
if (unknown !== undefined) {
  console.error(`Unknown layer: ${unknown}. There are: ${Object.keys(layers).join(', ')}.`);
  process.exit(2);
}

const counts: Count[] = [];
for (const [name, run] of Object.entries(layers)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`── ${name}`);
  const startedAt = performance.now();
  const count = await attempt(name, run);
  report(name, count, startedAt);
  counts.push(count);
}
const { passed, failed } = total(counts);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function attempt(name: string, run: () => Promise<Count>): Promise<Count> {
  try {
    if (name === 'host' || name === 'ui') await installVsCode();
    return await run();
  } catch (error) {
    console.log(error);
    await cleanUp();
    return { passed: 0, failed: 1 };
  }
}
