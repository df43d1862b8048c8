import assert from 'node:assert/strict';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import { askTasks } from '../../../src/ui/anywhere/askTasks.ts';
import { ScriptedDialog, type Step } from '../../support/scriptedDialog.ts';
import { english } from '../ui/fakes.ts';

const definition = (name: string): AgentDefinition => ({ name, description: `Does $(zap) ${name}`, prompt: 'p', tools: 'inherit', disallowedTools: [], delegable: true, source: 'bundled' });
const offered = { definitions: ['Explore', 'general-purpose', 'mine'].map(definition), unapproved: new Set(['mine']) };

async function ask(...steps: readonly Step[]): Promise<{ readonly tasks: Awaited<ReturnType<typeof askTasks>>; readonly dialog: ScriptedDialog }> {
  const dialog = new ScriptedDialog(steps);
  const tasks = await askTasks(dialog, offered, english);
  dialog.assertDone();
  return { tasks, dialog };
}

describe('Delegate…', () => {
  it('asks for an agent and what it is to do, and starts', async () => {
    const { tasks, dialog } = await ask({ pick: 'Explore' }, { refused: '\u200b' }, { type: 'Find callers of f. All of them.' }, { pick: 'Start' });
    assert.deepEqual(tasks, [{ display_name: 'Find callers of f', subagent_type: 'Explore', prompt: 'Find callers of f. All of them.' }]);
    assert.deepEqual([dialog.active[0], dialog.seen[0]?.includes('$(')], ['general-purpose', false]);
    assert.match(dialog.seen[0] ?? '', /mine, not yet approved/);
  });

  it('takes further tasks, and names them all before it starts', async () => {
    const { tasks, dialog } = await ask({ pick: 'Explore' }, { type: 'One' }, { pick: 'Add Another' }, { pick: 'general' }, { type: 'Two' }, { pick: 'Start 2 subagents' });
    assert.deepEqual(tasks?.map(({ display_name: name, subagent_type: type }) => [name, type]), [['One', 'Explore'], ['Two', 'general-purpose']]);
    assert.match(dialog.seen.at(-1) ?? '', /One · Two/);
  });

  it('goes back step by step, and forgets nothing that was not gone back over', async () => {
    const { tasks } = await ask({ pick: 'Explore' }, { type: 'One' }, { pick: 'Add Another' }, 'back', { pick: 'Add Another' }, { pick: 'mine' }, 'back', { pick: 'general' }, { type: 'Two' }, 'back', { type: 'Two again' }, { pick: 'Start' });
    assert.deepEqual(tasks?.map(({ prompt, subagent_type: type }) => [prompt, type]), [['One', 'Explore'], ['Two again', 'general-purpose']]);
  });

  it('starts nothing where the person leaves at any question', async () => {
    for (const steps of [[], [{ pick: 'Explore' }], [{ pick: 'Explore' }, { type: 'One' }]] as const) assert.equal((await ask(...steps, 'leave')).tasks, undefined);
  });
});
