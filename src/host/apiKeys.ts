import type * as vscode from 'vscode';
import { Serial } from '../runtime/base/async.ts';
import { Emitter } from '../runtime/base/emitter.ts';
import { AppError, errorText } from '../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../runtime/base/lifecycle.ts';
import type { Log } from '../runtime/domain/ports.ts';
import { isKeyedProvider, isKeyedSearch, keyVariable, type Endpoint, type Environment } from './endpoints.ts';

/** The part of VS Code's secret storage that keys need. */
export type SecretStore = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'keys' | 'onDidChange'>;

/** Where the key of an endpoint comes from. */
export type KeySource = { readonly kind: 'stored' } | { readonly kind: 'environment'; readonly variable: string } | { readonly kind: 'none' };

const PREFIX = 'subagents.apiKey.v1:';

/** Whether a text can be a key at all. Anything else could not be sent in a header, and the error might show it. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/**
 * The keys of the user, one for each endpoint: from the secret storage, else from the environment. Kept in memory and
 * in step with other windows. A key is handed out for the endpoint it was given for and for no other.
 */
export class ApiKeys implements Disposable {
  readonly #secrets: SecretStore;
  readonly #env: Environment;
  readonly #log: Log;
  readonly #stored = new Map<string, string>();
  readonly #changed: Emitter<Endpoint>;
  /** Reads and writes in their order, so that the memory ends as the storage does. */
  readonly #order = new Serial();
  readonly #owned = new DisposableStore();
  #loading: Promise<void> | undefined;

  /** The key of an endpoint changed, here or in another window. */
  get onDidChange(): Emitter<Endpoint>['event'] {
    return this.#changed.event;
  }

  constructor(secrets: SecretStore, env: Environment, log: Log) {
    this.#secrets = secrets;
    this.#env = env;
    this.#log = log;
    this.#changed = this.#owned.add(new Emitter<Endpoint>((error) => log.error(`keys: a listener failed: ${errorText(error)}`)));
    this.#owned.add(secrets.onDidChange(({ key: name }) => void this.#refresh(name)));
  }

  /** Reads the stored keys, once. Never rejects: a storage that can't be read is logged, and asked again the next time. */
  load(): Promise<void> {
    this.#loading ??= this.#order.run(() => this.#readAll()).catch((error: unknown) => {
      this.#loading = undefined;
      this.#log.warn(`keys: the secret storage can't be read: ${errorText(error)}`);
    });
    return this.#loading;
  }

  /** The key for an endpoint; nothing where there is none. */
  async get(endpoint: Endpoint): Promise<string | undefined> {
    await this.load();
    return this.#stored.get(nameOf(endpoint)) ?? this.#fromEnvironment(endpoint)?.key;
  }

  /** Where the key of an endpoint comes from, as far as `load` has read. */
  sourceOf(endpoint: Endpoint): KeySource {
    if (this.#stored.has(nameOf(endpoint))) return { kind: 'stored' };
    const found = this.#fromEnvironment(endpoint);
    return found === undefined ? { kind: 'none' } : { kind: 'environment', variable: found.variable };
  }

  /** The endpoints with a stored key, as far as `load` has read. */
  stored(): readonly Endpoint[] {
    return [...this.#stored.keys()].map(endpointNamed).filter((endpoint) => endpoint !== undefined);
  }

  /** Throws `invalid_input` for a text that can't be a key; rejects when it can't be stored. */
  async store(endpoint: Endpoint, key: string): Promise<void> {
    if (!isKey(key)) throw new AppError('invalid_input', 'This is no key: it has characters that can’t be sent. Copy it again.');
    await this.#write(endpoint, () => this.#secrets.store(nameOf(endpoint), key), key);
  }

  /** Forgets the stored key; one in the environment then counts. Rejects when it can't be removed. */
  async remove(endpoint: Endpoint): Promise<void> {
    await this.#write(endpoint, () => this.#secrets.delete(nameOf(endpoint)), undefined);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#stored.clear();
  }

  #fromEnvironment(endpoint: Endpoint): { readonly variable: string; readonly key: string } | undefined {
    const variable = keyVariable(endpoint, this.#env);
    if (variable === undefined) return undefined;
    const key = (this.#env[variable] ?? '').trim();
    if (isKey(key)) return { variable, key };
    this.#log.warn(`keys: what ${variable} holds is no key, and is not used.`);
    return undefined;
  }

  async #readAll(): Promise<void> {
    const names = (await this.#secrets.keys()).filter((name) => endpointNamed(name) !== undefined);
    for (const name of names) this.#remember(name, await this.#secrets.get(name));
  }

  #write(endpoint: Endpoint, write: () => Thenable<void>, key: string | undefined): Promise<void> {
    return this.#order.run(async () => {
      await write();
      this.#remember(nameOf(endpoint), key);
    });
  }

  async #refresh(name: string): Promise<void> {
    if (endpointNamed(name) === undefined) return;
    try {
      await this.#order.run(async () => this.#remember(name, await this.#secrets.get(name)));
    } catch (error) {
      this.#log.warn(`keys: a changed key can't be read: ${errorText(error)}`);
    }
  }

  #remember(name: string, key: string | undefined): void {
    if (this.#stored.get(name) === key) return;
    if (key === undefined) this.#stored.delete(name);
    else this.#stored.set(name, key);
    const endpoint = endpointNamed(name);
    if (endpoint !== undefined) this.#changed.fire(endpoint);
  }
}

function nameOf({ provider, origin }: Endpoint): string {
  return `${PREFIX}${provider}:${origin}`;
}

function endpointNamed(name: string): Endpoint | undefined {
  const [provider = '', ...origin] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split(':') : [];
  return isKeyedProvider(provider) || isKeyedSearch(provider) ? { provider, origin: origin.join(':') } : undefined;
}
