import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isAbort } from '../../../src/runtime/base/abort.ts';
import { AppError, isAppError } from '../../../src/runtime/base/errors.ts';
import { textOf } from '../../../src/runtime/domain/messages.ts';
import type { AskUser, UserAnswer } from '../../../src/runtime/domain/services.ts';
import type { ToolResult } from '../../../src/runtime/domain/tools.ts';
import { askUserTool } from '../../../src/runtime/tools/askUser.ts';
import { validateInput } from '../../../src/runtime/tools/schema.ts';
import { execute, toolContext } from '../../support/toolContext.ts';

const agent = { kind: 'child', sessionId: 's', groupId: 'g', agentId: 'a', displayName: 'Asker' } as const;

function run(askUser: AskUser | undefined, input: object = { question: 'Which one?' }, signal = new AbortController().signal): Promise<ToolResult> {
  return execute(askUserTool, input, toolContext('/nowhere', { agent, callId: 'c1', signal, services: { ...(askUser && { askUser }) } }));
}

describe('AskUser', () => {
  it('hands over the question as it was asked, with who asks, and gives the answer word for word', async () => {
    const calls: unknown[] = [];
    const input = { question: 'Which one?', options: [{ label: 'red', description: 'warm' }, { label: 'blue' }], multiple: true };
    const { content, isError } = await run(async (...[question, from]) => {
      calls.push(question, from);
      return { kind: 'answered', text: 'red\nblue' };
    }, input);
    assert.deepEqual(calls, [input, { agent, callId: 'c1' }]);
    assert.deepEqual([textOf(content), isError], ['red\nblue', undefined]);
  });

  it('says that there is no answer, why, and what to do then', async () => {
    const silent = await run(async () => ({ kind: 'declined' }));
    assert.equal(silent.isError, true);
    assert.match(textOf(silent.content), /gave no answer.*decide yourself/);
    assert.match(textOf((await run(async () => ({ kind: 'declined', message: 'not my call' }))).content), /"not my call".*decide yourself/);
  });

  it('says the same where nobody is there, be it told by the host or by the lack of a service', async () => {
    const isTold = (error: unknown): boolean => isAppError(error, 'unavailable') && /Nobody is there to answer: decide yourself, or say in your answer what is open/.test(error.message);
    const gone: AskUser = () => {
      throw new AppError('unavailable', 'Gone for lunch.');
    };
    for (const askUser of [gone, undefined]) await assert.rejects(run(askUser), isTold);
  });

  it('hands on what else went wrong, and takes nothing for an answer that is none', async () => {
    await assert.rejects(run(async () => { throw new AppError('conflict', 'One at a time.'); }), (error) => isAppError(error, 'conflict'));
    for (const answer of [undefined, 'yes', {}, { kind: 'answered' }, { kind: 'answered', text: 3 }, { kind: 'maybe' }]) {
      await assert.rejects(run(async () => answer as unknown as UserAnswer), (error) => isAppError(error, 'internal'));
    }
  });

  it('waits no longer than its run, whatever the host does', async () => {
    const stopped = new AbortController();
    const answer = run(() => new Promise(() => undefined), undefined, stopped.signal);
    stopped.abort();
    await assert.rejects(answer, isAbort);
  });

  it('puts no question that cannot be answered', async () => {
    const never: AskUser = () => assert.fail('it was put');
    const unanswerable = [{ question: '  ' }, { question: '\u200b\u202e' }, ...[['a', ' a'], [' ', 'a'], ['\u200b', 'a'], ['Yes', 'Yes\u200b'], ['Yes', 'Y\u200des\ufe0f'], ['Yes no', 'Yes\u00a0no \u3164'], ['caf\u00e9', 'cafe\u0301']].map((labels) => ({ question: 'Which?', options: labels.map((label) => ({ label })) }))];
    for (const input of unanswerable) await assert.rejects(run(never, input), (error) => isAppError(error, 'invalid_input'), JSON.stringify(input));
    const many = Array.from({ length: 21 }, (_, index) => ({ label: `${index}` }));
    for (const input of [{}, { question: '' }, { question: 'x'.repeat(5000) }, { question: 'Which?', options: many }, { question: 'Which?', options: ['a'] }, { question: 'Which?', options: [{ label: 'x'.repeat(201) }] }, { question: 'Which?', extra: 1 }]) {
      assert.equal((await validateInput(askUserTool.inputSchema, JSON.stringify(input))).ok, false, JSON.stringify(input).slice(0, 80));
    }
  });
});
