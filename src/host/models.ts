import { Emitter, type Event } from '../runtime/base/emitter.ts';
import { AppError, errorText } from '../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../runtime/base/lifecycle.ts';
import { editorVendor, type ModelProvider, type ModelRef } from '../runtime/domain/models.ts';
import type { Log } from '../runtime/domain/ports.ts';
import type { ProviderOptions } from '../runtime/providers/options.ts';
import type { ApiKeys } from './apiKeys.ts';
import { endpointOf, isKeyedProvider, isLocal, isSameKey, type Endpoint } from './endpoints.ts';

/** What makes the providers, by the name that settings and stored runs call them. */
export type ProviderFactories = Readonly<Partial<Record<string, (options: ProviderOptions) => ModelProvider>>>;

/** The model settings as they are now, and when to look again. */
export interface ConfiguredModel {
  read(): ModelRef;
  /** The models of the catalog; none without one. */
  tiers(): readonly ModelRef[];
  readonly onDidChange: (listener: () => void) => Disposable;
}

interface Instance {
  readonly provider: ModelProvider;
  readonly endpoint: Endpoint | undefined;
}

/**
 * The model that root and children run on, and the providers of all models that can be reached. One instance an
 * address (or vendor in the editor) is kept for as long as its key is the same, because the waits after a refusal hang on
 * it.
 */
export class Models implements Disposable {
  readonly #configured: ConfiguredModel;
  readonly #keys: ApiKeys;
  readonly #factories: ProviderFactories;
  readonly #instances = new Map<string, Instance>();
  readonly #owned = new DisposableStore();
  readonly #changed: Emitter<ModelRef>;
  #current: string;

  /** The model changed, or the provider that reaches it. */
  get onDidChange(): Event<ModelRef> {
    return this.#changed.event;
  }

  constructor(configured: ConfiguredModel, keys: ApiKeys, factories: ProviderFactories, log: Log) {
    this.#configured = configured;
    this.#keys = keys;
    this.#factories = factories;
    this.#current = JSON.stringify(configured.read());
    this.#changed = this.#owned.add(new Emitter<ModelRef>((error) => log.error(`models: a listener failed: ${errorText(error)}`)));
    this.#owned.add(configured.onDidChange(() => this.#follow()));
    this.#owned.add(keys.onDidChange((endpoint) => this.#forget(endpoint)));
  }

  /** The configured model, else the offline demo. */
  get model(): ModelRef {
    return this.#configured.read();
  }

  /** The provider of the configured model, as `providerOf`. */
  provider(): ModelProvider {
    return this.providerOf(this.model);
  }

  /** The provider of a model that the user configured, with or without a key. Throws `unavailable` for one that isn't built in. */
  providerOf(model: ModelRef): ModelProvider {
    const found = this.#instance(model);
    if (found === undefined) throw new AppError('unavailable', `There is no model provider named ${model.provider}. Choose another in the settings.`);
    return found;
  }

  /** All configured models: the one of `model` first, then the others of the catalog. */
  all(): readonly ModelRef[] {
    const { model } = this;
    return [model, ...this.#configured.tiers().filter((tier) => tier.tier !== model.tier)];
  }

  /** The provider of any model that can be reached: of a configured one's address, one with a key, or one on this computer. */
  readonly providerFor = (model: ModelRef): ModelProvider | undefined => {
    return this.#canReach(model) ? this.#instance(model) : undefined;
  };

  dispose(): void {
    this.#owned.dispose();
    this.#instances.clear();
  }

  #canReach(model: ModelRef): boolean {
    if (!isKeyedProvider(model.provider)) return true;
    const endpoint = endpointOf(model);
    if (endpoint === undefined) return false;
    // A configured one without a key is reached, so that its provider says that the key is missing.
    return isLocal(endpoint) || this.#keys.sourceOf(endpoint).kind !== 'none' || this.#isConfigured(endpoint);
  }

  #isConfigured(endpoint: Endpoint): boolean {
    return this.all().map(endpointOf).some((configured) => configured !== undefined && isSameKey(configured, endpoint));
  }

  #instance({ provider, model, baseUrl, api }: ModelRef): ModelProvider | undefined {
    const id = JSON.stringify([provider, baseUrl, api, editorVendor({ provider, model })]);
    const known = this.#instances.get(id);
    if (known !== undefined) return known.provider;
    const create = Object.hasOwn(this.#factories, provider) ? this.#factories[provider] : undefined;
    if (create === undefined) return undefined;
    const endpoint = endpointOf({ provider, ...(baseUrl === undefined ? {} : { baseUrl }) });
    const made = create({
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(api === undefined ? {} : { api }),
      apiKey: async () => (endpoint === undefined ? undefined : this.#keys.get(endpoint)),
    });
    this.#instances.set(id, { provider: made, endpoint });
    return made;
  }

  /** Waits and refusals belong to a key: another key starts without them. */
  #forget(endpoint: Endpoint): void {
    for (const [id, instance] of this.#instances) {
      if (instance.endpoint !== undefined && isSameKey(instance.endpoint, endpoint)) this.#instances.delete(id);
    }
    const { model } = this;
    const current = endpointOf(model);
    if (current !== undefined && isSameKey(current, endpoint)) this.#changed.fire(model);
  }

  #follow(): void {
    const { model } = this;
    if (JSON.stringify(model) === this.#current) return;
    this.#current = JSON.stringify(model);
    this.#changed.fire(model);
  }
}
