import { ResultReporter, tell, textOf } from '../support/resultReporter.ts';

/** Runs the tests that `load` defines, in the extension host; the results file tells how it went. Throws if any failed, as VS Code's own test runs expect. */
export async function runTests(load: () => Promise<void>): Promise<void> {
  const { 'default': MochaRunner } = await import('mocha');
  const mocha = new MochaRunner({ ui: 'bdd', timeout: 30_000, reporter: ResultReporter as unknown as Mocha.ReporterConstructor, forbidOnly: true });
  try {
    mocha.suite.emit('pre-require', globalThis, 'host', mocha);
    await load();
  } catch (error) {
    tell({ event: 'fail', title: 'loading the host tests', error: textOf(error) });
    tell({ event: 'end' });
    throw error;
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} host tests failed.`);
}
