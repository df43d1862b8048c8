import assert from 'node:assert/strict';
import { isAppError } from '../../../src/runtime/base/errors.ts';
import { validateCall, type ValidationRules } from '../../../src/runtime/delegation/validate.ts';
import { DEFINITIONS, task } from './fixture.ts';

const RULES: ValidationRules = {
  definitions: DEFINITIONS,
  allowHidden: false,
  maxTasks: 3,
  resolveChild: (_definition, { model }) => (model === 'huge' ? { ok: false, field: 'model', problem: 'Allowed: small, big.' } : { ok: true, model: { provider: 'main', model: model ?? 'small' }, maxTurns: 9, tools: [], notes: [] }),
  modelProblem: (model) => (model === 'huge' ? 'Allowed: small, big.' : undefined),
  resumable: (agentId) => ({ ok: false, reason: 'not_found', problem: `there is no subagent ${agentId}.` }),
  resolveRound: () => assert.fail('nothing can be resumed here'),
};

function problems(call: unknown, rules: Partial<ValidationRules> = {}): readonly string[] {
  try {
    validateCall(call, { ...RULES, ...rules });
    return [];
  } catch (error) {
    assert.ok(isAppError(error, 'invalid_input'));
    return error.message.split('\n').slice(1);
  }
}
const one = (more: object, rules: Partial<ValidationRules> = {}): readonly string[] => problems({ tasks: [task('A', more)] }, rules);

describe('the check of a delegation call', () => {
  it('finds a name that the model writes in the other form of Unicode', () => {
    const [first] = DEFINITIONS;
    assert.ok(first);
    const definitions = [{ ...first, name: 'pr\u00fcfer', delegable: true }];
    assert.deepEqual(one({ subagent_type: 'Pru\u0308fer' }, { definitions }), []);
  });

  it('names every problem of every task in one error', () => {
    const found = problems({
      tasks: [{ display_name: '\n\u200b', prompt: ' ' }, task('B', { subagent_type: 'wizard', model: 'huge', promt: 'x' }), task('C', { model: 'huge', resume: 'agent-x-1' }), 'D', task('E', { model: 'huge' })],
      mode: 'sync',
    });
    const expected = ['mode: unknown', 'tasks: at most 3', 'Task 1, display_name', 'Task 1, prompt', 'Task 2 ("B"), promt: unknown', 'Task 2 ("B"), subagent_type: "wizard"', 'Task 2 ("B"), model: Allowed', 'Task 3 ("C"), resume', 'Task 4, task', 'Task 5 ("E"), model'];
    assert.deepEqual(found.map((line, index) => line.startsWith(`- ${expected[index]}`)), expected.map(() => true), found.join('\n'));
  });

  it('takes the types without case, general-purpose by default, and gives the name as it is defined', () => {
    const valid = validateCall({ tasks: [task('A'), task('B', { subagent_type: 'RESEARCHER' }), task('C', { subagent_type: '', model: null, task_id: '' })], run_in_background: false }, RULES);
    assert.deepEqual(valid.map(({ definition }) => definition.name), ['general-purpose', 'Researcher', 'general-purpose']);
    assert.deepEqual(valid[2]?.task, { display_name: 'C', subagent_type: 'general-purpose', prompt: 'Do C' });
  });

  it('lists the types that the model may use, never the hidden ones', () => {
    const [line = ''] = one({ subagent_type: 'secret' });
    assert.ok(line.endsWith('Allowed: general-purpose, Researcher.'));
    assert.deepEqual(one({ subagent_type: 'secret' }, { allowHidden: true }), []);
  });

  it('refuses a type that can\'t be used yet, says why, tells of it, and lets no other stand in', () => {
    const told: string[] = [];
    const rules: Partial<ValidationRules> = { refusal: ({ name }) => (name === 'Researcher' ? 'Approve it first.' : undefined), onRefused: ({ name }) => told.push(name) };
    assert.deepEqual(one({ subagent_type: 'researcher' }, rules), ['- Task 1 ("A"), subagent_type: Approve it first.']);
    assert.deepEqual(told, ['Researcher']);
    assert.deepEqual(one({}, rules), []);
    const [unknown = ''] = one({ subagent_type: 'wizard' }, rules);
    assert.ok(unknown.endsWith('Allowed: general-purpose.'));
    assert.deepEqual(told, ['Researcher'], 'only what was asked for');
  });

  it('cleans and cuts the display name', () => {
    const names = validateCall({ tasks: [task(' a\n\tb\u202e ', { prompt: 'x' }), task('n'.repeat(200))] }, RULES).map(({ task: { display_name } }) => display_name);
    assert.deepEqual([names[0], names[1]?.length], ['a b', 80]);
  });

  it('refuses the same work twice, but not the same prompt under another name', () => {
    assert.match(problems({ tasks: [task('A'), task('B'), task('A', { subagent_type: 'General-Purpose' })] })[0] ?? '', /^- Task 3 \("A"\), task: is identical to task 1/);
    assert.deepEqual(problems({ tasks: [task('A', { prompt: 'same' }), task('B', { prompt: 'same' })] }), []);
    assert.deepEqual(problems({ tasks: [task('A', { prompt: 'one' }), task('A', { prompt: 'other' })] }), []);
  });

  it('asks the task list about task_id, and refuses it where tasks are off', () => {
    assert.match(one({ task_id: 'task-1' })[0] ?? '', /task_id: tracked tasks are switched off/);
    assert.match(one({ task_id: 'task-1' }, { taskProblem: (id) => `${id} is finished.` })[0] ?? '', /task_id: task-1 is finished\./);
    assert.deepEqual(one({ task_id: 'task-1' }, { taskProblem: () => undefined }), []);
    assert.match(problems({ tasks: [task('A', { task_id: 't' }), task('B', { task_id: 't' })] }, { taskProblem: () => undefined })[0] ?? '', /Task 2 \("B"\), task_id: is taken by task 1/);
  });

  for (const display_name of ['\ufe0f', '\u3164', '\u2800 \u115f', '\u200b\u034f']) {
    it(`refuses a name of which nothing is seen: ${JSON.stringify(display_name)}`, () => assert.match(problems({ tasks: [task(display_name)] }).join(), /display_name: must have visible characters/));
  }

  for (const call of [undefined, null, [], 'x', {}, { tasks: [] }, { tasks: 'A' }, { tasks: [null] }, { tasks: [[]] }, { tasks: [{}] }, { tasks: [{ display_name: 1, prompt: {}, model: 3 }] }]) {
    it(`refuses ${JSON.stringify(call)}`, () => assert.notEqual(problems(call).length, 0));
  }

  it('says once what is missing', () => {
    assert.deepEqual(problems({ tasks: [{}] }), ['- Task 1, display_name: is required.', '- Task 1, prompt: is required.']);
  });
});
