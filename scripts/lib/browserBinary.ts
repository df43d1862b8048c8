import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { withLock } from './lock.ts';
import { cacheDir } from './paths.ts';

export interface BrowserBinary {
  readonly path: string;
  /** Variables that it needs to find its libraries and fonts. */
  readonly env: Readonly<Record<string, string>>;
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** A Chromium or Chrome that the machine already has. */
export function systemBrowser(): BrowserBinary | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const path = [...onPath, ...elsewhere].find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : { path, env: {} };
}

/** The Chromium in the dev dependencies, unpacked with its libraries and fonts into the cache, once. */
export async function bundledBrowser(): Promise<BrowserBinary> {
  const home = join(cacheDir, 'browser');
  const binary = {
    path: join(home, 'chromium'),
    env: { LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: join(home, 'fonts') },
  };
  if (existsSync(binary.path)) return binary;
  return withLock('browser', async () => {
    if (existsSync(binary.path)) return binary;
    const unfinished = `${home}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    await rm(home, { recursive: true, force: true });
    const unpacked = dirname(await unpackInto(unfinished));
    await writeFile(join(unpacked, 'fonts', 'fonts.conf'), fontsConf(home));
    await rename(unpacked, home);
    return binary;
  });
}

/** The package unpacks to the temporary folder, and its libraries only where it believes to be in AWS; it looks at both variables. */
async function unpackInto(folder: string): Promise<string> {
  const before = { ...process.env };
  process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs24.x';
  process.env['TMPDIR'] = folder;
  try {
    const { 'default': packaged } = await import('@sparticuz/chromium');
    return await packaged.executablePath();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The packaged configuration names folders of AWS; this one names the unpacked fonts, then the system's. */
function fontsConf(home: string): string {
  const folders = [join(home, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((folder) => `  <dir>${folder}</dir>`).join('\n')}
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}
