import assert from 'node:assert/strict';
import type { Answer, Choice, ChoiceQuestion, Dialog, Place, TextQuestion, TickQuestion, TroubleQuestion } from '../../src/ui/models/dialog.ts';

/**
 * What a person does with one question: `pick` a choice whose line holds this text, `tick` exactly the choices of these labels, `type` a text, `refused` a text that
 * must not be taken, `act` on trouble, or go. `during` leaves while something is being waited for.
 */
export type Step =
  | { readonly pick: string }
  | { readonly tick: readonly string[] }
  | { readonly type: string }
  | { readonly refused: string }
  | { readonly act: string }
  | { readonly during: 'back' | 'leave'; readonly until: () => Promise<void> }
  | 'back'
  | 'leave';

/** A person who answers as scripted. A question that doesn't fit the script fails, and so does a script that isn't used up. */
export class ScriptedDialog implements Dialog {
  /** Every question, as its words with its choices. */
  readonly seen: string[] = [];
  readonly places: Place[] = [];
  /** Choices that were active at the start, one for each list. */
  readonly active: (string | undefined)[] = [];
  readonly #steps: Step[];

  constructor(steps: readonly Step[]) {
    this.#steps = [...steps];
  }

  /** To be called at the end. */
  assertDone(): void {
    assert.deepEqual(this.#steps, [], this.seen.join('\n'));
  }

  async choose<T>({ placeholder, choices, active, more }: ChoiceQuestion<T>, place: Place): Promise<Answer<T>> {
    const found = more === undefined ? [] : await more(new AbortController().signal);
    const all = [...found, ...choices];
    this.#note(`${placeholder}: ${all.map(lineOf).join(' | ')}`, place);
    this.active.push(active === undefined ? undefined : active.label);
    const step = this.#next(place);
    if (typeof step === 'string') return { kind: step };
    assert.ok('pick' in step, `a list was asked: ${placeholder}`);
    const exact = all.filter(({ label }) => label === step.pick);
    const picked = exact.length > 0 ? exact : all.filter((choice) => lineOf(choice).includes(step.pick));
    assert.equal(picked.length, 1, `${step.pick} in ${all.map(lineOf).join(' | ')}`);
    return { kind: 'answer', value: (picked[0] as Choice<T>).value };
  }

  async tick<T>({ placeholder, choices, ticked }: TickQuestion<T>, place: Place): Promise<Answer<readonly T[]>> {
    this.#note(`${placeholder}: ${choices.map((choice) => `${choice.group}/${choice.label}${ticked.includes(choice.value) ? ' (ticked)' : ''}`).join(' | ')}`, place);
    const step = this.#next(place);
    if (typeof step === 'string') return { kind: step };
    assert.ok('tick' in step, `a list to tick was shown: ${placeholder}`);
    const chosen = choices.filter(({ label }) => step.tick.includes(label));
    assert.equal(chosen.length, step.tick.length);
    return { kind: 'answer', value: chosen.map(({ value }) => value) };
  }

  async enter({ prompt, value, isSecret, problem }: TextQuestion, place: Place): Promise<Answer<string>> {
    this.#note(`${prompt}${value === undefined ? '' : ` [${value}]`}${isSecret === true ? ' (secret)' : ''}`, place);
    for (;;) {
      const step = this.#next(place);
      if (typeof step === 'string') return { kind: step };
      if ('refused' in step) {
        assert.equal(typeof problem(step.refused), 'string', step.refused);
        continue;
      }
      assert.ok('type' in step, `a text was asked: ${prompt}`);
      assert.equal(problem(step.type), undefined);
      return { kind: 'answer', value: step.type };
    }
  }

  async wait<T>(message: string, work: (signal: AbortSignal) => Promise<T>, place: Place): Promise<Answer<T>> {
    this.#note(message, place);
    const closed = new AbortController();
    const [step] = this.#steps;
    if (typeof step !== 'object' || !('during' in step)) return { kind: 'answer', value: await work(closed.signal) };
    this.#next(place);
    const ended = assert.rejects(work(closed.signal), { reason: 'aborted' });
    await step.until();
    closed.abort();
    await ended;
    return { kind: step.during };
  }

  async trouble<T>({ message, detail, actions }: TroubleQuestion<T>): Promise<T | undefined> {
    this.seen.push(`${message} ${detail}: ${actions.map(({ label }) => label).join(' | ')}`);
    const step = this.#steps.shift();
    if (step === 'leave') return undefined;
    assert.ok(typeof step === 'object' && 'act' in step, `there was trouble: ${message} ${detail}`);
    const action = actions.find(({ label }) => label === step.act);
    assert.ok(action);
    return action.value;
  }

  #note(words: string, place: Place): void {
    this.seen.push(words);
    this.places.push(place);
  }

  #next(place: Place): Step {
    const step = this.#steps.shift();
    assert.ok(step !== undefined, `nothing is scripted for: ${this.seen.at(-1)}`);
    if (step === 'back') assert.ok(place.canGoBack, 'there is no way back here');
    return step;
  }
}

function lineOf<T>({ label, description = '', detail = '' }: Choice<T>): string {
  return [label, description, detail].filter((part) => part !== '').join(', ');
}
