import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { AgentTools } from '../../../src/runtime/agent/agentTools.ts';
import { inheritedTools, resolveAgent, toolPool, type ResolveOptions } from '../../../src/runtime/agent/resolveAgent.ts';
import { connectionToolName } from '../../../src/runtime/mcp/toolNames.ts';
import { wireName } from '../../../src/runtime/base/wireNames.ts';
import type { AgentCapabilities } from '../../../src/runtime/domain/capabilities.ts';
import type { ToolDefinition } from '../../../src/runtime/domain/tools.ts';

/** `r` reads only, `w` may write. The description tells where the tool comes from, for names that clash. */
function tool(name: string, does: 'r' | 'w', mark = '', more: Partial<ToolDefinition> = {}): ToolDefinition {
  return { name, description: mark, inputSchema: { type: 'object' }, isReadOnly: does === 'r', describe: () => name, targets: () => [], execute: async () => ({ content: [] }), ...more };
}
const builtin = (name: string, does: 'r' | 'w', more?: Partial<ToolDefinition>): ToolDefinition => tool(name, does, '', more);
const custom = (name: string, does: 'r' | 'w', more?: Partial<ToolDefinition>): ToolDefinition => tool(name, does, 'custom:', more);
const connected = (name: string, does: 'r' | 'w', more?: Partial<ToolDefinition>): ToolDefinition => tool(name, does, 'mcp:', more);

const namesOf = (tools: readonly ToolDefinition[]): string => tools.map(({ name, description }) => `${description}${name}`).join(' ');

const BUILTINS = [builtin('Read', 'r'), builtin('Write', 'w'), builtin('Bash', 'w'), builtin('Agent', 'w'), builtin('FindTool', 'r')];
const runtime = { builtinTools: BUILTINS };
const GENERAL = { name: 'general-purpose' };
const EXPLORE = { name: 'Explore' };

const offered = (own: AgentCapabilities, options?: ResolveOptions, definition: Parameters<typeof resolveAgent>[2] = GENERAL): string => namesOf(resolveAgent(runtime, own, definition, options).tools);
const catalogue = (own: AgentCapabilities, options?: ResolveOptions, definition: Parameters<typeof resolveAgent>[2] = GENERAL): string => namesOf(resolveAgent(runtime, own, definition, options).deferred);

/**
 * Every agent below has the built-in tools and these: one that is named as a built-in and only reads, two of which
 * one is named as a tool of the server and writes, and the tools of a server.
 */
const OWN: AgentCapabilities = {
  customTools: [custom('Write', 'r'), custom('Lookup', 'r'), custom('Deploy', 'w')],
  connectionTools: [connected('list', 'r'), connected('send', 'w'), connected('Lookup', 'w')],
};
const LISTS: Readonly<Record<string, AgentCapabilities>> = {
  '-': {},
  'allow Read Agent FindTool': { allowedTools: ['Read', 'Agent', 'FindTool'] },
  'deny Write send': { disallowedTools: ['Write', 'send'] },
  'allow Read Bash FindTool, deny read_file Lookup': { allowedTools: ['Read', 'Bash', 'FindTool'], disallowedTools: ['read_file', 'Lookup'] },
};
const AGENTS: Readonly<Record<string, { readonly kind: 'root' | 'child'; readonly definition: Parameters<typeof resolveAgent>[2] }>> = {
  root: { kind: 'root', definition: { name: 'root' } },
  child: { kind: 'child', definition: GENERAL },
  Explore: { kind: 'child', definition: EXPLORE },
  readOnly: { kind: 'child', definition: { name: 'auditor', readOnly: true } },
};

