import assert from 'node:assert/strict';
import { textMessage, type Message } from '../../../src/runtime/domain/messages.ts';
import { createOfflineProvider } from '../../../src/runtime/providers/offline/client.ts';
import { parseDirective } from '../../../src/runtime/providers/offline/directives.ts';
import { DEMO_NOTE } from '../../../src/runtime/providers/offline/step.ts';
import { collect } from '../../contracts/providerContract.ts';
import { answered, play, stepOf, toolsNamed, type Answer, type Call } from './conversation.ts';

const ALL = ['Read', 'Write', 'Edit', 'Grep', 'Glob', 'Bash', 'AskUser'];

describe('offline child: directives', () => {
  it('reads them at the start of a line only', () => {
    assert.deepEqual(parseDirective('write a.txt: hello: you'), { kind: 'write', file: 'a.txt', text: 'hello: you' });
    assert.deepEqual(parseDirective('- Write "my file.md": x'), { kind: 'write', file: 'my file.md', text: 'x' });
    assert.deepEqual(parseDirective('write C:\\dir\\a.txt: x'), { kind: 'write', file: 'C:\\dir\\a.txt', text: 'x' });
    assert.deepEqual(parseDirective('write a.txt:x'), { kind: 'write', file: 'a.txt', text: 'x' });
    assert.deepEqual(parseDirective('write a.txt:'), { kind: 'write', file: 'a.txt', text: '' });
    assert.deepEqual(parseDirective('run `npm test`'), { kind: 'run', command: 'npm test' });
    assert.deepEqual(parseDirective('1. sleep 2.5 s'), { kind: 'sleep', seconds: 2.5 });
    assert.deepEqual(parseDirective('sleep 99999999999'), { kind: 'sleep', seconds: 86_400 });
    assert.deepEqual(parseDirective('ask Which one?'), { kind: 'ask', input: { question: 'Which one?' } });
    assert.deepEqual(parseDirective('- ask Which one? [red | dark blue]'), { kind: 'ask', input: { question: 'Which one?', options: [{ label: 'red' }, { label: 'dark blue' }] } });
    assert.deepEqual(parseDirective('ask Which? [Any of: a|b| ]'), { kind: 'ask', input: { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiple: true } });
    for (const question of ['What is a[0]?', 'Which? [one]', 'Which? [one |]', '[a | b]']) assert.deepEqual(parseDirective(`ask ${question}`), { kind: 'ask', input: { question } });
    assert.deepEqual(parseDirective('- call mcp__a__echo {"message": "hi {there}"}'), { kind: 'call', tool: 'mcp__a__echo', input: { message: 'hi {there}' } });
    assert.deepEqual(parseDirective('- call mcp__my-server__echo {"message": "a } b", "n": {"m": 1}}'), { kind: 'call', tool: 'mcp__my-server__echo', input: { message: 'a } b', n: { m: 1 } } });
    assert.deepEqual(parseDirective('fail'), { kind: 'fail', reason: 'the prompt said so' });
    for (const line of ['please run ls', 'run the tests', 'write unit tests for a.ts: all', 'failing tests', 'fail the build', 'sleep well', 'ask', 'run', 'call me', 'call echo', 'call echo {a}', 'call `echo` [1]', 'call echo {broken}', 'call me [1]', 'call me {"a": 1} later', 'write https://x.y: z']) {
      assert.equal(parseDirective(line), undefined, line);
    }
  });

  it('reads a file before it writes over it, and goes on where there is none', async () => {
    for (const existing of ['1\told', { error: 'not_found: there is no such file' }]) {
      const { turns, text } = await play('write notes.md: héllo — 世界', ALL, ({ name }): Answer => (name === 'Read' ? existing : 'Wrote it.'));
      assert.deepEqual(turns, [[{ name: 'Read', input: { file_path: 'notes.md' } }], [{ name: 'Write', input: { file_path: 'notes.md', content: 'héllo — 世界' } }]]);
      assert.match(text, /Wrote `notes\.md`/);
      assert.equal(text.split(DEMO_NOTE).length, 2);
    }
  });

  it('does not write after a refused read, and reports a refused write', async () => {
    const read = await play('write a.md: x', ALL, () => ({ error: 'The user denied this call.' }));
    assert.deepEqual(read.calls.map(({ name }) => name), ['Read']);
    assert.match(read.text, /Not written.*denied/);
    const write = await play('write a.md: x', ALL, ({ name }): Answer => (name === 'Read' ? '' : { error: 'Denied: not today.' }));
    assert.match(write.text, /Not written.*not today/);
    assert.deepEqual(write.end, { type: 'end', stop: 'stop' });
  });

  it('does nothing anew where only another form of its answer is wanted', async () => {
    const first = await play('write a.md: x', ALL, () => '');
    const again = await play([...first.messages, textMessage('Give the whole answer again as JSON.', 'repair')], ALL);
    assert.deepEqual([again.calls, again.text], [[], first.text]);
  });

  it('makes a refused call again when it is allowed, be it told while it works or afterwards, and goes on with the rest', async () => {
    const words = (command: string): string => `A person has looked at a call of yours that was refused, and allows it once: Bash, ${command}. Make that call again with exactly the same input; any other input is judged anew.`;
    const called = (id: string, command: string, denied: boolean): Message[] => [
      { role: 'assistant', stop: 'tool_calls', content: [{ type: 'tool_call', id, name: 'Bash', arguments: JSON.stringify({ command }) }] },
      { role: 'tool', results: [{ callId: id, name: 'Bash', isError: denied, ...(denied && { isDenied: true }), content: [{ type: 'text', text: denied ? 'Denied.' : 'fine' }] }] },
    ];
    const begun = [textMessage('run echo a\nrun echo b\nrun echo c'), ...called('1', 'echo a', true), ...called('2', 'echo b', true)];
    const during = await play([...begun, textMessage(words('echo a'), 'steering')], ALL, ({ input }) => `said ${String(input['command'])}`);
    assert.deepEqual(during.calls.map(({ input }) => input['command']), ['echo a', 'echo c']);
    assert.match(during.text, /Ran: `echo a`\n[^]*said echo a[^]*refused: `echo b`[^]*Ran: `echo c`/);

    const ended: Message = { role: 'assistant', stop: 'stop', content: [{ type: 'text', text: 'Handled.' }] };
    const afterwards = await play([...begun, ...called('3', 'echo c', false), ended, textMessage(words('echo b'))], ALL, () => 'now');
    assert.deepEqual(afterwards.calls.map(({ input }) => input['command']), ['echo b']);
    assert.match(afterwards.text, /refused: `echo a`[^]*Ran: `echo b`[^]*now[^]*Ran: `echo c`/);
  });

  it('calls any tool that it has by its name, with what the line says', async () => {
    const prompt = 'call sum {"a": -0, "b": [2]}\ncall sum {"a": 1, "b": [3]}\ncall missing {}\ncall ping {}';
    const { calls, text } = await play(prompt, ['sum', 'ping'], ({ name, input }): Answer => (name === 'ping' ? { error: 'Denied.' } : `total ${JSON.stringify(input)}`));
    assert.deepEqual(calls, [{ name: 'sum', input: { a: 0, b: [2] } }, { name: 'sum', input: { a: 1, b: [3] } }, { name: 'ping', input: {} }]);
    assert.match(text, /Called: `sum`\n[^]*total \{"a":0,"b":\[2\]\}[^]*total \{"a":1,"b":\[3\]\}[^]*Not called: `missing`[^]*refused: `ping`/);
  });

  it('runs several in order, each once, and reports them all', async () => {
    const prompt = 'sleep 0.01\nwrite a.txt: 1\nsleep 0.01\nrun echo hi\nwrite a.txt: 2\nask Go on?\nsleep 0.01';
    const { calls, text } = await play(prompt, ALL, ({ name, input }): Answer => (name === 'Bash' ? 'hi\nthere' : name === 'AskUser' ? 'Yes' : `ok ${JSON.stringify(input)}`));
    assert.deepEqual(calls.map(({ name }) => name), ['Read', 'Write', 'Bash', 'Read', 'Write', 'AskUser']);
    assert.deepEqual(calls[2]?.input, { command: 'echo hi' });
    assert.deepEqual(calls[5]?.input, { question: 'Go on?' });
    assert.match(text, /7 instructions[\s\S]*Ran: `echo hi`\n\s+```text\n\s+hi\n\s+there[\s\S]*Answer: Yes/);
  });

  it('calls any tool by its name, once for each line', async () => {
    const tool = 'mcp__s__add';
    const { calls, text } = await play(`call ${tool} {"a": 1, "b": {"c": 2}}\ncall ${tool} {"a": 1}\ncall ${tool} {}\ncall other {}`, [tool], ({ input }): Answer => (Object.keys(input).length === 0 ? { error: 'Nothing to add.' } : `sum of ${JSON.stringify(input)}`));
    assert.deepEqual(calls, [{ a: 1, b: { c: 2 } }, { a: 1 }, {}].map((input) => ({ name: tool, input })));
    assert.match(text, /Called: `mcp__s__add`\n\s+```text\n\s+sum of \{"a":1,"b"[^]*sum of \{"a":1\}[^]*refused: `mcp__s__add`[^]*Nothing to add[^]*Not called: `other`/);
  });

  it('looks for the tool that asks where it waits to be found, once, and says so where there is none', async () => {
    const input = { question: 'Red or blue?' };
    const look = { name: 'FindTool', input: { query: 'select:AskUser' } };
    const begun = textMessage('ask Red or blue?\nask And now?');
    const first = await stepOf([begun], ['FindTool']);
    assert.deepEqual(first, [look]);
    const found = answered([begun], look, 'AskUser can be called from your next turn on.');
    assert.deepEqual(await stepOf(found, ['FindTool', 'AskUser']), [{ name: 'AskUser', input }]);
    const asked = answered(found, { name: 'AskUser', input }, 'blue');
    const { calls, text } = await play(asked, ['FindTool', 'AskUser'], () => 'no more');
    assert.deepEqual(calls, [{ name: 'AskUser', input: { question: 'And now?' } }]);
    assert.match(text, /“Red or blue\?” Answer: blue[^]*“And now\?” Answer: no more/);

    const without = await play('ask Red or blue?', ['FindTool'], () => 'None of that name waits.');
    assert.deepEqual(without.calls, [look]);
    assert.match(without.text, /Not asked: “Red or blue\?”/);
  });

  it('looks for any tool that waits to be found before it calls it', async () => {
    const begun = textMessage('call WebFetch {"url": "https://example.org/"}');
    const look = { name: 'FindTool', input: { query: 'select:WebFetch' } };
    assert.deepEqual(await stepOf([begun], ['FindTool']), [look]);
    const found = answered([begun], look, '- WebFetch');
    assert.deepEqual(await stepOf(found, ['FindTool', 'WebFetch']), [{ name: 'WebFetch', input: { url: 'https://example.org/' } }]);
    const { calls, text } = await play(found, ['FindTool'], () => 'not called');
    assert.deepEqual([calls, /Not called: `WebFetch`/.test(text)], [[], true]);
  });

  it('cuts long lines between words, and counts the lines that it leaves out', async () => {
    const sentence = `${'word '.repeat(36)}subagents.webFetch.allowPrivateHosts here`;
    const { text } = await play('run a\nrun b', ['Bash'], ({ input }): Answer => (input['command'] === 'a' ? sentence : Array.from({ length: 21 }, (_, line) => `${line}`).join('\n')));
    assert.match(text, /word word…\n/);
    assert.match(text, /… 1 more line\n/);
  });

  it('says what it has no tool for', async () => {
    const { calls, text } = await play('write a.txt: 1\nrun ls\nask Really?', ['Read']);
    assert.deepEqual(calls, []);
    assert.match(text, /Not written[\s\S]*Not run[\s\S]*Not asked/);
  });

  it('fails after what came before, as data', async () => {
    const { calls, end } = await play('run ls\nfail: on purpose\nrun never', ALL, () => 'out');
    assert.deepEqual(calls.map(({ input }) => input['command']), ['ls']);
    assert.ok(end?.type === 'end' && end.stop === 'error' && end.error?.failure === 'error' && end.error.message.includes('on purpose'));
  });

  it('wakes from sleep when aborted, leaving nothing behind', async () => {
    const controller = new AbortController();
    const started = Date.now();
    setTimeout(() => controller.abort(), 20);
    const events = await collect(createOfflineProvider().stream({ model: 'm', system: '', messages: [textMessage('sleep 60')], tools: [], signal: controller.signal }));
    assert.deepEqual(events, [{ type: 'end', stop: 'aborted' }]);
    assert.ok(Date.now() - started < 2000);
  });

  it('takes a later message as its new prompt', async () => {
    const first = await play('run one', ALL, () => 'out');
    const second = await play([...first.messages, textMessage('run two', 'steering')], ALL, () => 'out');
    assert.deepEqual(second.calls, [{ name: 'Bash', input: { command: 'two' } }]);
  });
});

describe('offline child: search', () => {
  const grep: Record<string, string> = {
    fooBar: 'src/use.ts:40:  fooBar();\nsrc/def.ts:7:export function fooBar(): void {\nsrc/def.ts:9:  return fooBar;\nC:\\x\\y.ts:3:fooBar',
    'a\\.b\\(c\\)\\*': 'No matches.',
  };
  const answer = ({ name, input }: Call): Answer => {
    if (name === 'Grep') return grep[String(input['pattern'])] ?? 'No matches found.';
    if (name === 'Read') return `${Number(input['offset'] ?? 1)}\tconst x = 1;\n7\texport function fooBar(): void {\n9\t  return fooBar;`;
    return name === 'Glob' ? (String(input['pattern']).endsWith('util.ts') ? 'src/util.ts\nlib/util.ts' : 'No files found.') : '';
  };

  it('searches all at once, reads the best places, and reports them with file and line', async () => {
    const { turns, text } = await play('Where is `fooBar` used, and "a.b(c)*"? See util.ts and src/def.ts.', ALL, answer);
    assert.deepEqual(turns[0], [
      { name: 'Grep', input: { pattern: 'fooBar', output_mode: 'content', head_limit: 20 } },
      { name: 'Grep', input: { pattern: 'a\\.b\\(c\\)\\*', output_mode: 'content', head_limit: 20 } },
      { name: 'Glob', input: { pattern: '**/util.ts' } },
      { name: 'Read', input: { file_path: 'src/def.ts', offset: 1, limit: 120 } },
    ]);
    assert.deepEqual(turns[1]?.map(({ name, input }) => `${name} ${String(input['file_path'] ?? input['pattern'])}`), ['Read C:\\x\\y.ts', 'Read src/use.ts', 'Read src/util.ts', 'Glob **/*a.b(c)?*']);
    assert.equal(turns.length, 2);
    assert.match(text, /- src\/def\.ts:7 — export function fooBar/);
    assert.match(text, /- src\/def\.ts:9 — return fooBar; \(below line 7/);
    assert.match(text, /- `a\.b\(c\)\*`: not found/);
    assert.match(text, /- `fooBar`: 4 lines in 3 files/);
    assert.ok(text.includes(DEMO_NOTE));
  });

  it('takes plain words where there are no names', async () => {
    const { turns } = await play('Please explain how the scheduler handles priorities', ALL, answer);
    assert.deepEqual(turns[0]?.map(({ input }) => [input['pattern'], input['case_insensitive']]), [['scheduler', true], ['handles', true], ['priorities', true]]);
  });

  it('finds names of many kinds', async () => {
    const { turns } = await play('snake_case, CamelCase, dotted.name, MAX_SIZE, run(), e.g. https://example.com/no_thing', ALL, answer);
    assert.deepEqual(turns[0]?.map(({ input }) => input['pattern']), ['snake_case', 'CamelCase', 'dotted\\.name', 'MAX_SIZE', 'run']);
  });

  it('is honest when it finds nothing', async () => {
    const { text } = await play('Find zzyzxQuux', ALL, answer);
    assert.match(text, /^No matches for 0 of 1 term/);
    assert.match(text, /`zzyzxQuux`: not found/);
    assert.doesNotMatch(text, /Findings/);
  });

  it('reports refused and failed calls', async () => {
    const { text } = await play('Find fooBar in src/def.ts', ALL, ({ name }) => ({ error: name === 'Grep' ? 'Denied by a rule.' : 'There is no such file.' }));
    assert.match(text, /Grep `fooBar` didn't work: Denied by a rule\./);
    assert.match(text, /Read `src\/def\.ts` didn't work: There is no such file\./);
    assert.match(text, /`fooBar`: the search failed/);
  });

  it('uses only the tools that it has', async () => {
    const none = await play('Find fooBar in src/def.ts', []);
    assert.deepEqual(none.calls, []);
    assert.match(none.text, /Grep isn't available[\s\S]*Read isn't available/);
    const reader = await play('Find fooBar in def.ts', ['Read'], answer);
    assert.deepEqual(reader.calls.map(({ name }) => name), ['Read']);
    const searcher = await play('Find fooBar', ['Grep'], answer);
    assert.deepEqual(searcher.calls.map(({ name }) => name), ['Grep']);
    assert.match(searcher.text, /src\/def\.ts:7/);
  });

  it('looks around when the prompt names nothing', async () => {
    for (const prompt of ['', '🙂', 'what is this?', '?!...', '\u202e']) {
      const { turns, text } = await play(prompt, ALL, ({ name }) => (name === 'Glob' ? 'README.md\npackage.json\nLICENSE\n(2 more files)' : '1\t# Title'));
      assert.deepEqual(turns.map((calls) => calls.map(({ name }) => name)), [['Glob'], ['Read']]);
      assert.match(text, /names nothing[\s\S]*- README\.md\n- package\.json\n- LICENSE\n\n[\s\S]*> # Title/);
    }
  });

  it('takes unicode, patterns and very long prompts', async () => {
    const prompts = ['Finde "größe" und «данные»', 'データ を 探す', '((((( [[[ \\ "(a+)+$"', `fooBar ${'x'.repeat(200_000)}`, '"'.repeat(200_000), 'a_'.repeat(100_000), `${'word '.repeat(40_000)}`, 'a.'.repeat(100_000), '\n'.repeat(200_000), ' '.repeat(200_000), '/'.repeat(200_000)];
    const started = Date.now();
    for (const prompt of prompts) {
      const { text } = await play(prompt, ALL, answer);
      assert.ok(text.length < 20_000);
    }
    assert.ok(Date.now() - started < 5000);
  });

  it('takes huge and odd tool output', async () => {
    const outputs = ['x'.repeat(500_000), ':1:\n::\n:', `${'a'.repeat(1000)}:1:x`, 'a.ts:1:\n'.repeat(5000), '\u0000\uFFFD', '1:2:3'];
    for (const output of outputs) {
      const { text } = await play('Find fooBar', ALL, () => output);
      assert.ok(text.length < 20_000);
    }
  });

  it('does none of what stands in a record that it is to sum up, and goes on with its task beside a summary', async () => {
    const record = await play([textMessage('Sum up this record:\nsleep 86400\nfail\nwrite a.txt: x', 'summary')], []);
    assert.ok(record.text.length > 0 && record.end?.type === 'end' && record.end.stop === 'stop');
    const { calls } = await play([textMessage('run `npm test`'), textMessage('Nothing was done.\nfail', 'summary'), { role: 'assistant', stop: 'paused', content: [{ type: 'text', text: 'Hm.' }] }], ALL);
    assert.deepEqual(calls[0]?.input['command'], 'npm test');
  });

  it('counts tokens by characters', async () => {
    const events = await collect(createOfflineProvider().stream({ model: 'm', system: 'x'.repeat(400), messages: [textMessage('y'.repeat(400))], tools: toolsNamed('Grep'), signal: new AbortController().signal }));
    const usage = events.find((event) => event.type === 'usage')?.usage;
    assert.ok(usage && usage.input >= 200 && usage.input < 250 && usage.output > 0 && usage.cacheRead === 0);
  });

  it('gives the same answer to the same request', async () => {
    const once = async (): Promise<unknown> => collect(createOfflineProvider().stream({ model: 'm', system: '', messages: [textMessage('Find fooBar')], tools: toolsNamed(...ALL), signal: new AbortController().signal }));
    assert.deepEqual(await once(), await once());
  });
});
