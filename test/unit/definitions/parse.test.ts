import assert from 'node:assert/strict';
import { parseDefinition, type ParsedDefinition } from '../../../src/runtime/definitions/parse.ts';

const parse = (text: string, path = '/agents/some-agent.md'): Promise<ParsedDefinition> => parseDefinition({ path, text, source: 'project' });
const withFields = (...lines: string[]): string => ['---', 'description: Does things', ...lines, '---', 'Prompt.', ''].join('\n');
const codes = (parsed: ParsedDefinition): string[] => parsed.diagnostics.map(({ severity, code }) => `${severity}:${code}`);

const FILE = '---\nname: reviewer\ndescription: Reviews\ntools: Read, Grep\n---\nFirst line.\n\n---\n\nLast line.\n';

describe('definitions: text forms (case 36)', () => {
  const forms: Record<string, string> = {
    'LF': FILE,
    'BOM': `\uFEFF${FILE}`,
    'CRLF': FILE.replaceAll('\n', '\r\n'),
    'BOM and CRLF': `\uFEFF${FILE.replaceAll('\n', '\r\n')}`,
    'lone CR': FILE.replaceAll('\n', '\r'),
    'no final newline': FILE.trimEnd(),
    'blanks behind the fences': FILE.replaceAll('---\n', '---  \n'),
    'language tag yaml': FILE.replace('---', '---yaml'),
  };
  for (const [form, text] of Object.entries(forms)) {
    it(`reads the same agent from ${form}`, async () => {
      const { definition, diagnostics } = await parse(text);
      assert.deepEqual(diagnostics, []);
      assert.equal(definition?.name, 'reviewer');
      assert.deepEqual(definition.tools, ['Read', 'Grep']);
      assert.match(definition.prompt, /^First line\.\n\n---\s*\n\nLast line\.$/);
      assert.equal(definition.source, 'project');
      assert.equal(definition.path, '/agents/some-agent.md');
    });
  }

  it('takes the name from the file', async () => {
    assert.equal((await parse(withFields())).definition?.name, 'some-agent');
    assert.equal((await parse(withFields(), '/a/Ünï côde.MD')).definition?.name, 'Ünï côde');
    assert.equal((await parse(withFields('name: "  Odd\\n  Näme \\u202e "'))).definition?.name, 'Odd Näme');
  });

  it('loads an empty body and says so', async () => {
    const parsed = await parse('---\ndescription: x\n---');
    assert.equal(parsed.definition?.prompt, '');
    assert.deepEqual(codes(parsed), ['information:no_prompt']);
  });

  const broken: Record<string, [text: string, code: string, line: number]> = {
    'an empty file': ['', 'no_frontmatter', 1],
    'a file without frontmatter': ['# Read me\n', 'no_frontmatter', 1],
    'four dashes': ['----\ndescription: x\n----\n', 'no_frontmatter', 1],
    'no closing fence': ['---\ndescription: x\n', 'unclosed', 1],
    'a closing fence with text': ['---\ndescription: x\n---y\n---\n', 'unclosed', 3],
    'a list as frontmatter': ['---\n- a\n---\n', 'yaml', 2],
    'tabs as indentation': ['---\ndescription: x\ntools:\n\t- Read\n---\n', 'yaml', 4],
    'an unquoted colon': ['---\ndescription: Use: when needed\n---\n', 'yaml', 2],
    'a field twice': ['---\ndescription: x\ndescription: y\n---\n', 'yaml', 3],
    'an endless block': [`---\n${'\n'.repeat(200_000)}\n---\n`, 'too_long', 1],
    'an alias to itself': ['---\ndescription: x\ntools: &a [*a]\n---\n', 'frontmatter', 1],
    'only comments': ['---\n# nothing\n---\nbody', 'no_description', 1],
  };
  for (const [what, [text, code, line]] of Object.entries(broken)) {
    it(`reports ${what} the same way every time`, async () => {
      const first = await parse(text);
      assert.equal(first.definition, undefined);
      const error = first.diagnostics.find((diagnostic) => diagnostic.severity === 'error');
      assert.equal(error?.code, code);
      assert.equal(error.line, line);
      assert.ok(error.column >= 1);
      assert.deepEqual(await parse(text), first);
    });
  }

  it('bounds what aliases can unfold to', async () => {
    const lines = ['a: &a [x,x,x,x,x,x,x,x,x,x]', ...['b', 'c', 'd', 'e', 'f'].map((key, i) => `${key}: &${key} [${Array(10).fill(`*${'abcde'[i]}`).join(',')}]`)];
    assert.deepEqual(codes(await parse(withFields(...lines))), ['error:frontmatter']);
  });

  for (const tag of ['js', 'javascript', 'json', 'coffee', 'toml', 'constructor', '__proto__']) {
    it(`runs nothing in frontmatter tagged ${tag}`, async () => {
      const text = `---${tag}\n{ description: (globalThis.definitionRan = true, "x") }\n---\nbody`;
      const first = await parse(text);
      assert.deepEqual(codes(first), ['error:language']);
      assert.deepEqual(await parse(text), first);
      assert.equal('definitionRan' in globalThis, false);
    });
  }

  it('treats tags inside YAML as data', async () => {
    const parsed = await parse(withFields('model: !!js/function "function () { globalThis.definitionRan = true }"'));
    assert.equal('definitionRan' in globalThis, false);
    assert.equal(parsed.diagnostics[0]?.severity, 'warning');
  });
});