/** By hand: agent, lists, `later` where the server's tools and `Deploy` wait to be found, what its model is told of, what waits. */
const TABLE: readonly (readonly [agent: string, lists: string, when: 'now' | 'later', tools: string, waiting: string])[] = [
  ['root', '-', 'now', 'Read custom:Write Bash Agent mcp:Lookup custom:Deploy mcp:list mcp:send', ''],
  ['root', '-', 'later', 'Read custom:Write Bash Agent FindTool', 'mcp:Lookup custom:Deploy mcp:list mcp:send'],
  ['root', 'allow Read Agent FindTool', 'now', 'Read custom:Write Agent mcp:Lookup custom:Deploy mcp:list mcp:send', ''],
  ['root', 'allow Read Agent FindTool', 'later', 'Read custom:Write Agent FindTool', 'mcp:Lookup custom:Deploy mcp:list mcp:send'],
  ['root', 'deny Write send', 'now', 'Read Bash Agent mcp:Lookup custom:Deploy mcp:list', ''],
  ['root', 'deny Write send', 'later', 'Read Bash Agent FindTool', 'mcp:Lookup custom:Deploy mcp:list'],
  ['root', 'allow Read Bash FindTool, deny read_file Lookup', 'now', 'custom:Write Bash custom:Deploy mcp:list mcp:send', ''],
  ['root', 'allow Read Bash FindTool, deny read_file Lookup', 'later', 'custom:Write Bash FindTool', 'custom:Deploy mcp:list mcp:send'],

  ['child', '-', 'now', 'Read custom:Write Bash mcp:Lookup custom:Deploy mcp:list mcp:send', ''],
  ['child', '-', 'later', 'Read custom:Write Bash FindTool', 'mcp:Lookup custom:Deploy mcp:list mcp:send'],
  ['child', 'allow Read Agent FindTool', 'now', 'Read custom:Write mcp:Lookup custom:Deploy mcp:list mcp:send', ''],
  ['child', 'allow Read Agent FindTool', 'later', 'Read custom:Write FindTool', 'mcp:Lookup custom:Deploy mcp:list mcp:send'],
  ['child', 'deny Write send', 'now', 'Read Bash mcp:Lookup custom:Deploy mcp:list', ''],
  ['child', 'deny Write send', 'later', 'Read Bash FindTool', 'mcp:Lookup custom:Deploy mcp:list'],
  ['child', 'allow Read Bash FindTool, deny read_file Lookup', 'now', 'custom:Write Bash custom:Deploy mcp:list mcp:send', ''],
  ['child', 'allow Read Bash FindTool, deny read_file Lookup', 'later', 'custom:Write Bash FindTool', 'custom:Deploy mcp:list mcp:send'],

  ['Explore', '-', 'now', 'Read custom:Write Bash mcp:list', ''],
  ['Explore', '-', 'later', 'Read custom:Write Bash FindTool', 'mcp:list'],
  ['Explore', 'allow Read Agent FindTool', 'now', 'Read custom:Write mcp:list', ''],
  ['Explore', 'allow Read Agent FindTool', 'later', 'Read custom:Write FindTool', 'mcp:list'],
  ['Explore', 'deny Write send', 'now', 'Read Bash mcp:list', ''],
  ['Explore', 'deny Write send', 'later', 'Read Bash FindTool', 'mcp:list'],
  ['Explore', 'allow Read Bash FindTool, deny read_file Lookup', 'now', 'custom:Write Bash mcp:list', ''],
  ['Explore', 'allow Read Bash FindTool, deny read_file Lookup', 'later', 'custom:Write Bash FindTool', 'mcp:list'],

  ['readOnly', '-', 'now', 'Read custom:Write Bash mcp:list', ''],
  ['readOnly', '-', 'later', 'Read custom:Write Bash FindTool', 'mcp:list'],
  ['readOnly', 'allow Read Agent FindTool', 'now', 'Read custom:Write mcp:list', ''],
  ['readOnly', 'allow Read Agent FindTool', 'later', 'Read custom:Write FindTool', 'mcp:list'],
  ['readOnly', 'deny Write send', 'now', 'Read Bash mcp:list', ''],
  ['readOnly', 'deny Write send', 'later', 'Read Bash FindTool', 'mcp:list'],
  ['readOnly', 'allow Read Bash FindTool, deny read_file Lookup', 'now', 'custom:Write Bash mcp:list', ''],
  ['readOnly', 'allow Read Bash FindTool, deny read_file Lookup', 'later', 'custom:Write Bash FindTool', 'mcp:list'],
];

