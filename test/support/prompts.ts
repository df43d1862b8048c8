import assert from 'node:assert/strict';
import type { Clock } from '../../src/runtime/base/clock.ts';
import type { PromptReceiver, ScheduledPrompt } from '../../src/runtime/domain/services.ts';
import { createCronService, type CronServiceOptions, type MovingCronService } from '../../src/runtime/cron/cronService.ts';
import { ManualClock } from './manualClock.ts';

/** A manual clock that stands at a moment and can be set like a computer's, which moves nothing but what it says. */
export class WallClock implements Clock {
  readonly #clock = new ManualClock();
  #shift: number;

  constructor(at: string) {
    this.#shift = Date.parse(at);
  }

  now(): number {
    return this.#clock.now() + this.#shift;
  }

  elapsed(): number {
    return this.#clock.elapsed();
  }

  after: Clock['after'] = (ms, act) => this.#clock.after(ms, act);

  get pending(): number {
    return this.#clock.pending;
  }

  advance(ms: number): void {
    this.#clock.advance(ms);
  }

  /** Moves to the next timer. */
  advanceToNext(): boolean {
    return this.#clock.advanceToNext();
  }

  set(at: string): void {
    this.#shift += Date.parse(at) - this.now();
  }
}

/** A receiver that notes what it is handed. `answer`: what becomes of a prompt; it is sent where it resolves. */
export class NotedReceiver implements PromptReceiver {
  readonly sent: { readonly prompt: string; readonly at: number }[] = [];
  readonly problems: string[] = [];
  readonly holds: (sessionId: string) => boolean;
  readonly #clock: Clock;
  readonly #answer: (prompt: ScheduledPrompt, isWanted: () => Promise<boolean>) => Promise<void>;

  constructor(clock: Clock, answer: (prompt: ScheduledPrompt, isWanted: () => Promise<boolean>) => Promise<void> = async () => undefined, holds: (sessionId: string) => boolean = () => true) {
    this.#clock = clock;
    this.#answer = answer;
    this.holds = holds;
  }

  async send(prompt: ScheduledPrompt, isWanted: () => Promise<boolean>): Promise<void> {
    this.sent.push({ prompt: prompt.prompt, at: this.#clock.now() });
    await this.#answer(prompt, isWanted);
  }

  report(message: string): void {
    this.problems.push(message);
  }

  get prompts(): readonly string[] {
    return this.sent.map(({ prompt }) => prompt);
  }

  /** When each was handed over, as ISO 8601. */
  get times(): readonly string[] {
    return this.sent.map(({ at }) => new Date(at).toISOString().replace('.000Z', 'Z'));
  }
}

/** A service in Berlin whose problems fail the test. */
export function serviceIn(dir: string, clock: Clock, more: Partial<CronServiceOptions> = {}): ReturnType<typeof createCronService> {
  return createCronService({
    dir,
    clock,
    timeZone: 'Europe/Berlin',
    report: (message) => {
      throw new Error(message);
    },
    ...more,
  });
}

/** Prompts that nobody is to touch. */
export const strictPrompts: MovingCronService = {
  create: () => assert.fail('nothing is scheduled'),
  list: () => assert.fail('nobody looks at what is scheduled'),
  remove: () => assert.fail('nothing is deleted'),
  move: () => assert.fail('nothing is moved'),
  listen: () => assert.fail('nothing is sent'),
};
