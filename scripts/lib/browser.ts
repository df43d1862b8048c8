import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { bundledBrowser, systemBrowser } from './browserBinary.ts';
import { onEnd } from './cleanup.ts';
import { cacheDir } from './paths.ts';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Size of the window, also for screenshots. */
export const viewport = { width: 1400, height: 900 };

/** Starts a headless Chromium: the system's, else the one in the dev dependencies. `close()` of the result also removes its temporary files. */
export async function launchBrowser(): Promise<Browser> {
  const binary = systemBrowser() ?? (await bundledBrowser());
  const runs = join(cacheDir, 'browser-runs');
  await mkdir(runs, { recursive: true });
  const temporary = await mkdtemp(join(runs, 'run-'));
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const browser = await chromium.launch({
    executablePath: binary.path,
    args: flags,
    env: { ...Object.fromEntries(inherited), ...binary.env, TMPDIR: temporary },
    // Signals are handled by cleanup.ts, in one order for everything that was started.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const closeBrowser = browser.close.bind(browser);
  const close = async (options?: { reason?: string }): Promise<void> => {
    forget();
    await closeBrowser(options);
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  };
  const forget = onEnd(close);
  browser.close = close;
  return browser;
}
