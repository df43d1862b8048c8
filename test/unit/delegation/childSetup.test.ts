import assert from 'node:assert/strict';
import { childLayers } from '../../../src/runtime/delegation/childSetup.ts';
import { judge } from '../../../src/runtime/permissions/judge.ts';
import { edits, runs } from '../../support/permissionsSubjects.ts';
import { definition } from './fixture.ts';

describe('the permissions of a child', () => {
  const options = { user: { allow: ['*'] } };

  it('let Explore run without asking only what is known to read', () => {
    for (const name of ['Explore', 'EXPLORE']) {
      const verdict = (command: string): string => judge(runs(command), childLayers(definition(name), options)).verdict;
      assert.deepEqual(['ls -a | wc -l', 'git log --oneline', 'ls > a', 'make', 'ls && rm a', 'ls $x', 'git log --output=a'].map(verdict), ['allow', 'allow', 'ask', 'ask', 'ask', 'ask', 'ask']);
    }
  });

  it('let Explore run nothing that the rules keep back', () => {
    assert.equal(judge(runs('ls'), childLayers(definition('Explore'), {})).verdict, 'ask');
    assert.equal(judge(runs('ls'), childLayers(definition('Explore'), { user: { allow: ['*'], deny: ['Bash(ls:*)'] } })).verdict, 'deny');
  });

  it('leave the commands of any other child to the rules', () => {
    assert.equal(judge(runs('make'), childLayers(definition('Explorer'), options)).verdict, 'allow');
    assert.equal(judge(edits('a'), childLayers(definition('Explore'), options)).verdict, 'allow');
  });
});