describe('the tools of an agent', () => {
  for (const [agent, lists, when, tools, waiting] of TABLE) {
    it(`${agent}, ${lists}, ${when}: ${tools}${waiting === '' ? '' : ` | ${waiting}`}`, () => {
      const { kind, definition } = AGENTS[agent] ?? assert.fail(agent);
      const own = { ...OWN, ...(LISTS[lists] ?? assert.fail(lists)) };
      const customTools = OWN.customTools?.map((each) => (when === 'later' && each.name === 'Deploy' ? { ...each, isDeferred: true } : each)) ?? [];
      const resolved = resolveAgent(runtime, { ...own, customTools }, definition, { kind, ...(when === 'later' && { deferOver: 0 }) });
      assert.equal(namesOf(resolved.tools), tools);
      assert.equal(namesOf(resolved.deferred), waiting);
    });
  }

  it('are the built-in ones alone where nothing is declared', () => {
    assert.equal(offered({}), 'Read Write Bash Agent');
    assert.equal(offered({}, { kind: 'child' }), 'Read Write Bash');
    assert.equal(offered({ allowedTools: [] }), '');
  });

  it('are told apart by the names that a model sees, of which no two are the same', () => {
    const [odd, alike] = [custom('über/tool', 'w'), connected(wireName('über/tool'), 'w')];
    assert.equal(offered({ allowedTools: [], customTools: [odd], connectionTools: [alike] }), `mcp:${wireName('über/tool')}`);
  });

  it('count as built in where the host put them into the runtime', () => {
    const host = { builtinTools: [...BUILTINS, builtin('Ticket', 'w')] };
    assert.equal(namesOf(toolPool(host, {}, GENERAL, { kind: 'child' })), 'Read Write Bash FindTool Ticket');
    assert.equal(namesOf(toolPool(host, { allowedTools: ['Ticket'] }, GENERAL, { kind: 'child' })), 'Ticket');
    assert.equal(namesOf(toolPool(host, {}, EXPLORE, { kind: 'child' })), 'Read Bash FindTool');
  });
});

