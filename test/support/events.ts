import type { EventOf, Publish, RuntimeEvent, RuntimeEventType } from '../../src/runtime/domain/events.ts';

/** Collects events and waits for them. */
export class EventRecorder {
  readonly events: RuntimeEvent[] = [];
  readonly #waiting = new Set<() => void>();

  readonly publish: Publish = (event) => this.record({ at: Date.now(), ...event });

  record(event: RuntimeEvent): void {
    this.events.push(event);
    for (const check of [...this.#waiting]) check();
  }

  of<T extends RuntimeEventType>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type);
  }

  /** Resolves with the first event, past or future, of that type that the test accepts. */
  until<T extends RuntimeEventType>(type: T, accepts: (event: EventOf<T>) => boolean = () => true): Promise<EventOf<T>> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.of(type).find(accepts);
        if (!found) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }
}
