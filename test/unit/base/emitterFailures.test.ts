import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deferred } from '../../../src/runtime/base/async.ts';
import { Emitter } from '../../../src/runtime/base/emitter.ts';

describe('a listener that fails', () => {
  it('costs the others nothing, and its error is reported', () => {
    const [errors, heard]: [unknown[], number[]] = [[], []];
    const emitter = new Emitter<number>((error) => errors.push(error));
    const failure = new Error('mine');
    emitter.event(() => {
      throw failure;
    });
    emitter.event((value) => heard.push(value));
    emitter.fire(1);
    assert.deepEqual([errors, heard], [[failure], [1]]);
  });

  it('later, since it is async, has its error reported too', async () => {
    const reported = deferred<unknown>();
    const emitter = new Emitter<number>((error) => reported.resolve(error));
    const failure = new Error('mine');
    // As plain JavaScript may give it.
    const listener: (value: number) => unknown = async () => Promise.reject(failure);
    emitter.event(listener);
    emitter.fire(1);
    assert.equal(await reported.promise, failure);
  });
});
