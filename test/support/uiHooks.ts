import { runningProducts, saveEvidence } from './product.ts';

/** Root hooks of the UI tests: a failed test leaves a picture, and nothing is left running. */
export const mochaHooks: Mocha.RootHookObject = {
  async afterEach(this: Mocha.Context) {
    if (this.currentTest?.state !== 'failed') return;
    for (const product of runningProducts()) await saveEvidence(product, this.currentTest.titlePath().join(' '));
  },
  async afterAll() {
    for (const product of runningProducts()) await product.stop();
  },
};