describe('the lists of an agent', () => {
  const own: AgentCapabilities = { allowedTools: [], customTools: [custom('read_file', 'r')], connectionTools: [connected('mcp__hub__list', 'r'), connected('mcp__hub__send', 'w'), connected('mcp__hubs__list', 'r'), connected('mcp__ö__x', 'r')] };

  it('take the names of other products, in any case', () => {
    assert.equal(offered({ allowedTools: ['read_file', 'run_in_terminal', 'BASH'] }), 'Read Bash');
    assert.equal(offered({ disallowedTools: ['read_file', 'bash', 'agent'] }), 'Write');
  });

  for (const [entry, left] of [
    ['mcp__hub', 'custom:read_file mcp:mcp__hubs__list mcp:mcp__ö__x'],
    ['mcp__hub__*', 'custom:read_file mcp:mcp__hubs__list mcp:mcp__ö__x'],
    ['hub/*', 'custom:read_file mcp:mcp__hubs__list mcp:mcp__ö__x'],
    ['hub/send', 'custom:read_file mcp:mcp__hub__list mcp:mcp__hubs__list mcp:mcp__ö__x'],
    ['mcp__hub__send', 'custom:read_file mcp:mcp__hub__list mcp:mcp__hubs__list mcp:mcp__ö__x'],
    ['mcp__*', 'custom:read_file'],
    [wireName('mcp__ö__x'), 'custom:read_file mcp:mcp__hub__list mcp:mcp__hub__send mcp:mcp__hubs__list'],
    ['read_file', 'mcp:mcp__hub__list mcp:mcp__hub__send mcp:mcp__hubs__list mcp:mcp__ö__x'],
    ['Read', 'custom:read_file mcp:mcp__hub__list mcp:mcp__hub__send mcp:mcp__hubs__list mcp:mcp__ö__x'],
    ['*', ''],
  ] as const) {
    it(`take away with ${entry} all but ${left || 'nothing'}`, () => assert.equal(offered({ ...own, disallowedTools: [entry] }), left));
  }

  const deleting = connectionToolName('My Wiki', 'delete page (all)');
  for (const entry of [
    'My Wiki/delete page (all)', 'mcp__My Wiki__delete page (all)', 'mcp__my_wiki__delete_page__all_', 'mcp_my_wiki_delete_page__all_', 'MCP__MY_WIKI', 'my_wiki/DELETE*', 'mcp__*__delete_*', '*page*', deleting, deleting.toUpperCase(), wireName(deleting), ` ${deleting} `,
    'Act(*)', 'Act ( )', 'act', 'A*t',
  ]) {
    it(`take a tool away however it is written: ${entry}`, () => {
      const denied = /^a/i.test(entry) ? 'Act' : deleting;
      const names = ['Act', deleting, 'mcp__My Wikis__find', 'mcp__other__find'];
      const tools = names.map((each) => connected(each, 'w'));
      assert.deepEqual(toolPool({ builtinTools: [] }, { connectionTools: tools, disallowedTools: [entry] }, GENERAL).map(({ name }) => name), names.filter((each) => each !== denied));
    });
  }

  it('take a built-in tool away whose every call is named, and no other', () => {
    for (const entry of ['Bash(*)', 'bash()', 'B*h']) assert.equal(offered({ disallowedTools: [entry] }), offered({ disallowedTools: ['Bash'] }), entry);
  });

  it('allow every built-in tool with *', () => assert.equal(offered({ allowedTools: ['*'] }), 'Read Write Bash Agent'));

  it('grant nothing with a name that is unknown, or of a tool that is not there', () => {
    assert.equal(offered({ allowedTools: ['WebSearch', 'mcp__hub__send', 'nonsense', ''] }), '');
  });

  it('of a parent narrow the built-in tools that a child inherits, and nothing else', () => {
    const parent = { allowedTools: ['Read', 'Bash'], disallowedTools: ['Bash', 'Deploy', 'mcp__hub__*'] };
    const child = { customTools: [custom('Bash', 'w'), custom('Deploy', 'w')], connectionTools: [connected('mcp__hub__send', 'w')] };
    assert.equal(offered(child, { kind: 'child', parent }), 'Read custom:Bash custom:Deploy mcp:mcp__hub__send');
    assert.equal(offered({ ...child, allowedTools: ['Write', 'Bash'] }, { kind: 'child', parent }), 'custom:Bash custom:Deploy mcp:mcp__hub__send');
    assert.equal(namesOf(inheritedTools(BUILTINS, parent)), 'Read');
  });

  it('of a parent are nothing to the root itself', () => assert.equal(offered({}, { kind: 'root', parent: { allowedTools: [] } }), 'Read Write Bash Agent'));
});

