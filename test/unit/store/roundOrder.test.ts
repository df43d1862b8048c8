import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inOrderOfRounds } from '../../../src/runtime/store/roundOrder.ts';

describe('the order of stored groups', () => {
  const order = (...groups: readonly [name: string, createdAt: number, rounds: Readonly<Record<string, number>>][]): string =>
    inOrderOfRounds(groups.map(([name, createdAt, rounds]) => ({ name, createdAt, rounds: Object.entries(rounds).map(([agentId, round]) => ({ agentId, round })) }))).map(({ name }) => name).join(' ');

  it('is that of their times', () => {
    assert.equal(order(['late', 3, { a: 1 }], ['first', 1, { b: 1 }], ['second', 2, { b: 2 }]), 'first second late');
  });

  it('keeps the rounds of an agent in turn where the clock was set back between them', () => {
    assert.equal(order(['three', 1, { a: 3 }], ['two', 2, { a: 2 }], ['other', 3, { b: 1 }], ['one', 9, { a: 1 }]), 'one two three other');
  });

  it('goes by time where agents in different rounds share a group', () => {
    assert.equal(order(['both', 2, { a: 5, b: 1 }], ['after', 3, { b: 2 }], ['before', 1, { a: 4 }]), 'before both after');
  });

  it('loses no group whose stored rounds contradict each other', () => {
    assert.equal(order(['x', 1, { a: 1, b: 2 }], ['y', 2, { a: 2, b: 1 }]).split(' ').sort().join(), 'x,y');
  });
});
