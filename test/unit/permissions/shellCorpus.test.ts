import assert from 'node:assert/strict';
import type { Verdict } from '../../../src/runtime/domain/permissions.ts';
import { judge } from '../../../src/runtime/permissions/judge.ts';
import { runs } from '../../support/permissionsSubjects.ts';
import { BROAD, CORPUS, DEVELOPER, NO_RULES } from './shellCorpus.ts';

const SIGNS: Readonly<Record<Verdict, string>> = { allow: '+', ask: '?', deny: '-' };

describe('a corpus of shell commands', () => {
  for (const [group, cases] of Object.entries(CORPUS)) {
    it(`${group}: each has its verdict without rules, for a developer's rules and for broad ones`, () => {
      const seen = cases.map(([command]) => {
        const call = runs(command);
        return [shown(command), [NO_RULES, DEVELOPER, BROAD].map((lists) => SIGNS[judge(call, [{ name: 'user', lists }]).verdict]).join('')];
      });
      assert.deepEqual(seen, cases.map(([command, verdicts]) => [shown(command), verdicts]));
    });
  }

  it('holds at least 150 commands, none of them twice', () => {
    const commands = Object.values(CORPUS).flatMap((cases) => cases.map(([command]) => command));
    assert.ok(commands.length >= 150);
    assert.equal(new Set(commands).size, commands.length);
  });
});

function shown(command: string): string {
  return command.length > 80 ? `${command.slice(0, 40)}… (${command.length})` : command;
}
