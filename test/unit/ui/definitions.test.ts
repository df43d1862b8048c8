import assert from 'node:assert/strict';
import { AppError } from '../../../src/runtime/base/errors.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import { approveDefinitions } from '../../../src/ui/authoring/approveDefinitions.ts';

const definition = (name: string, hash: string): AgentDefinition => ({ name, hash, description: '', prompt: '', tools: 'inherit', disallowedTools: [], delegable: true, source: 'project', path: `/w/.lite-agent/agents/${name}.md` });

describe('approving definitions of a project', () => {
  it('approves each as it was shown, and one that is another by now not at all', async () => {
    const present = new Map([['same', 'h1'], ['changed', 'h9'], ['broken', 'h3']]);
    const asked: string[] = [];
    const approve = async (name: string, hash: string): Promise<void> => {
      asked.push(`${name} ${hash}`);
      if (!present.has(name)) throw new AppError('not_found', 'gone');
      if (present.get(name) !== hash) throw new AppError('conflict', 'changed');
      if (name === 'broken') throw new AppError('internal', 'no disk');
    };
    const result = await approveDefinitions({ approve }, [definition('changed', 'h2'), definition('gone', 'h4'), definition('broken', 'h3'), definition('same', 'h1')]);
    assert.deepEqual(result, { approved: ['same'], changed: ['changed', 'gone'], failures: ['broken: no disk'] });
    assert.deepEqual(asked, ['changed h2', 'gone h4', 'broken h3', 'same h1']);
  });
});
