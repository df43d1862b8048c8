/** Names that never reach a shell: credentials of providers and services, and what VS Code sets for its own processes. */
const WITHHELD = [
  '*_API_KEY', '*_APIKEY', 'API_KEY', 'APIKEY',
  '*_TOKEN', 'TOKEN', '*AUTHTOKEN',
  '*_SECRET', 'SECRET', '*_SECRET_*', '*SECRET_KEY*',
  '*PASSWORD*', '*PASSWD*', '*PASSPHRASE*', '*_PASS', '*CREDENTIAL*', '*COOKIE*',
  '*_ACCESS_KEY', '*_ACCESS_KEY_ID', '*_PRIVATE_KEY',
  'ANTHROPIC_*KEY*', 'OPENAI_*KEY*', 'AZURE_*KEY*',
  'VSCODE_*', 'ELECTRON_RUN_AS_NODE',
];

/** Names, with `*` for any characters; upper and lower case are the same. */
export interface ShellEnvironmentNames {
  /** Withheld as well. */
  readonly withhold?: readonly string[];
  /** Passed on although a list names them. */
  readonly pass?: readonly string[];
}

/**
 * The environment for shell commands: the host's without secrets.
 * @param env such as `process.env`.
 * @returns a new object without the names withheld and without absent values.
 */
export function shellEnvironment(env: Readonly<Record<string, string | undefined>>, { withhold = [], pass = [] }: ShellEnvironmentNames = {}): Record<string, string> {
  const withheld = [...WITHHELD, ...withhold].map(nameTest);
  const passed = pass.map(nameTest);
  const safe = (name: string): boolean => passed.some((test) => test.test(name)) || !withheld.some((test) => test.test(name));
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && safe(entry[0])));
}

function nameTest(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'is');
}
