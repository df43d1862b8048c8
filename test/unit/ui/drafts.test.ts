import assert from 'node:assert/strict';
import { Drafts, type Draft } from '../../../src/ui/review/comments/drafts.ts';
import { fakeState } from '../../support/state.ts';

const draft = (id: string, patch: Partial<Draft> = {}): Draft => ({ id, agentId: 'agent-1', path: '/w/a.ts', lines: { start: 1, end: 2 }, anchor: { above: ['a'], lines: ['b'], below: ['c'] }, text: `On ${id}.`, ...patch });
const fail = (error: unknown): void => assert.fail(String(error));
const reloaded = (values: ReadonlyMap<string, unknown>): Drafts => new Drafts(fakeState(new Map(JSON.parse(JSON.stringify([...values])) as [string, unknown][])), fail);

describe('comments that were not sent', () => {
  it('survive a reload with all that was done to them', () => {
    const state = fakeState();
    const drafts = new Drafts(state, fail);
    for (const id of ['one', 'two', 'three']) drafts.add(draft(id));
    drafts.change('two', { text: 'Changed.', lines: { start: 7, end: 9 } });
    drafts.change('nobody', { text: 'x' });
    drafts.remove(['one']);
    assert.deepEqual(reloaded(state.values).list(), [draft('two', { text: 'Changed.', lines: { start: 7, end: 9 } }), draft('three')]);
  });

  it('leave nothing behind when all are gone', () => {
    const state = fakeState();
    const drafts = new Drafts(state, fail);
    drafts.add(draft('one'));
    drafts.remove(['one']);
    assert.equal(state.values.size, 0);
  });

  it('are a child’s by file and line', () => {
    const drafts = new Drafts(fakeState(), fail);
    for (const one of [draft('b2', { path: '/w/b.ts', lines: { start: 5, end: 6 } }), draft('other', { agentId: 'agent-2' }), draft('b1', { path: '/w/b.ts' }), draft('a')]) drafts.add(one);
    const { agentId: _, ...nobodys } = draft('nobodys');
    drafts.add(nobodys);
    assert.deepEqual(drafts.of('agent-1').map(({ id }) => id), ['a', 'b1', 'b2']);
  });

  it('go when they are sent, but for what was written anew or readdressed meanwhile', () => {
    const drafts = new Drafts(fakeState(), fail);
    for (const id of ['sent', 'rewritten', 'readdressed', 'later']) drafts.add(draft(id));
    const sent = drafts.of('agent-1').filter(({ id }) => id !== 'later');
    drafts.change('rewritten', { text: 'Newer.' });
    drafts.change('readdressed', { agentId: 'agent-2' });
    drafts.removeSent('agent-1', sent);
    assert.deepEqual(drafts.list().map(({ id }) => id), ['rewritten', 'readdressed', 'later']);
  });

  it('are read with what is damaged left out', () => {
    const damaged = [7, null, { id: 'x' }, { ...draft('x'), lines: { start: -1, end: 2 } }, { ...draft('x'), text: 7 }, { ...draft('x'), anchor: { above: [1], lines: [], below: [] } }];
    assert.deepEqual(reloaded(new Map([['review.drafts', [...damaged, draft('good')]]])).list().map(({ id }) => id), ['good']);
    assert.deepEqual(reloaded(new Map([['review.drafts', 'nonsense']])).list(), []);
  });

  it('tell when they could not be written down', async () => {
    const told = Promise.withResolvers<unknown>();
    const drafts = new Drafts({ get: () => undefined, update: async () => Promise.reject(new Error('disk full')) }, told.resolve);
    drafts.add(draft('one'));
    assert.match(String(await told.promise), /disk full/);
    assert.equal(drafts.list().length, 1);
  });
});
