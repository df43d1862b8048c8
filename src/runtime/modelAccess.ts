import { currentModel, inheritedModel } from './agent/currentModel.ts';
import { unreachable, type ModelChoices } from './agent/modelChoice.ts';
import { AppError } from './base/errors.ts';
import { capitalised } from './base/text.ts';
import type { LiteAgentOptions, RootOptions } from './domain/liteAgent.ts';
import { isSameEndpoint, type ModelProvider, type ModelRef } from './domain/models.ts';

type Options = Pick<LiteAgentOptions, 'model' | 'models' | 'defaultModel' | 'provider' | 'providerFor'>;

/** The models of a runtime, by its options of the moment: which can be reached, and which are current or inherited. */
export class ModelAccess {
  readonly #options: () => Options;

  constructor(options: () => Options) {
    this.#options = options;
  }

  readonly isReachable = (model: ModelRef): boolean => this.#providerOf(model) !== undefined;

  /** Throws `unavailable` where the model can't be reached. */
  provider(model: ModelRef): ModelProvider {
    const provider = this.#providerOf(model);
    if (!provider) throw new AppError('unavailable', capitalised(unreachable(model)));
    return provider;
  }

  /** What a root runs on that wants this one. */
  current(wanted: RootOptions['rootModel']): ModelRef {
    return currentModel(wanted, this.#options(), this.isReachable);
  }

  /** Among which models the children of a root are chosen that runs on this one. */
  choices(current: ModelRef): ModelChoices {
    const options = this.#options();
    const inherited = inheritedModel(current, options, this.isReachable);
    return { inherited, isReachable: this.isReachable, ...(options.models && { catalog: options.models }) };
  }

  #providerOf(model: ModelRef): ModelProvider | undefined {
    const { model: own, provider, providerFor } = this.#options();
    return isSameEndpoint(model, own) && model.api === own.api ? provider : providerFor?.(model);
  }
}
