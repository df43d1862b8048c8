import type { Clock } from '../base/clock.ts';
import type { Publish } from '../domain/events.ts';
import type { ModelError, ModelProvider } from '../domain/models.ts';

/** A cool-down that goes on. `restMs`: how long, from now; more than 0. */
export interface Cooling {
  readonly restMs: number;
  readonly error: ModelError;
}

/** The time in which nothing is sent to a provider that has said it has too much to do. It needs no timer: who wants to send asks. */
export class Cooldown {
  readonly #provider: ModelProvider;
  readonly #clock: Clock;
  readonly #publish: Publish;
  #until = -Infinity;
  #error: ModelError | undefined;

  constructor(provider: ModelProvider, clock: Clock, publish: Publish) {
    this.#provider = provider;
    this.#clock = clock;
    this.#publish = publish;
  }

  /** Starts or extends it, and tells so; a time that ends before the running one changes nothing. */
  start(ms: number, error: ModelError): void {
    // Whole milliseconds, so that no rounding leaves a rest of next to nothing to wait for.
    const until = Math.ceil(this.#clock.elapsed() + ms);
    if (until <= this.#until) return;
    this.#until = until;
    this.#error = error;
    this.#publish({ type: 'cooldown.started', provider: this.#provider.id, until: this.#clock.now() + ms });
  }

  get current(): Cooling | undefined {
    const restMs = Math.ceil(this.#until - this.#clock.elapsed());
    return this.#error !== undefined && restMs > 0 ? { restMs, error: this.#error } : undefined;
  }
}

/** One cool-down for each provider instance, which stands for provider, address and key. */
export class Cooldowns {
  readonly #all = new WeakMap<ModelProvider, Cooldown>();
  readonly #clock: Clock;
  readonly #publish: Publish;

  constructor(clock: Clock, publish: Publish) {
    this.#clock = clock;
    this.#publish = publish;
  }

  of(provider: ModelProvider): Cooldown {
    const cooldown = this.#all.get(provider) ?? new Cooldown(provider, this.#clock, this.#publish);
    this.#all.set(provider, cooldown);
    return cooldown;
  }
}