describe('definitions: fields', () => {
  it('reads them all', async () => {
    const { definition, diagnostics } = await parse(withFields('name: All', 'tools: [Read, bash]', 'disallowedTools: Write', 'model: some-model', 'maxTurns: 7', 'effort: high', 'maxDuration: 15m',
      'permission:', '  allow: ["Bash(git log:*)"]', '  ask: Edit, Bash(a, b)', '  deny: []', 'delegable: false',
      'mcpServers: [github]', 'skills: one, two', 'readOnly: true', 'resultSchema: {type: object}', 'color: Purple').replace('[Read, bash]', '[Read, bash, Skill, files/read]'));
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(definition, {
      name: 'All', description: 'Does things', prompt: 'Prompt.', tools: ['Read', 'Bash', 'Skill'], disallowedTools: ['Write'], model: 'some-model', maxTurns: 7, effort: 'high', maxDurationMs: 900_000,
      permission: { allow: ['Bash(git log:*)'], ask: ['Edit', 'Bash(a, b)'], deny: [] }, delegable: false, source: 'project', path: '/agents/some-agent.md',
      servers: [{ server: 'github', tools: 'all' }, { server: 'files', tools: ['read'] }], skills: ['one', 'two'], readOnly: true, resultSchema: { type: 'object' }, color: 'purple',
    });
  });

  it('has defaults', async () => {
    const { definition } = await parse(withFields('model:', 'name:', 'skills:', 'mcpServers:', 'color:', 'readOnly: false'));
    assert.deepEqual(definition, { name: 'some-agent', description: 'Does things', prompt: 'Prompt.', tools: 'inherit', disallowedTools: [], delegable: true, source: 'project', path: '/agents/some-agent.md' });
  });

  it('hides a definition that models may not invoke', async () => {
    assert.equal((await parse(withFields('disable-model-invocation: true'))).definition?.delegable, false);
    assert.equal((await parse(withFields('disable-model-invocation: true', 'delegable: true'))).definition?.delegable, false);
    assert.equal((await parse(withFields('disable-model-invocation: false'))).definition?.delegable, true);
  });

  const wrong = ['name: 7', 'model: {a: b}', 'model: [3]', 'maxTurns: "5"', 'maxTurns: 0', 'maxTurns: 1.5', 'delegable: "no"', 'disable-model-invocation: 1', 'tools: 3', 'tools:', 'tools: [Read, 3]', 'tools: {a: b}',
    'tools: [[Read]]', 'disallowedTools: true', 'permission: none', 'permission: {allow: 1}', 'permission: {deny:}', 'name: "\\u200b"',
    'effort: enormous', 'effort: 3', 'effort:', 'maxDuration: soon', 'maxDuration: 0', 'maxDuration: -5', 'maxDuration: 2d', 'maxDuration: 1h30m', 'maxDuration: 200h', 'maxDuration: .inf', 'maxDuration: [90]', 'infer: "no"', 'timeout_mins: many'];
  for (const line of wrong) {
    it(`refuses \`${line}\` with its place`, async () => {
      const parsed = await parse(withFields(line));
      assert.equal(parsed.definition, undefined);
      assert.equal(parsed.diagnostics[0]?.severity, 'error');
      assert.equal(parsed.diagnostics[0].line, 3);
      assert.ok(parsed.diagnostics[0].column > 1 || line.endsWith(':'));
    });
  }

  it('reads how long a run may take, in seconds or with a unit', async () => {
    const times: Record<string, number> = { '90': 90_000, '1.5': 1500, '90s': 90_000, '"15m"': 900_000, '2h': 7_200_000, '0.5h': 1_800_000, '10 M': 600_000, '168h': 604_800_000 };
    for (const [written, expected] of Object.entries(times)) {
      const { definition, diagnostics } = await parse(withFields(`maxDuration: ${written}`));
      assert.equal(definition?.maxDurationMs, expected, written);
      assert.deepEqual(diagnostics, []);
    }
  });

  it('asks for a name where the file\'s own is too long', async () => {
    const path = `/agents/${'x'.repeat(65)}.md`;
    assert.deepEqual(codes(await parse(withFields(), path)), ['error:name']);
    assert.equal((await parse(withFields('name: short'), path)).definition?.name, 'short');
  });

  it('needs a description', async () => {
    assert.deepEqual(codes(await parse('---\nname: x\n---\nbody')), ['error:no_description']);
    assert.deepEqual(codes(await parse('---\nname: x\ndescription:\n---\nbody')), ['error:no_description']);
    assert.deepEqual(codes(await parse('---\nname: x\ndescription: [a]\n---\nbody')), ['error:type']);
  });

  it('keeps going with fields that it does not know, and says where they are', async () => {
    const parsed = await parse(withFields('favourite: 1', 'appendPrompt: more', 'isolate: none'));
    assert.ok(parsed.definition);
    assert.deepEqual(codes(parsed), ['information:unknown_field', 'information:unknown_field', 'information:unknown_field']);
    assert.deepEqual(parsed.diagnostics.map(({ line, column }) => [line, column]), [[3, 1], [4, 1], [5, 1]]);
  });

  for (const line of ['readOnly: yes please', 'readOnly:', 'isolation: remote', 'permission: {onAsk: never}', 'permissionMode: plan', 'permissionMode: dontAsk', 'permissionMode: new', 'permission_mode: plan', 'allowedTools: Read', 'Tools: Read', 'permission: {denied: [Bash]}', 'permissions: {deny: [Bash]}', 'disallowedTools: [Bash(rm:*)]', 'disallowedTools: [Web*]',
    'disallowedTools: [mcp__files__delete_*]', 'disallowedTools: [files/delete_*]', 'read_only: true']) {
    it(`does not load with \`${line}\`, whose ignoring would widen rights`, async () => {
      const parsed = await parse(withFields(line));
      assert.equal(parsed.definition, undefined);
      assert.equal(parsed.diagnostics.filter(({ severity }) => severity === 'error').length, 1);
    });
  }

  it('reads whether children get a worktree of their own', async () => {
    assert.equal((await parse(withFields('isolation: worktree'))).definition?.isolation, 'worktree');
    for (const line of ['isolation: none', 'isolation: false', 'isolation:']) {
      const parsed = await parse(withFields(line));
      assert.deepEqual([parsed.definition?.isolation, codes(parsed)], [undefined, []]);
    }
    assert.deepEqual(codes(await parse(withFields('isolation: docker'))), ['error:type']);
  });

  it('is not fooled by names of object members', async () => {
    const parsed = await parse(withFields('constructor: 1', '__proto__: {tools: []}', 'hasOwnProperty: 2'));
    assert.equal(parsed.definition?.tools, 'inherit');
    assert.deepEqual(codes(parsed), Array<string>(3).fill('information:unknown_field'));
  });
});

