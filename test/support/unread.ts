import type { UnreadMessage } from '../../src/runtime/domain/agents.ts';
import type { Publish } from '../../src/runtime/domain/events.ts';

/** What a test says to an agent, kept until the agent tells that it has read it. */
export class Unread {
  #messages: readonly UnreadMessage[] = [];
  #count = 0;
  readonly publish: Publish;

  constructor(publish: Publish) {
    this.publish = (event) => {
      if (event.type === 'message.delivered') this.#messages = this.#messages.filter(({ id }) => id !== event.id);
      publish(event);
    };
  }

  readonly list = (): readonly UnreadMessage[] => this.#messages;

  tell(text: string): void {
    this.#count += 1;
    this.#messages = [...this.#messages, { id: `msg-${this.#count}`, text }];
  }
}
