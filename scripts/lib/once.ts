import { join } from 'node:path';
import { startProduct, type Product } from '../../test/support/product.ts';
import { outDir } from './paths.ts';
import { vsCodeVersion } from './vscode.ts';

/** What `npm start -- --once` prints as its last line. */
export interface OnceReport {
  readonly vscode: string;
  readonly screenshot: string;
}

/** Does the main job in a browser without a window, prints the report as one line of JSON, and gives the exit code. */
export async function runOnce(): Promise<number> {
  const product = await startProduct();
  try {
    console.log(JSON.stringify(await mainJob(product)));
    return 0;
  } catch (error) {
    console.error(error);
    return 1;
  } finally {
    await product.stop();
  }
}

/** The main job: so far, opens the chat view and takes a picture. */
export async function mainJob({ workbench }: Product): Promise<OnceReport> {
  await workbench.chat.open();
  const screenshot = await workbench.screenshot(join(outDir, 'screenshots', 'once.png'));
  return { vscode: await vsCodeVersion(), screenshot };
}
