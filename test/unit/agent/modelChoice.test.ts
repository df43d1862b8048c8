import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { currentModel, inheritedModel, tiersOf, type ModelOptions } from '../../../src/runtime/agent/currentModel.ts';
import { chooseModel, type ChoosingDefinition, type ModelChoices } from '../../../src/runtime/agent/modelChoice.ts';
import type { DefinitionSource } from '../../../src/runtime/domain/definitions.ts';
import type { ModelCatalog, ModelRef } from '../../../src/runtime/domain/models.ts';

const SMALL: ModelRef = { provider: 'local', model: 'small', baseUrl: 'http://localhost:1', displayName: 'Small one' };
const LARGE: ModelRef = { provider: 'anthropic', model: 'claude-large', reasoningEffort: 'high', price: { input: 3, output: 15 } };
const CATALOG: ModelCatalog = { simple: SMALL, complex: LARGE };
const PLAIN: ModelRef = { provider: 'anthropic', model: 'claude-plain', displayName: 'Plain', contextWindow: 9000, maxOutputTokens: 700, price: { input: 1, output: 2 } };

const withCatalog: ModelChoices = { inherited: { ...SMALL, tier: 'simple' }, catalog: CATALOG, isReachable: () => true };
const without: ModelChoices = { inherited: PLAIN, isReachable: () => true };

function chosen(named: string | undefined, model: string | undefined, choices: ModelChoices, source: DefinitionSource = 'project'): readonly string[] {
  const definition: ChoosingDefinition = { name: 'x', source, ...(model !== undefined && { model }) };
  const choice = chooseModel(named, definition, choices);
  return choice.ok ? [choice.model.model, ...choice.notes] : [choice.reason, choice.problem];
}

