import { Emitter, type Event } from '../../runtime/base/emitter.ts';
import { errorText } from '../../runtime/base/errors.ts';
import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import { EDITOR_PROVIDER, TIERS, type ModelCatalog, type ModelRef, type Tier } from '../../runtime/domain/models.ts';
import type { Log } from '../../runtime/domain/ports.ts';

/** The configured models, as the settings have them. */
export interface ModelChoice {
  /** What runs where no catalog is configured. */
  readonly model: ModelRef;
  readonly models?: ModelCatalog | undefined;
  readonly defaultModel?: Tier | undefined;
}

/** One of our models in the chat view's picker. `default`: the default tier, whichever that is. `instead`: its tier isn't configured any more, so that the default answers. */
export type PickerEntry = { readonly id: PickerId; readonly model: ModelRef } & ({ readonly kind: 'single' | 'default' | 'instead' } | { readonly kind: 'tier'; readonly tier: Tier });

/** The id of the one model without a catalog, and of the default with one; there, each tier's name is an id too. */
const SINGLE = 'present';
const IDS = [...TIERS, SINGLE] as const;
export type PickerId = (typeof IDS)[number];

/** The id that was used last, in whichever window. */
export interface LastPicked {
  get(): string | undefined;
  set(id: string): void;
}

/** The part of a chat's model that tells which it is. */
export interface PickedModel {
  readonly vendor: string;
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens: number;
}

export interface PickerModelsDeps {
  readonly choice: () => ModelChoice;
  /** Fires when `choice` may answer otherwise. */
  readonly onDidChange: (listener: () => void) => Disposable;
  readonly ownVendor: string;
  readonly lastPicked: LastPicked;
  readonly log: Log;
}

/**
 * Our models in the chat view's picker. VS Code keeps the picked one by its id and refuses every message once that is
 * gone, so an id that was offered in this window, or used last in any, stays whatever the settings say.
 */
export class PickerModels implements Disposable {
  readonly #deps: PickerModelsDeps;
  readonly #offered = new Set<string>();
  readonly #owned = new DisposableStore();
  readonly #changed: Emitter<readonly PickerEntry[]>;
  #told: string;

  constructor(deps: PickerModelsDeps) {
    this.#deps = deps;
    const last = deps.lastPicked.get();
    if (last !== undefined) this.#offered.add(last);
    this.#told = JSON.stringify(this.entries());
    this.#changed = this.#owned.add(new Emitter<readonly PickerEntry[]>((error) => deps.log.error(`models: a listener failed: ${errorText(error)}`)));
    this.#owned.add(deps.onDidChange(() => this.#follow()));
  }

  /** `entries` answers otherwise than before. */
  get onDidChange(): Event<readonly PickerEntry[]> {
    return this.#changed.event;
  }

  /** What is offered now, the default first. */
  entries(): readonly PickerEntry[] {
    const entries = pickerEntries(this.#deps.choice(), this.#offered);
    for (const { id } of entries) this.#offered.add(id);
    return entries;
  }

  /** What the root runs on when this model is picked: a configured tier, the configured model, or another vendor's through the editor. */
  rootModel(picked: PickedModel): Tier | ModelRef {
    const { vendor, id, name, maxInputTokens } = picked;
    if (vendor !== this.#deps.ownVendor) return { provider: EDITOR_PROVIDER, model: `${vendor}/${id}`, displayName: name, ...(maxInputTokens > 0 && { contextWindow: maxInputTokens }) };
    if (this.#deps.lastPicked.get() !== id) this.#deps.lastPicked.set(id);
    const choice = this.#deps.choice();
    const tiers = configuredTiers(choice);
    return tiers.find((tier) => tier === id) ?? tiers[0] ?? choice.model;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #follow(): void {
    const entries = this.entries();
    const now = JSON.stringify(entries);
    if (now === this.#told) return;
    this.#told = now;
    this.#changed.fire(entries);
  }
}

function pickerEntries(choice: ModelChoice, kept: ReadonlySet<string>): readonly PickerEntry[] {
  const tiers = configuredTiers(choice);
  const [first] = tiers;
  const fallback = (first && choice.models?.[first]) ?? choice.model;
  const offered: readonly PickerEntry[] = first === undefined
    ? [{ kind: 'single', id: SINGLE, model: choice.model }]
    : [{ kind: 'default', id: SINGLE, model: fallback }, ...tiers.map((tier) => ({ kind: 'tier', id: tier, tier, model: choice.models?.[tier] ?? fallback }) as const)];
  const ids = new Set<string>(offered.map(({ id }) => id));
  return [...offered, ...IDS.filter((id) => kept.has(id) && !ids.has(id)).map((id) => ({ kind: 'instead', id, model: fallback }) as const)];
}

/** The default tier first. None without a catalog. */
function configuredTiers({ models = {}, defaultModel }: ModelChoice): readonly Tier[] {
  const tiers = TIERS.filter((tier) => models[tier] !== undefined);
  const first = [defaultModel, 'medium', 'simple', 'complex'].find((name) => tiers.some((tier) => tier === name));
  return [...tiers.filter((tier) => tier === first), ...tiers.filter((tier) => tier !== first)];
}