describe('definitions: tools', () => {
  it('takes aliases and any case, once each', async () => {
    const { definition, diagnostics } = await parse(withFields('tools: [read_file, READ, write_file, str_replace, run_in_terminal, glob, search, web-fetch]'));
    assert.deepEqual(diagnostics.map(({ code, column }) => [code, column]), [9, 26, 38, 51, 74].map((column) => ['mapped', column]), 'another spelling of our own name is no mapping');
    assert.deepEqual(definition?.tools, ['Read', 'Write', 'Edit', 'Bash', 'Glob', 'Grep', 'WebFetch']);
  });

  it('warns of what it does not know, at its place, and grants nothing for it (case 42)', async () => {
    const parsed = await parse(withFields('tools:', '  - Read', '  - Teleport', '  - github/*', '  - mcp__files__search', '  - Agent', '  - Bash(git log:*)', '  - Read(src/**)', '  - mcp__*'));
    assert.deepEqual(parsed.definition?.tools, ['Read']);
    assert.deepEqual(parsed.definition.servers, [{ server: 'github', tools: 'all' }, { server: 'files', tools: ['search'] }]);
    assert.deepEqual(parsed.diagnostics.map(({ severity, code, line, column }) => [severity, code, line, column]), [5, 8, 9, 10, 11].map((line) => ['warning', 'unknown_tool', line, 5]));
  });

  it('refuses a list of which nothing is left, naming the entries (case 42)', async () => {
    for (const list of ['Teleport, Agent', 'Teleport, mcp__*', 'Teleport, files/read_*']) {
      const parsed = await parse(withFields(`tools: ${list}`));
      assert.equal(parsed.definition, undefined);
      const error = parsed.diagnostics.find(({ code }) => code === 'no_tools');
      assert.ok(error?.message.includes(list.split(', ').map((name) => `\`${name}\``).join(', ')), list);
    }
  });

  it('knows none from all', async () => {
    assert.deepEqual((await parse(withFields('tools: []'))).definition?.tools, []);
    const all = await parse(withFields("tools: '*'"));
    assert.equal(all.definition?.tools, 'inherit');
    assert.deepEqual(codes(all), ['information:tools_all']);
  });

  it('keeps unknown names that are taken away', async () => {
    const parsed = await parse(withFields('disallowedTools: shell, Teleport'));
    assert.deepEqual(parsed.definition?.disallowedTools, ['Bash', 'Teleport']);
    assert.deepEqual(codes(parsed), ['information:mapped', 'warning:unknown_tool']);
    const all = (await parse(withFields("disallowedTools: '*'"))).definition?.disallowedTools;
    assert.ok(all?.includes('Bash') && all.includes('mcp__*'));
  });
});

describe('definitions: floods', () => {
  it('reports the first fifty problems of a file, errors before all else', async () => {
    const fields = Array.from({ length: 300 }, (_, index) => `unknown${index}: 1`).join('\n');
    const { diagnostics, definition } = await parse(`---\n${fields}\nmaxTurns: many\n---\nx`);
    assert.equal(diagnostics.length, 50);
    assert.equal(definition, undefined);
    assert.ok(diagnostics.some(({ severity }) => severity === 'error'));
    assert.equal(diagnostics[0]?.severity, 'error');
  });
});
