import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { childLayers } from '../../../src/runtime/delegation/childSetup.ts';
import type { AgentPermission } from '../../../src/runtime/domain/permissions.ts';
import { judge } from '../../../src/runtime/permissions/judge.ts';
import { edits, runs } from '../../support/permissionsSubjects.ts';
import { definition } from './fixture.ts';

describe('the permissions of a child', () => {
  const options = { user: { allow: ['*'] } };
  const withPermission = (permission: AgentPermission) => definition('quiet', { permission });

  it('let Explore run without asking only what is known to read', () => {
    for (const name of ['Explore', 'EXPLORE']) {
      const verdict = (command: string): string => judge(runs(command), childLayers(definition(name), undefined, options)).verdict;
      assert.deepEqual(['ls -a | wc -l', 'git log --oneline', 'ls > a', 'make', 'ls && rm a', 'ls $x', 'git log --output=a'].map(verdict), ['allow', 'allow', 'ask', 'ask', 'ask', 'ask', 'ask']);
    }
  });

  it('let Explore run nothing that the rules keep back', () => {
    assert.equal(judge(runs('ls'), childLayers(definition('Explore'), undefined, {})).verdict, 'ask');
    assert.equal(judge(runs('ls'), childLayers(definition('Explore'), undefined, { user: { allow: ['*'], deny: ['Bash(ls:*)'] } })).verdict, 'deny');
  });

  it('leave the commands of any other child to the rules', () => {
    assert.equal(judge(runs('make'), childLayers(definition('Explorer'), undefined, options)).verdict, 'allow');
    assert.equal(judge(edits('a'), childLayers(definition('Explore'), undefined, options)).verdict, 'allow');
  });

  it('deny a child that only reads every other command, by its own definition or by today’s', () => {
    const reader = definition('reader', { readOnly: true });
    const writer = definition('reader');
    const verdicts = (layers: ReturnType<typeof childLayers>): readonly string[] => ['ls', 'ls > a', 'make'].map((command) => judge(runs(command), layers).verdict);
    for (const [before, today] of [[reader, undefined], [reader, writer], [writer, reader]] as const) assert.deepEqual(verdicts(childLayers(before, today, options)), ['allow', 'deny', 'deny']);
    assert.deepEqual(verdicts(childLayers(writer, writer, options)), ['allow', 'allow', 'allow']);
    assert.deepEqual(verdicts(childLayers(definition('Explore', { readOnly: true }), undefined, options)), ['allow', 'deny', 'deny']);
  });

  it('hold from both the definition that it started with and today’s', () => {
    const lists = childLayers(withPermission({ deny: ['Bash'] }), withPermission({ ask: ['Read'] }), {}).map((layer) => layer.lists);
    assert.deepEqual(lists.slice(1), [{ deny: ['Bash'] }, { ask: ['Read'] }]);
  });

  it('never ask where either of the two says so', () => {
    const silent = withPermission({ onAsk: 'deny' });
    const asking = withPermission({});
    assert.ok(childLayers(silent, asking, {}).some(({ onAsk }) => onAsk === 'deny'));
    assert.ok(childLayers(asking, silent, {}).some(({ onAsk }) => onAsk === 'deny'));
    assert.ok(!childLayers(asking, asking, {}).some(({ onAsk }) => onAsk === 'deny'));
  });
});
