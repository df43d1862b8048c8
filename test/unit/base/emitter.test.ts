import assert from 'node:assert/strict';
import { Emitter } from '../../../src/runtime/base/emitter.ts';

describe('an emitter', () => {
  const errors: unknown[] = [];

  beforeEach(() => void errors.splice(0));

  function emitter<T>(): Emitter<T> {
    return new Emitter<T>((error) => errors.push(error));
  }

  it('delivers also what has no value, each time', () => {
    const changes = emitter<void>();
    let heard = 0;
    changes.event(() => (heard += 1));
    changes.fire();
    changes.fire();
    assert.equal(heard, 2);
  });

  it('lets what a listener fires wait until everybody has heard the current value', () => {
    const numbers = emitter<number | undefined>();
    const heard: string[] = [];
    numbers.event((value) => {
      heard.push(`first ${value}`);
      if (value === 1) for (const next of [undefined, 3]) numbers.fire(next);
    });
    numbers.event((value) => heard.push(`second ${value}`));
    numbers.fire(1);
    numbers.fire(4);
    assert.deepEqual(heard, ['first 1', 'second 1', 'first undefined', 'second undefined', 'first 3', 'second 3', 'first 4', 'second 4']);
  });

  it('loses nothing to a listener that throws, nor to one that is gone', () => {
    const values = emitter<string>();
    const heard: string[] = [];
    values.event(() => {
      throw new Error('on purpose');
    });
    const gone = values.event((value) => heard.push(`gone: ${value}`));
    values.event((value) => heard.push(value));
    gone.dispose();
    values.fire('a');
    assert.deepEqual([heard, errors.map(String)], [['a'], ['Error: on purpose']]);
    values.dispose();
    values.fire('b');
    assert.deepEqual(heard, ['a']);
  });
});
