import assert from 'node:assert/strict';
import { PickerModels, type ModelChoice } from '../../../src/host/lm/pickerModels.ts';
import type { ModelRef } from '../../../src/runtime/domain/models.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';

const SINGLE: ModelRef = { provider: 'openai', model: 'gpt' };
const SMALL: ModelRef = { provider: 'openai', model: 'mini', tier: 'simple' };
const LARGE: ModelRef = { provider: 'anthropic', model: 'claude', tier: 'complex' };
const TIERS: ModelChoice = { model: SINGLE, models: { simple: SMALL, complex: LARGE } };

function setUp(first: ModelChoice, last?: string) {
  let choice = first;
  let kept = last;
  const listeners: (() => void)[] = [];
  const picker = new PickerModels({
    choice: () => choice,
    onDidChange(listener) {
      listeners.push(listener);
      return { dispose: () => void listeners.splice(listeners.indexOf(listener), 1) };
    },
    ownVendor: 'own',
    lastPicked: { get: () => kept, set: (id) => (kept = id) },
    log: SILENT_LOG,
  });
  const changes: string[] = [];
  picker.onDidChange(() => changes.push(shown(picker)));
  return {
    picker, changes, listeners,
    kept: () => kept,
    set: (next: ModelChoice): void => {
      choice = next;
      for (const listener of listeners) listener();
    },
    pick: (id: string, vendor = 'own') => picker.rootModel({ vendor, id, name: 'Name', maxInputTokens: 1000 }),
  };
}

/** As `id=model`, with a mark where another answers instead. */
const shown = (picker: PickerModels): string => picker.entries().map(({ id, kind, model }) => `${id}=${model.model}${kind === 'instead' ? '*' : ''}`).join(' ');

describe('our models in the chat view’s picker', () => {
  it('are the one model without a catalog, and with one its default, whichever that is, and its tiers', () => {
    assert.equal(shown(setUp({ model: SINGLE }).picker), 'present=gpt');
    assert.equal(shown(setUp({ model: SINGLE, models: {} }).picker), 'present=gpt');
    assert.equal(shown(setUp(TIERS).picker), 'present=mini simple=mini complex=claude');
    assert.equal(shown(setUp({ ...TIERS, defaultModel: 'complex' }).picker), 'present=claude complex=claude simple=mini');
    assert.equal(shown(setUp({ ...TIERS, defaultModel: 'medium' }).picker), 'present=mini simple=mini complex=claude');
    assert.equal(shown(setUp({ model: SINGLE, models: { complex: LARGE, medium: SINGLE } }).picker), 'present=gpt medium=gpt complex=claude');
  });

  it('never lose an id that was offered: the default answers for it', () => {
    const { picker, set, pick } = setUp({ model: SINGLE });
    picker.entries();
    set({ ...TIERS, defaultModel: 'complex' });
    assert.equal(shown(picker), 'present=claude complex=claude simple=mini');
    assert.equal(pick('present'), 'complex');
    set({ model: SINGLE, models: { simple: SMALL } });
    assert.equal(shown(picker), 'present=mini simple=mini complex=mini*');
    assert.equal(pick('complex'), 'simple');
    set({ model: SINGLE });
    assert.equal(shown(picker), 'present=gpt simple=gpt* complex=gpt*');
    assert.deepEqual(pick('complex'), SINGLE);
  });

  it('keep the id that was used last in an earlier window, and no id that was never ours', () => {
    const { picker, kept, pick } = setUp(TIERS, 'medium');
    assert.equal(shown(picker), 'present=mini simple=mini complex=claude medium=mini*');
    assert.equal(pick('complex'), 'complex');
    assert.equal(kept(), 'complex');
    assert.equal(shown(setUp(TIERS, 'nonsense').picker), 'present=mini simple=mini complex=claude');
  });

  it('tell of a change of what is offered, and of nothing else', () => {
    const { picker, changes, listeners, set } = setUp(TIERS);
    set({ ...TIERS, model: LARGE });
    assert.deepEqual(changes, []);
    set({ ...TIERS, models: { ...TIERS.models, simple: { ...SMALL, model: 'nano' } } });
    assert.deepEqual(changes, ['present=nano simple=nano complex=claude']);
    picker.dispose();
    assert.equal(listeners.length, 0);
  });
});

describe('the root', () => {
  it('runs on the picked tier, or the one model where there is no catalog', () => {
    const { pick } = setUp(TIERS);
    assert.deepEqual([pick('complex'), pick('simple'), pick('present')], ['complex', 'simple', 'simple']);
    assert.deepEqual(setUp({ model: SINGLE }).pick('present'), SINGLE);
  });

  it('runs on another vendor’s model through the editor, with that model’s window, and that is not kept', () => {
    const { picker, pick, kept } = setUp(TIERS);
    assert.deepEqual(pick('gpt-5', 'copilot'), { provider: 'vscode', model: 'copilot/gpt-5', displayName: 'Name', contextWindow: 1000 });
    assert.deepEqual(picker.rootModel({ vendor: 'other', id: 'org/m', name: 'M', maxInputTokens: 0 }), { provider: 'vscode', model: 'other/org/m', displayName: 'M' });
    assert.equal(kept(), undefined);
  });
});
