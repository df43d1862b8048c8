import assert from 'node:assert/strict';
import { toModelRequest } from '../../../src/host/lm/request.ts';

const USER = 1;
const messages = [{ role: USER, content: [{ value: 'hi' }] }];
const { signal } = new AbortController();

describe('a request of VS Code', () => {
  it('goes to the configured model by the provider’s own id, with its effort and limit', () => {
    const tools = [{ name: 'Read', description: 'Reads.', inputSchema: { properties: { path: { type: 'string' } } } }, { name: 'Now', description: 'Tells the time.' }];
    const request = toModelRequest({ provider: 'openai', model: 'gpt-x', displayName: 'X', baseUrl: 'http://x', reasoningEffort: 'low', maxOutputTokens: 100 }, messages, tools, signal);
    assert.deepEqual(request, {
      model: 'gpt-x', reasoningEffort: 'low', maxOutputTokens: 100, system: '', signal,
      messages: [{ role: 'user', source: 'user', content: [{ type: 'text', text: 'hi' }] }],
      tools: [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }, { name: 'Now', description: 'Tells the time.', inputSchema: { type: 'object' } }],
    });
  });

  it('goes with the sampling of its tier', () => {
    const { temperature, topP } = toModelRequest({ provider: 'openai', model: 'm', temperature: 0, topP: 0.5 }, messages, [], signal);
    assert.deepEqual([temperature, topP], [0, 0.5]);
  });

  it('says nothing of effort and limit where the model’s settings say nothing', () => {
    assert.deepEqual(Object.keys(toModelRequest({ provider: 'p', model: 'm' }, messages, [], signal)).sort(), ['messages', 'model', 'signal', 'system', 'tools']);
  });
});
