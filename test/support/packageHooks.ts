import { removeInstalledPackage } from './installedPackage.ts';

/** Root hooks of the package tests: the project that they share is removed. */
export const mochaHooks: Mocha.RootHookObject = {
  async afterAll() {
    await removeInstalledPackage();
  },
};
