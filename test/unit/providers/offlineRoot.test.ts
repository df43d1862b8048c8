import assert from 'node:assert/strict';
import { textMessage } from '../../../src/runtime/domain/messages.ts';
import type { TaskInput } from '../../../src/runtime/domain/liteAgent.ts';
import { displayName, parseTasks } from '../../../src/runtime/providers/offline/tasks.ts';
import { DEMO_NOTE } from '../../../src/runtime/providers/offline/step.ts';
import { answered, play, stepOf, type Answer } from './conversation.ts';

const PLACEHOLDER = 'Started group bg_abc123 with 2 children. agent-explore-x, agent-explore-y';
const root = (prompt: string, answer: Answer = PLACEHOLDER) => play(prompt, ['Agent', 'TaskList'], () => answer);
const notes = (text: string): number => text.split(DEMO_NOTE).length - 1;

describe('offline root: tasks', () => {
  const table: [prompt: string, tasks: Partial<TaskInput>[]][] = [
    ['Where is the parser?', [{ subagent_type: 'Explore', prompt: 'Where is the parser?', display_name: 'Where is the parser' }]],
    ['@code-reviewer look at src/a.ts', [{ subagent_type: 'code-reviewer', prompt: 'look at src/a.ts' }]],
    ['Do:\n- first thing\n* second thing\n3. third thing\n4) fourth thing\nThanks!', [{ prompt: 'first thing', display_name: 'First thing' }, { prompt: 'second thing' }, { prompt: 'third thing' }, { prompt: 'fourth thing' }]],
    ['- @Explore: where is foo?\r\n- @bug-hunter why\r\n', [{ subagent_type: 'Explore', prompt: 'where is foo?' }, { subagent_type: 'bug-hunter', prompt: 'why' }]],
    ['-no blank\n---\n*emphasis* here\n1.5 apples', [{ prompt: 'no blank' }]],
    ['- outer\n  - inner one\n  more\n\n- next', [{ prompt: 'outer\n- inner one\nmore' }, { prompt: 'next' }]],
    ['  - a task\n  - b task', [{ prompt: 'a task' }, { prompt: 'b task' }]],
    ['- [ ] open one\n- [x] done one\n-\n- ', [{ prompt: 'open one' }, { prompt: 'done one' }]],
    ['```diff\n- removed\n```\nexplain', [{ subagent_type: 'Explore' }]],
    ['- @Explore', [{ subagent_type: 'Explore', display_name: 'Explore', prompt: 'Give an overview of this workspace.' }]],
    ['- 检查 数据\n- ñandú 🦤', [{ prompt: '检查 数据' }, { prompt: 'ñandú 🦤', display_name: 'Ñandú 🦤' }]],
    ['- a@b.c writes mail', [{ prompt: 'a@b.c writes mail' }]],
  ];
  for (const [prompt, wanted] of table) {
    it(`reads ${JSON.stringify(prompt)}`, async () => {
      const tasks = parseTasks(prompt);
      assert.equal(tasks.length, wanted.length);
      wanted.forEach((task, index) => assert.deepEqual({ ...tasks[index], ...task }, tasks[index]));
      const { turns } = await root(prompt);
      assert.deepEqual(turns, [[{ name: 'Agent', input: { tasks } }]]);
    });
  }

  it('makes the calls of a message that is nothing else itself, and looks for the tool first where it waits to be found', async () => {
    const input = { schedule: '* * * * *', prompt: 'help' };
    const order = `call CronCreate ${JSON.stringify(input)}`;
    const look = { name: 'FindTool', input: { query: 'select:CronCreate' } };
    const begun = textMessage(order);
    assert.deepEqual(await stepOf([begun], ['Agent', 'FindTool']), [look]);
    const found = answered([begun], look, '- CronCreate');
    const { calls, text } = await play(found, ['Agent', 'FindTool', 'CronCreate'], () => 'Scheduled.');
    assert.deepEqual(calls, [{ name: 'CronCreate', input }]);
    assert.match(text, /Called: `CronCreate`[^]*Scheduled\./);
    for (const other of [`- ${order}`, `Please\n${order}`, 'run ls']) assert.deepEqual((await root(other)).calls.map(({ name }) => name), ['Agent'], other);
  });

  it('leaves the type out where a line names none', () => {
    assert.equal('subagent_type' in parseTasks('- x')[0]!, false);
  });

  it('makes short names', () => {
    const names: Record<string, string> = {
      'write docs/notes.md: some text': 'Write notes.md',
      'run npm test -- --watch=false now': 'Run npm test',
      'call mcp__a__b {"x": 1}': 'Call mcp__a__b',
      'sleep 10': 'Sleep 10 s',
      'fail': 'Fail on request',
      'ask Which colour?': 'Ask Which colour',
      'fooBar in src/a.ts': 'fooBar in src/a.ts',
      '`useState` and "quotes", please.': 'useState and quotes, please',
      'find every place where the configuration is read': 'Find every place where',
      '\u202e\u0007': '',
    };
    for (const [prompt, name] of Object.entries(names)) assert.equal(displayName(prompt), name);
    assert.ok(Array.from(displayName('x'.repeat(500))).length <= 40);
    assert.equal(parseTasks('- \u200b.')[0]!.display_name, 'Task 1');
  });

  it('takes a prompt of 200 KB', async () => {
    const long = 'lorem ipsum '.repeat(17_000);
    const { calls } = await root(long);
    assert.equal((calls[0]?.input['tasks'] as TaskInput[])[0]?.prompt, long.trim());
    assert.equal(parseTasks(`- ${long}\n- b`).length, 2);
  });
});

