import { errorText } from '../base/errors.ts';
import { completionText } from './completionText.ts';
import type { DelegationDeps } from './deps.ts';
import type { SettledGroup } from './groupRun.ts';
import type { GroupWait } from './groupWait.ts';

/** Brings the results of each settled group to the one place where they belong. */
export class Deliveries {
  readonly #deps: Pick<DelegationDeps, 'deliver' | 'publish' | 'transcriptPath'>;
  readonly #open = new Set<Promise<void>>();
  #isClosed = false;

  constructor(deps: Pick<DelegationDeps, 'deliver' | 'publish' | 'transcriptPath'>) {
    this.#deps = deps;
  }

  /** Hands the results to the call that waits for them, else to the conversation. */
  take(group: SettledGroup, wait: GroupWait | undefined): void {
    // Results that a call takes are delivered by its session, once they are kept.
    if (wait?.take(group) || this.#isClosed) return;
    const delivery = this.#deliver(group).finally(() => this.#open.delete(delivery));
    this.#open.add(delivery);
  }

  /** From now on only calls that wait get results. */
  close(): void {
    this.#isClosed = true;
  }

  /** Resolves when no delivery is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#open);
  }

  async #deliver(group: SettledGroup): Promise<void> {
    const { sessionId, groupId, mayBeThere } = group;
    const { deliver, publish, transcriptPath } = this.#deps;
    try {
      if (await deliver({ sessionId, groupId, mayBeThere, text: completionText(group, transcriptPath && { transcriptPath }) })) publish({ type: 'group.delivered', sessionId, groupId });
    } catch (error) {
      publish({ type: 'problem', message: `The results of ${groupId} were not delivered: ${errorText(error)}` });
    }
  }
}
