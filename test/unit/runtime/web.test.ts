import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { WebFetch } from '../../../src/runtime/domain/services.ts';
import { createWebFetch } from '../../../src/runtime/web/webFetch.ts';
import { delegating, isRoot, startAgent, toolResults, type AgentFixture } from '../../support/agentFixture.ts';
import { toolNames } from '../../support/ownTools.ts';
import type { ScriptedTurn } from '../../support/scriptedModel.ts';

const PAGE = 'https://docs.example/guide?page=1';
const fetchPage: WebFetch = async (url) => ({ kind: 'page', page: { url, status: 200, mediaType: 'text/plain', text: 'The words of the page.', isCut: false } });
const call = (url: string): ScriptedTurn => ({ calls: [{ name: 'WebFetch', input: { url } }] });

describe('pages of the web', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.end());

  async function delegate(turns: readonly ScriptedTurn[], webFetch: WebFetch = fetchPage): Promise<void> {
    fixture = await startAgent(delegating({ A: [{ calls: [{ name: 'FindTool', input: { query: 'fetch a web page' } }] }, ...turns] }), { webFetch, permissions: { saveRule: async () => undefined } });
    fixture.agent.approvals.attach();
    await (await fixture.agent.openSession()).send('go');
  }
  const results = (): readonly string[] => fixture.model.requests.filter((request) => !isRoot(request)).flatMap((request) => toolResults(request).map(({ text }) => text));

  it('are found when they are needed, and ask for each host: a person sees the address, and may allow the host for the group', async () => {
    await delegate([call(PAGE), call('https://docs.example/other'), call('https://elsewhere.example/'), { text: 'done' }]);
    const { request } = await fixture.recorder.until('approval.wanted');
    assert.deepEqual([request.tool, request.action, request.preview, request.rule, request.canAlways], ['WebFetch', `fetch ${PAGE}`, { kind: 'text', text: `docs.example\n\n${PAGE}` }, 'WebFetch(domain:docs.example)', true]);
    await fixture.agent.approvals.decide(request.id, { kind: 'allow_group' });
    const next = await fixture.recorder.until('approval.wanted', ({ request }) => request.action !== `fetch ${PAGE}`);
    assert.equal(next.request.action, 'fetch https://elsewhere.example/', 'the other page of the host was not asked for');
    await fixture.agent.approvals.decide(next.request.id, { kind: 'deny' });
    await fixture.recorder.until('group.settled');
    assert.match(results().join('\n'), /The words of the page\.[^]*The user denied/);
  });

  it('that are private by their address are refused before anybody is asked, those that are listed are not', async () => {
    await delegate([call('http://localhost:8799/'), call('http://10.0.0.1/'), call('http://printer/'), call('http://192.168.0.7/'), { text: 'done' }], createWebFetch({ allowPrivate: ['192.168.0.7'] }));
    const { request } = await fixture.recorder.until('approval.wanted');
    assert.equal(request.action, 'fetch http://192.168.0.7/');
    await fixture.agent.approvals.decide(request.id, { kind: 'deny' });
    await fixture.recorder.until('group.settled');
    for (const host of ['localhost', '10.0.0.1', 'printer']) assert.ok(results().some((text) => text.startsWith(`${host} is not in the public internet`)), host);
  });

  it('are not offered without the service, and not any more once it is gone', async () => {
    fixture = await startAgent(() => ({ text: 'ok' }), { capabilities: { allowedTools: ['WebFetch'] } });
    const session = await fixture.agent.openSession();
    const offered = async (): Promise<boolean> => {
      await session.send('go');
      return toolNames(fixture.model.requests.at(-1)).includes('WebFetch');
    };
    assert.equal(await offered(), false);
    fixture.agent.configure({ webFetch: fetchPage, permissions: { saveRule: async () => undefined } });
    assert.equal(await offered(), true);
    fixture.agent.configure({ webFetch: undefined });
    assert.equal(await offered(), false);
  });
});
