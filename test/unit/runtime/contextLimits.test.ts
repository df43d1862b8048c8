import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ChildView } from '../../../src/runtime/domain/agents.ts';
import { textOf, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ModelRequest } from '../../../src/runtime/domain/models.ts';
import { SILENT_LOG } from '../../../src/runtime/domain/ports.ts';
import { isRoot, promptOf, reopenAgent, startAgent, type AgentFixture } from '../../support/agentFixture.ts';
import { crashed } from '../../support/crash.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';
import { countTokens, isSummaryRequest, resultTexts, windowed } from '../../support/windowedModel.ts';

const WINDOW = 16_000;
const LINE = 'export const value = compute(input, options);\n';
/** Each about a fifth of the window; together more than two of them. */
const FILES = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`file${index}.ts`, `// This is file ${index}.\n${LINE.repeat(200)}`]));
const known = { model: { provider: 'scripted', model: 'm', contextWindow: WINDOW, maxOutputTokens: 500 } };
const unknown = { model: { provider: 'scripted', model: 'm', maxOutputTokens: 500 } };

/** A child that reads one file after the other; which one comes next is told by its own words alone. */
function readsAll(request: ModelRequest, until = 12): ScriptedTurn {
  const last = request.messages.flatMap((message) => (message.role === 'assistant' ? [Number(/part (\d+)/.exec(textOf(message.content))?.[1] ?? 0)] : [])).at(-1) ?? 0;
  if (last >= until) return { text: `All ${last} read.` };
  return { text: `Now part ${last + 1}. ${LINE.repeat(50)}`, calls: [{ name: 'Read', input: { file_path: `file${last}.ts` } }] };
}

const child = (request: ModelRequest): ScriptedTurn => (isRoot(request) ? { text: 'Understood.' } : readsAll(request));
const summaryOf = (messages: readonly Message[]): string | undefined => messages.flatMap((message) => (message.role === 'user' && message.source === 'summary' ? [textOf(message.content)] : [])).at(-1);
const asked = ({ model }: AgentFixture): readonly ModelRequest[] => model.requests.filter((request) => !isRoot(request));
const fits = (request: ModelRequest): boolean => countTokens(request) + 500 <= WINDOW;