describe('the model of a child (case 46)', () => {
  const REFUSED = ['invalid_input', '"huge" is none of the models to choose from: simple, complex. Name one of them, or leave it out.'];
  const REFUSED_DEFINITION = ['invalid_input', 'the definition x runs on "huge", which is none of the models to choose from: simple, complex. Name one of them as the model of the task.'];

  // What the task names, what the definition names, and what comes of it.
  const catalogTable: readonly (readonly [string | undefined, string | undefined, readonly string[]])[] = [
    [undefined, undefined, ['small']],
    [undefined, 'complex', ['claude-large']],
    ['complex', 'simple', ['claude-large']],
    ['simple', 'complex', ['small']],
    ['COMPLEX', undefined, ['claude-large']],
    [' Complex ', undefined, ['claude-large']],
    ['inherit', 'complex', ['small']],
    ['Inherit', undefined, ['small']],
    [undefined, 'inherit', ['small']],
    [undefined, '', ['small']],
    // What doesn't resolve: refused at each level, and never replaced by what another level says.
    ['huge', undefined, REFUSED],
    ['huge', 'complex', REFUSED],
    [undefined, 'huge', REFUSED_DEFINITION],
    ['complex', 'huge', ['claude-large']],
    ['inherit', 'huge', ['small']],
    ['medium', undefined, ['invalid_input', '"medium" is none of the models to choose from: simple, complex. Name one of them, or leave it out.']],
    [undefined, 'medium', ['invalid_input', 'the definition x runs on "medium", which is none of the models to choose from: simple, complex. Name one of them as the model of the task.']],
    // A full id is no tier, and a task names no families.
    ['claude-large', undefined, ['invalid_input', '"claude-large" is none of the models to choose from: simple, complex. Name one of them, or leave it out.']],
    ['opus', undefined, ['invalid_input', '"opus" is none of the models to choose from: simple, complex. Name one of them, or leave it out.']],
    // Other products' names for a tier; without their tier they give way, and that is said.
    [undefined, 'opus', ['claude-large']],
    [undefined, 'haiku', ['small']],
    [undefined, 'sonnet', ['small', '"sonnet" unavailable, using small (local).']],
    ['complex', 'sonnet', ['claude-large']],
  ];
  for (const [task, definition, expected] of catalogTable) {
    it(`with a catalog, task ${JSON.stringify(task)} and definition ${JSON.stringify(definition)}: ${expected[0] ?? ''}`, () => assert.deepEqual(chosen(task, definition, withCatalog), expected));
  }

  const plainTable: readonly (readonly [string | undefined, string | undefined, readonly string[]])[] = [
    [undefined, undefined, ['claude-plain']],
    [undefined, 'other-model', ['other-model']],
    ['third-model', 'other-model', ['third-model']],
    ['inherit', 'other-model', ['claude-plain']],
    [undefined, 'inherit', ['claude-plain']],
    [undefined, '', ['claude-plain']],
    // A tier means nothing here, and its name is never sent.
    ['simple', undefined, ['claude-plain', '"simple" unavailable, using claude-plain (anthropic).']],
    [undefined, 'Complex', ['claude-plain', '"Complex" unavailable, using claude-plain (anthropic).']],
    ['other-model', 'complex', ['other-model']],
    [undefined, 'sonnet', ['claude-plain', '"sonnet" unavailable, using claude-plain (anthropic).']],
  ];
  for (const [task, definition, expected] of plainTable) {
    it(`without one, task ${JSON.stringify(task)} and definition ${JSON.stringify(definition)}: ${expected[0] ?? ''}`, () => assert.deepEqual(chosen(task, definition, without), expected));
  }

  it('is refused where it is no vendor/id, and the inherited one is of the editor', () => {
    const editor = { ...without, inherited: { provider: 'vscode', model: 'copilot/x' } };
    assert.deepEqual(chosen('gpt-5', undefined, editor), ['invalid_input', '"gpt-5" is no model of the editor: those are written as vendor/id, such as copilot/x. Name one, or leave it out.']);
    assert.match(chosen(undefined, '/gpt-5', editor)[1] ?? '', /^the definition x runs on "\/gpt-5", which is no model of the editor: .* Name one as the model of the task, or inherit\.$/);
    assert.deepEqual(chosen('copilot/org/y', undefined, editor), ['copilot/org/y']);
    assert.deepEqual(chosen(undefined, 'inherit', editor), ['copilot/x']);
  });

  it('of another product is what it names where its vendor is the inherited one, at its own address', () => {
    assert.deepEqual(chosen(undefined, 'claude-opus-4-7', without, 'claude_user'), ['claude-opus-4-7']);
    assert.deepEqual(chosen(undefined, 'GPT-5 (copilot)', without, 'github_project'), ['claude-plain', '"GPT-5 (copilot)" unavailable, using claude-plain (anthropic).']);
    const elsewhere = { ...without, inherited: { ...PLAIN, baseUrl: 'http://gateway' } };
    assert.deepEqual(chosen(undefined, 'claude-opus-4-7', elsewhere, 'claude_user'), ['claude-plain', '"claude-opus-4-7" unavailable, using claude-plain (anthropic).']);
    assert.deepEqual(chosen(undefined, 'Claude Opus 4.5 (copilot)', withCatalog, 'github_project'), ['claude-large']);
  });

  it('is another id at the same address, without what tells of the one that it replaces', () => {
    const choice = chooseModel('other', { name: 'x', source: 'code' }, { ...without, inherited: { ...PLAIN, baseUrl: 'http://gateway', reasoningEffort: 'low' } });
    assert.deepEqual(choice.ok && choice.model, { provider: 'anthropic', model: 'other', baseUrl: 'http://gateway', reasoningEffort: 'low', contextWindow: 9000, maxOutputTokens: 700 });
    const same = chooseModel('claude-plain', { name: 'x', source: 'code' }, without);
    assert.equal(same.ok && same.model, PLAIN);
  });

  it('says of which tier it is', () => {
    const choice = chooseModel('complex', { name: 'x', source: 'code' }, withCatalog);
    assert.deepEqual(choice.ok && choice.model, { ...LARGE, tier: 'complex' });
  });

  it('thinks as hard as the definition says, before what its tier says', () => {
    const effort = (tier: string, own?: 'low'): unknown => {
      const choice = chooseModel(tier, { name: 'x', source: 'code', ...(own && { effort: own }) }, withCatalog);
      return choice.ok && choice.model.reasoningEffort;
    };
    assert.deepEqual([effort('complex'), effort('complex', 'low'), effort('simple'), effort('simple', 'low')], ['high', 'low', undefined, 'low']);
  });

  it('is refused where the definition has an effort and its tier a temperature or top-p, both named', () => {
    const refusal = (sampling: Partial<ModelRef>): string => {
      const choice = chooseModel(undefined, { name: 'thinker', source: 'code', effort: 'high', model: 'simple' }, { ...withCatalog, catalog: { simple: { ...SMALL, ...sampling } } });
      return choice.ok ? 'ok' : choice.problem;
    };
    assert.match(refusal({ temperature: 0 }), /`effort` of the definition thinker and `temperature` of the tier simple can't be set together/);
    assert.match(refusal({ topP: 0.9 }), /`topP` of the tier simple/);
    assert.match(refusal({ temperature: 0.2, topP: 0.9 }), /`temperature`, `topP` of the tier simple/);
    assert.equal(refusal({}), 'ok');
    const plain = chooseModel(undefined, { name: 'thinker', source: 'code', effort: 'high' }, { ...without, inherited: { ...PLAIN, temperature: 1 } });
    assert.match(plain.ok ? '' : plain.problem, /of the model claude-plain/);
    assert.equal(refusal({ provider: 'vscode', model: 'v/m', temperature: 0.5 }), 'ok', 'where no effort is sent');
  });

  it('is refused where it can\'t be reached, with its tier named; no other tier stands in for it', () => {
    const choices: ModelChoices = { ...withCatalog, isReachable: ({ provider }) => provider === 'local' };
    assert.deepEqual(chosen('complex', undefined, choices), ['unavailable', 'the tier complex is unavailable: claude-large of anthropic can\'t be reached. Set that provider up, or name another tier.']);
    assert.deepEqual(chosen(undefined, 'opus', choices)[0], 'unavailable');
    assert.deepEqual(chosen(undefined, undefined, choices), ['small']);
  });
});

describe('the current model', () => {
  const PARTIAL: ModelOptions = { model: PLAIN, models: CATALOG };
  const everything = (): boolean => true;
  const current = (wanted: Parameters<typeof currentModel>[0], options: ModelOptions = PARTIAL, isReachable: (model: ModelRef) => boolean = everything): string => currentModel(wanted, options, isReachable).model;

  it('is the tier or model that is wanted', () => {
    assert.deepEqual(currentModel('complex', PARTIAL, everything), { ...LARGE, tier: 'complex' });
    assert.equal(currentModel(PLAIN, PARTIAL, everything), PLAIN);
  });

  it('is by default the tier that is set, else the first of medium, simple and complex that is configured', () => {
    assert.equal(current(undefined), 'small');
    assert.equal(current(undefined, { ...PARTIAL, defaultModel: 'complex' }), 'claude-large');
    assert.equal(current(undefined, { ...PARTIAL, models: { complex: LARGE } }), 'claude-large');
    assert.equal(current(undefined, { ...PARTIAL, models: { ...CATALOG, medium: PLAIN } }), 'claude-plain');
    assert.equal(current(undefined, { model: PLAIN }), 'claude-plain');
  });

  it('is the default again where the wanted tier is gone', () => {
    assert.equal(current('medium'), 'small');
    assert.equal(current('medium', { model: PLAIN }), 'claude-plain');
  });

  it('is the model beside the catalog only where no tier can be reached', () => {
    assert.equal(current(undefined, PARTIAL, () => false), 'claude-plain');
    assert.equal(current(undefined, PARTIAL, ({ provider }) => provider === 'anthropic'), 'small', 'no other tier stands in');
  });

  it('is what children inherit: its tier, or the default one of a root outside the catalog', () => {
    const inherited = (root: ModelRef, options: ModelOptions = PARTIAL): ModelRef => inheritedModel(root, options, everything);
    assert.deepEqual(inherited(currentModel('complex', PARTIAL, everything)), { ...LARGE, tier: 'complex' });
    assert.deepEqual(inherited({ provider: 'other', model: 'picked' }), { ...SMALL, tier: 'simple' });
    const picked = { provider: 'other', model: 'picked' };
    assert.equal(inherited(picked, { model: PLAIN }), picked);
  });

  it('has its tiers from the simplest to the most complex', () => assert.deepEqual(tiersOf({ complex: LARGE, simple: SMALL }), ['simple', 'complex']));
});
