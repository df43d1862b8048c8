import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, viewport } from '../../scripts/lib/browser.ts';
import { packageExtension } from '../../scripts/lib/package.ts';
import { outDir } from '../../scripts/lib/paths.ts';
import { steadySettings } from '../../scripts/lib/settings.ts';
import { temporaryFolder } from '../../scripts/lib/temporary.ts';
import { startServer } from '../../scripts/lib/vscode.ts';
import { copyWorkspace } from '../../scripts/lib/workspaceCopy.ts';
import { Workbench } from './workbench.ts';

export interface ProductOptions {
  /** Folder to copy and open; the sample workspace when not given. */
  readonly workspace?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings with the scope `machine`, such as what is allowed. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** Label of a colour theme, such as `Default Dark Modern`. */
  readonly theme?: string;
  /** Variables for the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Product {
  readonly workbench: Workbench;
  readonly page: Page;
  /** The opened copy. */
  readonly workspaceDir: string;
  readonly dataDir: string;
  /** Reloads the window. */
  reload(): Promise<void>;
  /** Ends VS Code and the browser, and removes the folders. */
  stop(): Promise<void>;
}

const running = new Set<Product>();

/** The products that were started and not stopped yet. */
export function runningProducts(): readonly Product[] {
  return [...running];
}

/** Starts VS Code with the packaged extension installed in a fresh profile, and opens a copy of a workspace in a browser. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const vsix = await packageExtension();
  const home = await temporaryFolder('ui');
  const dataDir = join(home.path, 'data');
  const workspaceDir = await copyWorkspace(join(home.path, 'workspace'), options.workspace);
  const theme = options.theme === undefined ? {} : { 'workbench.colorTheme': options.theme };
  const server = await startServer({
    dataDir,
    extensions: [vsix],
    settings: { ...steadySettings, ...theme, ...options.settings },
    ...(options.machineSettings ? { machineSettings: options.machineSettings } : {}),
    ...(options.env ? { env: options.env } : {}),
  });
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(15_000);
  const workbench = new Workbench(page);
  const address = server.url(workspaceDir);

  const product: Product = {
    workbench,
    page,
    workspaceDir,
    dataDir,
    reload: () => workbench.reload(),
    stop: async () => {
      running.delete(product);
      await browser.close();
      await server.stop();
      await home.remove();
    },
  };
  running.add(product);
  try {
    await workbench.open(address);
    return product;
  } catch (error) {
    await saveEvidence(product, 'start');
    await product.stop();
    throw error;
  }
}

/** Keeps a picture of the window and the server's log under out/. */
export async function saveEvidence(product: Product, name: string): Promise<void> {
  const file = name.replaceAll(/[^\w-]+/g, '-').slice(0, 100);
  await product.workbench.screenshot(join(outDir, 'screenshots', `${file}.png`)).catch(() => undefined);
  await mkdir(join(outDir, 'logs'), { recursive: true });
  await copyFile(join(product.dataDir, 'server.log'), join(outDir, 'logs', `${file}.log`)).catch(() => undefined);
}
