import type { ShellEnvironmentNames } from '../domain/environment.ts';

/** Names that never reach a shell: credentials of providers and services, and what VS Code sets for its own processes. */
const WITHHELD = [
  '*API_KEY*', '*APIKEY*',
  '*_TOKEN', 'TOKEN', 'TOKEN_*', '*_TOKEN_*', '*ACCESSTOKEN*', '*AUTHTOKEN*', '*_PAT', '*_JWT',
  '*_SECRET', 'SECRET', 'SECRET_*', '*_SECRET_*', '*_SECRETS', 'SECRETS', '*SECRET_KEY*', '*CLIENTSECRET*',
  '*PASSWORD*', '*PASSWD*', '*PASSPHRASE*', '*_PASS', '*_PWD', '*_PW', '*CREDENTIAL*', '*COOKIE*',
  '*_AUTH', '*AUTHORIZATION*', '*CUSTOM_HEADERS*',
  '*ACCESS_KEY*', '*PRIVATE_KEY*', '*SIGNING_KEY*', '*ENCRYPTION_KEY*', '*CONNECTION_STRING*',
  'ANTHROPIC_*KEY*', 'OPENAI_*KEY*', 'AZURE_*KEY*',
  'VSCODE_*', 'ELECTRON_RUN_AS_NODE',
];
/** Values that never do, whatever their name: an address with a password before its host, or as one of its parameters. */
const WITH_PASSWORD = [/:\/\/[^\s/?#:@]*:[^\s/?#]+@/, /:\/\/\S*[?&;](?:password|passwd|pwd)=[^\s&;]/i];

/**
 * The environment for shell commands: the host's without secrets.
 * @param env such as `process.env`.
 * @param names withheld as well (`drop`), or not withheld (`keep`); `*` is any characters, upper and lower case are the same.
 * @returns a new object without the names withheld, without values that are addresses with a password, unless `keep` has their names, and without absent values.
 */
export function shellEnvironment(env: Readonly<Record<string, string | undefined>>, { keep = [], drop = [] }: ShellEnvironmentNames = {}): Record<string, string> {
  const isIn = (patterns: readonly string[]): ((name: string) => boolean) => {
    const tests = patterns.map(nameTest);
    return (name) => tests.some((test) => test.test(name));
  };
  const [isDropped, isKept, isWithheld] = [isIn(drop), isIn(keep), isIn(WITHHELD)];
  const isSafe = (name: string, value: string): boolean => !isDropped(name) && (isKept(name) || !(isWithheld(name) || hasPassword(value)));
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && isSafe(entry[0], entry[1])));
}

function hasPassword(value: string): boolean {
  return WITH_PASSWORD.some((pattern) => pattern.test(value));
}

/**
 * The environment with which git uses a bare repository only where it is named, not where a folder just looks like
 * one: a project could bring along one whose settings run programs.
 * @returns a new object; settings that are given in the environment already stay.
 */
export function withExplicitBareRepositories(env: Readonly<Record<string, string>>): Record<string, string> {
  const count = settingsIn(env);
  const keys = Array.from({ length: Math.min(count ?? 0, 1000) }, (_, index) => env[`GIT_CONFIG_KEY_${index}`]?.toLowerCase());
  return keys.includes('safe.barerepository') ? { ...env } : withGitSettings(env, [['safe.bareRepository', 'explicit']]);
}

/** The environment with settings for git behind those that are given in it already: of two the last one counts. */
export function withGitSettings(env: Readonly<Record<string, string>>, settings: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  const count = settingsIn(env);
  // What git wouldn't take either is left for it to complain about.
  if (count === undefined) return { ...env };
  const added = settings.flatMap(([name, value], index) => [[`GIT_CONFIG_KEY_${count + index}`, name], [`GIT_CONFIG_VALUE_${count + index}`, value]]);
  return { ...env, ...(Object.fromEntries(added) as Record<string, string>), GIT_CONFIG_COUNT: String(count + settings.length) };
}

/** Nothing for a number that is none. */
function settingsIn(env: Readonly<Record<string, string>>): number | undefined {
  const given = env['GIT_CONFIG_COUNT'] ?? '';
  const count = given === '' ? 0 : Number(given);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

function nameTest(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'is');
}