describe('a child', () => {
  it('never has a tool that delegates, whoever made it', () => {
    const own = { customTools: [custom('Agent', 'r'), custom('Task', 'w')], connectionTools: [connected('MultiTask', 'r')], allowedTools: ['Agent'] };
    assert.equal(offered(own, { kind: 'child' }), '');
    assert.equal(offered(own), 'custom:Agent custom:Task mcp:MultiTask');
  });

  it('whose definition never asks has no tool that asks a person, whoever made it; the root may', () => {
    const own = { customTools: [custom('Poll', 'r', { asksPerson: true }), custom('Look', 'r')], allowedTools: [] };
    const silent = { name: 'silent', permission: { onAsk: 'deny' } } as const;
    assert.equal(offered(own, { kind: 'child' }, silent), 'custom:Look');
    assert.equal(offered(own, { kind: 'child' }, { ...silent, permission: { onAsk: 'ask' } }), 'custom:Poll custom:Look');
    assert.equal(offered(own, { kind: 'root' }, silent), 'custom:Poll custom:Look');
  });

  for (const name of ['Explore', 'explore', 'EXPLORE']) {
    it(`called ${name} keeps of Bash only the built-in itself`, () => {
      const options = { kind: 'child' } as const;
      assert.equal(offered({}, options, { name }), 'Read Bash');
      assert.equal(offered({ customTools: [custom('Bash', 'w')] }, options, { name }), 'Read');
      assert.equal(offered({ connectionTools: [connected('Bash', 'w')] }, options, { name }), 'Read');
      assert.equal(offered({ customTools: [custom('Bash', 'r')] }, options, { name }), 'Read custom:Bash');
    });
  }

  it('that explores has only tools that say themselves that they only read', () => {
    const says = (isReadOnly: unknown): ToolDefinition => ({ ...custom('Claims', 'w'), isReadOnly: isReadOnly as boolean });
    for (const claim of [undefined, 'no', 1, {}]) assert.equal(offered({ allowedTools: [], customTools: [says(claim)] }, { kind: 'child' }, EXPLORE), '');
  });

  it('that explores sees nothing of a writing tool that its server lists later, and all of a reading one', () => {
    const listed = [connected('mcp__hub__list', 'r')];
    const own: AgentCapabilities = {
      get connectionTools() {
        return [...listed];
      },
    };
    const options = { kind: 'child', deferOver: 0 } as const;
    assert.equal(catalogue(own, options, EXPLORE), 'mcp:mcp__hub__list');
    listed.push(connected('mcp__hub__send', 'w'), connected('mcp__hub__count', 'r'));
    assert.equal(catalogue(own, options, EXPLORE), 'mcp:mcp__hub__list mcp:mcp__hub__count');
    assert.equal(offered(own, { ...options, activated: new Set(['mcp__hub__send']) }, EXPLORE), 'Read Bash FindTool');
  });
});

describe('a built-in tool that comes with another', () => {
  const builtinTools = [...BUILTINS, builtin('Tail', 'r', { comesWith: 'Bash' }), builtin('Stop', 'w', { comesWith: 'Bash' })];
  const resolved = (own: AgentCapabilities, options?: ResolveOptions, definition: Parameters<typeof resolveAgent>[2] = GENERAL): readonly string[] => {
    const { tools, deferred, companions } = resolveAgent({ builtinTools }, own, definition, options);
    return [tools, deferred, companions].map(namesOf);
  };

  it('waits for a call of that one, and FindTool does not know of it', () => {
    assert.deepEqual(resolved({}), ['Read Write Bash Agent', '', 'Tail Stop']);
    assert.deepEqual(resolved({}, { activated: new Set(['Tail']) }), ['Read Write Bash Agent Tail', '', 'Stop']);
  });

  it('is named by a list that names that one, and taken away with it or alone', () => {
    assert.deepEqual(resolved({ allowedTools: ['Bash'] }), ['Bash', '', 'Tail Stop']);
    assert.deepEqual(resolved({ allowedTools: ['Read', 'Tail'] }), ['Read', '', '']);
    assert.deepEqual(resolved({ disallowedTools: ['Bash'] }), ['Read Write Agent', '', '']);
    assert.deepEqual(resolved({ disallowedTools: ['Tail'] }), ['Read Write Bash Agent', '', 'Stop']);
  });

  it('is inherited with that one, as the lists of the parent narrow both', () => {
    const inherited = (parent: ResolveOptions['parent'] = {}): string => namesOf(inheritedTools(builtinTools, parent));
    assert.equal(inherited({ allowedTools: ['Bash'] }), 'Bash Tail Stop');
    assert.equal(inherited({ allowedTools: ['Bash'], disallowedTools: ['Stop'] }), 'Bash Tail');
    assert.equal(inherited({ disallowedTools: ['Bash'] }), 'Read Write Agent FindTool');
    assert.deepEqual(resolved({}, { kind: 'child', parent: { disallowedTools: ['Stop'] } }), ['Read Write Bash', '', 'Tail']);
  });

  it('of Bash is there where only that may read', () => {
    for (const definition of [EXPLORE, { name: 'auditor', readOnly: true }]) assert.deepEqual(resolved({}, { kind: 'child' }, definition), ['Read Bash', '', 'Tail Stop']);
    assert.deepEqual(resolved({ disallowedTools: ['Bash'] }, { kind: 'child' }, EXPLORE), ['Read', '', '']);
  });

  it('of its own an agent has like any other', () => {
    assert.deepEqual(resolved({ customTools: [custom('Tail', 'r')] }), ['Read Write Bash Agent custom:Tail', '', 'Stop']);
  });

  it('is taken into use by its agent, and by no other', () => {
    const agent = (): AgentTools => new AgentTools((activated) => resolveAgent({ builtinTools }, {}, GENERAL, { activated }), assert.fail);
    const [one, other] = [agent(), agent()];
    one.deferred.activate(['Tail', 'Unknown']);
    assert.deepEqual(one.schemas().map(({ name }) => name), ['Read', 'Write', 'Bash', 'Agent', 'Tail']);
    assert.ok(one.find('Tail') && !other.find('Tail') && !one.find('Stop'));
    assert.deepEqual(one.deferred.list(), []);
  });
});

