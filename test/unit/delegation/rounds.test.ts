import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ModelChoices } from '../../../src/runtime/agent/modelChoice.ts';
import { modelNote, resumedModel } from '../../../src/runtime/delegation/rounds.ts';
import type { ModelRef } from '../../../src/runtime/domain/models.ts';
import { definition } from './fixture.ts';

const OWN: ModelRef = { provider: 'p', model: 'own', reasoningEffort: 'high', displayName: 'Own', tier: 'complex' };
const NOW: ModelRef = { provider: 'q', model: 'now', reasoningEffort: 'low' };
const plain: ModelChoices = { inherited: NOW, isReachable: () => true };
const catalog: ModelChoices = { ...plain, catalog: { simple: { provider: 'q', model: 's', reasoningEffort: 'medium' }, medium: NOW } };

describe('the model of a run that goes on (case 52)', () => {
  const model = (named: string | undefined, choices: ModelChoices, effort?: 'low'): ModelRef | string => {
    const choice = resumedModel(OWN, definition('x', { model: 'medium', ...(effort && { effort }) }), named, choices);
    return choice.ok ? choice.model : choice.problem;
  };

  it('is its own, whatever is configured now, and whatever its definition names', () => {
    for (const choices of [plain, catalog]) assert.equal(model(undefined, choices), OWN);
  });

  it('is what its task names, by the rules of a new task', () => {
    assert.deepEqual(model('Simple', catalog), { provider: 'q', model: 's', reasoningEffort: 'medium', tier: 'simple' });
    assert.deepEqual(model('inherit', catalog), NOW);
    assert.equal(model('other', catalog), '"other" is none of the models to choose from: simple, medium. Name one of them, or leave it out.');
    assert.deepEqual(model('other', plain), { provider: 'q', model: 'other', reasoningEffort: 'high' });
  });

  it('keeps the effort of its definition, and without a catalog its own', () => {
    assert.deepEqual(model('simple', catalog, 'low'), { provider: 'q', model: 's', reasoningEffort: 'low', tier: 'simple' });
    assert.deepEqual(model('inherit', plain), { ...NOW, reasoningEffort: 'high' });
  });

  it('goes by the tier alone where its definition isn\'t known', () => {
    const choice = resumedModel(OWN, undefined, 'simple', catalog);
    assert.equal(choice.ok && choice.model.reasoningEffort, 'medium');
  });

  it('is refused where it can\'t be reached any more', () => {
    assert.equal(model(undefined, { ...catalog, isReachable: ({ provider }) => provider === 'q' }), 'the tier complex is unavailable: own of p can\'t be reached. Set that provider up, or name another tier.');
  });

  it('is noted where it or its effort changes', () => {
    assert.deepEqual(modelNote(OWN, { ...OWN, displayName: 'Another name' }), []);
    assert.deepEqual(modelNote(OWN, { ...OWN, model: 'b' }), ['It runs on b (p); it began on own (p).']);
    assert.deepEqual(modelNote(OWN, { ...OWN, reasoningEffort: 'low' }), ['It runs on own (p) with low effort; it began on own (p) with high effort.']);
    assert.deepEqual(modelNote({ provider: 'p', model: 'own' }, OWN), ['It runs on own (p) with high effort; it began on own (p) with its own effort.']);
  });
});
