import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { modelProblems } from '../../../src/runtime/agent/modelChecks.ts';
import type { ModelRef } from '../../../src/runtime/domain/models.ts';

const MODEL: ModelRef = { provider: 'p', model: 'm' };

describe('options about models', () => {
  const problems = (options: object): readonly string[] => modelProblems(options);
  const ofModel = (more: object): readonly string[] => problems({ models: { simple: { ...MODEL, ...more } } });

  it('are fine as they are meant', () => {
    const full: ModelRef = { ...MODEL, maxOutputTokens: 1, contextWindow: 200_000, temperature: 0, topP: 1, price: { input: 0, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } };
    assert.deepEqual(problems({ model: { ...MODEL, reasoningEffort: 'high' }, models: { simple: full, complex: MODEL }, defaultModel: 'complex', rootModel: 'simple' }), []);
    assert.deepEqual(problems({ model: MODEL, rootModel: full }), []);
    assert.deepEqual(problems({}), []);
  });

  const cases: readonly (readonly [object, RegExp])[] = [
    [{ models: {} }, /^models must have at least one of simple, medium, complex\.$/],
    [{ models: { simple: MODEL, huge: MODEL } }, /^models has the tier "huge"; there are only simple, medium, complex\.$/],
    [{ models: { simple: MODEL }, defaultModel: 'medium' }, /^defaultModel must be one of the configured tiers \(simple\), not "medium"\.$/],
    [{ defaultModel: 'medium' }, /^defaultModel must be one of the configured tiers \(there are none\), not "medium"\.$/],
    [{ models: { simple: MODEL }, rootModel: 'complex' }, /^rootModel must be one of the configured tiers/],
    [{ rootModel: { ...MODEL, contextWindow: 0 } }, /^rootModel\.contextWindow/],
    [{ model: { ...MODEL, reasoningEffort: 'low', topP: 0.5 } }, /^model\.reasoningEffort and model\.topP can't be set together\.$/],
    [{ models: { complex: { provider: 'p' } } }, /^models\.complex\.model is missing\.$/],
  ];
  for (const [options, words] of cases) {
    it(`are refused with ${JSON.stringify(options)}`, () => {
      assert.equal(problems(options).length, 1);
      assert.match(problems(options)[0] ?? '', words);
    });
  }

  const fields: readonly (readonly [object, string])[] = [
    ...[0, -1, 1.5, NaN, Infinity].flatMap((value): (readonly [object, string])[] => [[{ contextWindow: value }, 'contextWindow'], [{ maxOutputTokens: value }, 'maxOutputTokens']]),
    ...[-0.1, 2.1, NaN].map((value) => [{ temperature: value }, 'temperature'] as const),
    ...[-0.1, 1.1].map((value) => [{ topP: value }, 'topP'] as const),
    [{ reasoningEffort: 'high', temperature: 0 }, 'temperature'],
    [{ reasoningEffort: 'huge' }, 'reasoningEffort'],
    [{ price: { input: -1, output: 1 } }, 'price.input'],
    [{ price: { input: 1 } }, 'price.output'],
    [{ price: { input: 1, output: NaN } }, 'price.output'],
    [{ price: { input: 1, output: 1, cacheRead: Infinity } }, 'price.cacheRead'],
  ];
  for (const [more, field] of fields) {
    it(`name the field of a tier that makes no sense: ${field} in ${Object.values(more).map(String).join()}`, () => {
      const found = ofModel(more);
      assert.equal(found.length, 1);
      assert.ok(found[0]?.includes(`models.simple.${field}`), found[0]);
    });
  }

  it('name everything at once', () => {
    assert.equal(problems({ model: { ...MODEL, reasoningEffort: 'low', temperature: 1, topP: 1 }, models: { medium: { ...MODEL, maxOutputTokens: 0 } }, defaultModel: 'simple' }).length, 4);
  });
});