describe('the catalogue of an agent', () => {
  const many = (count: number): ToolDefinition[] => Array.from({ length: count }, (_, index) => connected(`t${index}`, 'r', { inputSchema: { type: 'object', description: 'x'.repeat(1000) } }));

  it('takes the tools of servers once their schemas together are large, and only then', () => {
    assert.equal(catalogue({ connectionTools: many(20) }), '');
    assert.equal(resolveAgent(runtime, { connectionTools: many(30) }, GENERAL).deferred.length, 30);
    assert.equal(catalogue({ connectionTools: many(30) }, { deferOver: 100_000 }), '');
  });

  it('leaves custom tools alone unless they say that they are seldom needed', () => {
    assert.equal(catalogue({ customTools: many(30) }), '');
    assert.equal(catalogue({ customTools: [custom('Rare', 'r', { isDeferred: true }), custom('Often', 'r')] }), 'custom:Rare');
  });

  it('loses what was found, which the model then sees; the others still wait', () => {
    const own = { connectionTools: [connected('a', 'r'), connected('b c', 'r'), connected('d', 'r')] };
    const options = { deferOver: 0, activated: new Set(['a', wireName('b c')]) };
    assert.equal(offered(own, options), 'Read Write Bash Agent FindTool mcp:a mcp:b c');
    assert.equal(catalogue(own, options), 'mcp:d');
  });

  it('keeps FindTool where all is found, so that a call of it that comes late has its answer', () => {
    const own = { connectionTools: [connected('a', 'r')] };
    assert.equal(offered(own, { deferOver: 0, activated: new Set(['a']) }), 'Read Write Bash Agent FindTool mcp:a');
  });

  it('is empty where the lists take FindTool away, or another tool has its name: all is there at once', () => {
    const own = { connectionTools: [connected('a', 'r', { isDeferred: true })] };
    for (const lists of [{ disallowedTools: ['FindTool'] }, { allowedTools: ['Read'] }]) {
      assert.equal(catalogue({ ...own, ...lists }, { deferOver: 0 }), '');
      assert.match(offered({ ...own, ...lists }, { deferOver: 0 }), /^Read .*mcp:a$|^Read mcp:a$/);
    }
    assert.equal(offered({ ...own, customTools: [custom('FindTool', 'r')] }, { deferOver: 0 }), 'Read Write Bash Agent custom:FindTool mcp:a');
    assert.equal(offered(own, { kind: 'child', deferOver: 0, parent: { disallowedTools: ['FindTool'] } }), 'Read Write Bash mcp:a');
  });
});

describe('the Skill tool', () => {
  const withSkill = { builtinTools: [...BUILTINS, builtin('Skill', 'r')] };
  const skills = [{ name: 's', description: 'd', instructions: 'i' }];

  it('is there only for an agent that has skills', () => {
    assert.equal(namesOf(resolveAgent(withSkill, {}, GENERAL).tools), 'Read Write Bash Agent');
    assert.equal(namesOf(resolveAgent(withSkill, { skills }, GENERAL).tools), 'Read Write Bash Agent Skill');
    assert.equal(namesOf(resolveAgent(withSkill, { skills, disallowedTools: ['Skill'] }, GENERAL).tools), 'Read Write Bash Agent');
    assert.deepEqual(resolveAgent(withSkill, { skills }, GENERAL).skills, skills);
  });
});