describe('a child on a model with a small window', () => {
  let fixture: AgentFixture;
  let later: AgentFixture | undefined;
  let copy: { remove(): Promise<void> } | undefined;
  afterEach(async () => {
    await later?.end();
    await fixture.end();
    await copy?.remove();
    later = undefined;
    copy = undefined;
  });

  async function delegate(prompt = 'Read all files.'): Promise<string> {
    const session = await fixture.agent.openSession();
    const group = await session.delegate([{ display_name: 'Reader', prompt }]);
    return group.children[0]?.agentId ?? '';
  }

  async function settled({ recorder, agent }: AgentFixture = fixture): Promise<ChildView> {
    await recorder.until('child.settled');
    return agent.groups()[0]?.children[0] ?? assert.fail('no child');
  }

  for (const [road, options] of [['whose window is known', known], ['whose window only its refusals tell', unknown]] as const) {
    it(`${road} reads far more than fits, and finishes`, async () => {
      const lines: string[] = [];
      fixture = await startAgent(windowed(child, { window: WINDOW }), { workspace: FILES, ...options, log: { ...SILENT_LOG, info: (line) => void lines.push(line) } });
      const agentId = await delegate();
      const view = await settled();
      fixture.model.assertClean();
      assert.deepEqual(view.outcome, { status: 'completed', text: 'All 12 read.' });
      const requests = asked(fixture);
      assert.ok(requests.filter((request) => !fits(request)).length <= (options === known ? 0 : 1));
      assert.ok(requests.some(isSummaryRequest));
      assert.ok(requests.filter((request) => !isSummaryRequest(request)).every((request) => promptOf(request) === 'Read all files.'));

      // Everything that was read stands in the transcript as it was.
      const entries = await fixture.agent.transcript(agentId);
      const texts = resultTexts(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])));
      assert.deepEqual(texts.map((text) => text.includes('This is file') && text.split('\n').length > 200), texts.map(() => true));
      assert.equal(texts.length, 12);
      assert.equal(entries.filter(({ type }) => type === 'compacted').length, fixture.recorder.of('context.compacted').length);
      assert.ok(lines.some((line) => line.startsWith(`context: ${agentId} was summarised`)));
      assert.equal(view.turns, 13);
      const used = fixture.recorder.of('model.ended').reduce((sum, { agent, usage }) => sum + (agent.kind === 'child' ? usage.input : 0), 0);
      assert.equal(view.usage.input, used);
    });
  }

  it('goes on after a reload from what it saw last, with its task', async () => {
    const stop = Promise.withResolvers<void>();
    fixture = await startAgent(windowed((request) => (isRoot(request) ? { text: 'Noted.' } : { ...readsAll(request), ...(summaryOf(request.messages) && { wait: stop.promise }) }), { window: WINDOW }), { workspace: FILES, ...known });
    await delegate();
    await fixture.recorder.until('context.compacted', ({ how }) => how === 'summarised');
    await fixture.agent.suspend();
    later = await reopenAgent(fixture, windowed(child, { window: WINDOW }), known);
    await later.agent.resumeGroup(later.agent.groups()[0]?.groupId ?? '');
    assert.deepEqual((await settled(later)).outcome, { status: 'completed', text: 'All 12 read.' });
    later.model.assertClean();
    const [first] = asked(later);
    assert.ok(first && fits(first) && promptOf(first) === 'Read all files.' && summaryOf(first.messages)?.includes('Much was read.'));
    assert.ok(asked(later).every(fits));
  });

  it('goes on after a crash in the middle of a summary', async () => {
    const stop = Promise.withResolvers<void>();
    const summing = Promise.withResolvers<void>();
    fixture = await startAgent(windowed(child, { window: WINDOW, summary: () => (summing.resolve(), { wait: stop.promise }) }), { workspace: FILES, ...known });
    await delegate();
    await summing.promise;
    const folders = await crashed(fixture);
    copy = folders;
    later = await reopenAgent(folders, windowed(child, { window: WINDOW }), known);
    await later.agent.resumeGroup(later.agent.groups()[0]?.groupId ?? '');
    assert.deepEqual((await settled(later)).outcome, { status: 'completed', text: 'All 12 read.' });
    later.model.assertClean();
    assert.ok(asked(later).every(fits));
    stop.resolve();
  });

  it('sees its first prompt and that of its round in a later round', async () => {
    fixture = await startAgent(windowed((request) => {
      if (isRoot(request)) return { text: 'Understood.' };
      const isSecond = request.messages.some((message) => message.role === 'user' && textOf(message.content) === 'Once more, please.');
      return readsAll(request, isSecond ? 24 : 12);
    }, { window: WINDOW }), { workspace: { ...FILES, ...Object.fromEntries(Object.entries(FILES).map(([, text], index) => [`file${index + 12}.ts`, text])) }, ...known });
    const agentId = await delegate();
    await settled();
    const before = fixture.model.requests.length;
    await fixture.agent.resumeChild(agentId, { prompt: 'Once more, please.' });
    await fixture.recorder.until('child.settled', ({ outcome }) => outcome.status === 'completed' && outcome.text === 'All 24 read.');
    fixture.model.assertClean();
    for (const { messages } of fixture.model.requests.slice(before).filter((request) => !isRoot(request) && !isSummaryRequest(request))) {
      const prompts = messages.flatMap((message) => (message.role === 'user' && message.source === 'user' ? [textOf(message.content)] : []));
      assert.deepEqual(prompts, ['Read all files.', 'Once more, please.']);
    }
  });

  it('fails with what to do where its prompt alone is too long, before anything is sent', async () => {
    fixture = await startAgent(windowed(child, { window: WINDOW }), known);
    await delegate(LINE.repeat(3000));
    const { outcome } = await settled();
    assert.ok(outcome?.status === 'failed' && outcome.reason === 'context');
    assert.match(outcome.message, /Shorten/);
    assert.deepEqual(asked(fixture), []);
  });

  it('is shown by its row, which says so while it goes on', async () => {
    const stop = Promise.withResolvers<void>();
    fixture = await startAgent(windowed((request) => ({ ...child(request), ...(!isRoot(request) && JSON.stringify(request.messages).includes('was cleared') && { wait: stop.promise }) }), { window: WINDOW }), { workspace: FILES, ...known });
    const agentId = await delegate();
    await fixture.recorder.until('context.compacted');
    assert.match(fixture.agent.child(agentId)?.activity?.text ?? '', /Cleared old tool results/);
    stop.resolve();
    await settled();
  });
});

describe('a root on a model with a small window', () => {
  let fixture: AgentFixture;
  let later: AgentFixture | undefined;
  afterEach(async () => {
    await later?.end();
    later = undefined;
    await fixture.end();
  });

  it('talks on for longer than fits, and after a reload goes on from what it saw last', async () => {
    const talk = (request: ModelRequest): ScriptedTurn => ({ text: `Heard ${request.messages.length}. ${LINE.repeat(60)}` });
    fixture = await startAgent(windowed(talk, { window: WINDOW }), known);
    const session = await fixture.agent.openSession();
    for (let turn = 1; turn <= 30; turn += 1) {
      const outcome = await session.send(`Wish ${turn}.`, { turnId: `t${turn}` });
      assert.equal(outcome.status, 'completed');
      const last = fixture.model.requests.at(-1)?.messages.at(-1);
      assert.ok(last?.role === 'user' && textOf(last.content) === `Wish ${turn}.`);
    }
    fixture.model.assertClean();
    assert.ok(fixture.recorder.of('context.compacted').some(({ how, agent }) => how === 'summarised' && agent.kind === 'root'));
    assert.ok(fixture.model.requests.every(fits));
    await fixture.agent.close();

    later = await reopenAgent(fixture, windowed(talk, { window: WINDOW }), known);
    const restored = await later.agent.openSession({ from: { sessionId: session.sessionId, turnId: 't30' } });
    assert.equal((await restored.send('One more.')).status, 'completed');
    const [first] = later.model.requests;
    assert.ok(first && fits(first) && summaryOf(first.messages)?.includes('Much was read.'));
    const fork = await later.agent.openSession({ from: { sessionId: session.sessionId, turnId: 't2' } });
    await fork.send('From there.');
    assert.equal(later.model.requests.at(-1)?.messages.length, 5);
  });
});