describe('offline root: answers', () => {
  it('explains itself to a greeting, and starts nothing', async () => {
    for (const prompt of ['', '  ', 'Hi!', 'help', '/help', '?', 'What can you do?', 'Hello there 👋'.replace(' 👋', '')]) {
      const { calls, text, end } = await root(prompt);
      assert.deepEqual(calls, []);
      assert.match(text, /@name/);
      assert.equal(notes(text), 1);
      assert.deepEqual(end, { type: 'end', stop: 'stop' });
    }
  });

  it('says that the group runs, and claims no results', async () => {
    const { text } = await root('- a\n- b');
    assert.doesNotMatch(text, /bg_/);
    assert.match(text, /\*\*A\*\*, \*\*B\*\*|\*\*a\*\*, \*\*b\*\*/i);
    assert.match(text, /come together when all have ended/);
    assert.equal(notes(text), 1);
  });

  it('says plainly that nothing was started', async () => {
    for (const error of ['There is no "nobody".', 'Nothing was started. 1 problem:\n- There is no "nobody".']) {
      const { text } = await root('- @nobody x', { error });
      assert.equal(text.match(/Nothing was started/g)?.length, 1);
      assert.match(text, /There is no "nobody"/);
    }
  });

  const completion = (status: string, body: string): string => `<background-task-completed id="bg_1" label="Subagent group: A, B" status="${status}">\n${body}\n</background-task-completed>`;

  it('sums up a completion, and says the note once in a conversation', async () => {
    const first = await root('- a\n- b');
    const body = '## A (agentId: agent-explore-x; status: completed)\n2 matching lines.\n\n**Findings**\n- src/a.ts:12 — export const a\n- src/b.ts:3 — b\n- src/c.ts:4 — c\n\n## B (agentId: agent-x-y; status: failed)\nError: Subagent reached max turns';
    const { text, calls } = await play([...first.messages, textMessage(completion('partial', body), 'completion')], ['Agent']);
    assert.deepEqual(calls, []);
    assert.match(text, /1 of 2 subagents completed/);
    assert.match(text, /\*\*A\*\*: completed\n {2}- 2 matching lines\.\n {2}- src\/a\.ts:12/);
    assert.match(text, /\*\*B\*\*: failed\n {2}- Error: Subagent reached max turns/);
    assert.match(text, /panel/);
    assert.equal(notes(text), 0);
  });

  it('takes a completion without text, without children, or with odd names', async () => {
    for (const message of ['', completion('failed', ''), completion('completed', '## x) (y (agentId: agent-x-1; status: completed)\n'), completion('completed', '## A (agentId: a; status: completed)\n# Big\n> quote')]) {
      const { text } = await play([textMessage(message, 'completion')], ['Agent']);
      assert.ok(text.length > 0);
      assert.doesNotMatch(text, /^#|- #/m);
    }
  });

  it('delegates again in the next turn, with new ids', async () => {
    const first = await root('- a');
    const { messages, turns } = await play([...first.messages, textMessage('- b')], ['Agent'], () => 'Started bg_2');
    assert.equal(turns.length, 1);
    assert.equal(messages.filter(({ role }) => role === 'tool').length, 2);
  });
});