describe('any tools and lists', () => {
  const name = fc.constantFrom('Read', 'Write', 'Bash', 'Agent', 'Task', 'FindTool', 'Skill', 'Lookup', 'mcp__hub__list', 'mcp__hub__send', 'über');
  const entry = fc.oneof(name, fc.constantFrom('read_file', 'mcp__hub', 'mcp__hub__*', 'hub/*', '*', '*s*', 'nonsense'));
  const lists = fc.record({ allowedTools: fc.array(entry, { maxLength: 4 }), disallowedTools: fc.array(entry, { maxLength: 4 }) }, { requiredKeys: [] });
  const tools = (mark: string): fc.Arbitrary<ToolDefinition[]> => fc.array(fc.tuple(name, fc.constantFrom('r' as const, 'w' as const), fc.boolean()).map(([of, does, isDeferred]) => tool(of, does, mark, { isDeferred })), { maxLength: 5 });
  const capabilities = fc.tuple(lists, tools('custom:'), tools('mcp:')).map(([own, customTools, connectionTools]): AgentCapabilities => ({ ...own, customTools, connectionTools }));
  const options = fc.record({ kind: fc.constantFrom('root' as const, 'child' as const), parent: lists, deferOver: fc.constantFrom(0, 300, 100_000) });
  const definition = fc.constantFrom(GENERAL, EXPLORE, { name: 'auditor', readOnly: true });
  const all = (...of: Parameters<typeof resolveAgent>): readonly ToolDefinition[] => {
    const resolved = resolveAgent(...of);
    return [...resolved.tools, ...resolved.deferred];
  };

  it('never give a tool more when something more is denied', () => {
    fc.assert(
      fc.property(capabilities, options, definition, entry, (own, how, kind, more) => {
        const before = toolPool(runtime, own, kind, how);
        const after = toolPool(runtime, { ...own, disallowedTools: [...(own.disallowedTools ?? []), more] }, kind, how);
        assert.ok(after.every((each) => before.includes(each)));
      }),
    );
  });

  it('never give a built-in tool more when the parent has less', () => {
    fc.assert(
      fc.property(capabilities, options, definition, entry, (own, how, kind, more) => {
        const builtins = (parent: ResolveOptions['parent']): ToolDefinition[] => toolPool(runtime, own, kind, { ...how, kind: 'child', ...(parent && { parent }) }).filter((each) => BUILTINS.includes(each));
        const before = builtins(how.parent);
        assert.ok(builtins({ ...how.parent, disallowedTools: [...(how.parent.disallowedTools ?? []), more] }).every((each) => before.includes(each)));
      }),
    );
  });

  it('give an agent built-in tools and its own, and a child nothing of its parent’s own', () => {
    fc.assert(
      fc.property(capabilities, capabilities, options, definition, (parent, own, how, kind) => {
        const mine = [...BUILTINS, ...(own.customTools ?? []), ...(own.connectionTools ?? [])];
        assert.ok(all(runtime, own, kind, { ...how, kind: 'child', parent }).every((each) => mine.includes(each)));
      }),
    );
  });

  it('give Explore only what reads, and the built-in Bash', () => {
    fc.assert(
      fc.property(capabilities, options, (own, how) => {
        const bash = BUILTINS.find((each) => each.name === 'Bash');
        assert.ok(all(runtime, own, EXPLORE, { ...how, kind: 'child' }).every((each) => each.isReadOnly || each === bash));
      }),
    );
  });

  it('hide nothing that the pool holds and show nothing that it does not, whatever was found before', () => {
    fc.assert(
      fc.property(capabilities, options, definition, fc.array(name), (own, how, kind, found) => {
        const pool = toolPool(runtime, own, kind, how);
        const given = all(runtime, own, kind, { ...how, activated: new Set(found) });
        assert.equal(new Set(given).size, given.length);
        assert.ok(given.every((each) => pool.includes(each)));
        assert.deepEqual(pool.filter((each) => !given.includes(each) && !(BUILTINS.includes(each) && each.name === 'FindTool')), []);
      }),
    );
  });
});
