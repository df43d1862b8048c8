import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { tokensOfFrame, tokensOfMessage } from '../../../src/runtime/agent/context/estimate.ts';
import { ContextMeter, type Measured } from '../../../src/runtime/agent/context/meter.ts';
import { textMessage, type AssistantMessage, type Message } from '../../../src/runtime/domain/messages.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';

const image = { type: 'image', mimeType: 'image/png', data: 'x'.repeat(100_000) } as const;
const results = (...texts: readonly string[]): Message => ({ role: 'tool', results: texts.map((text, index) => ({ callId: `c${index}`, name: 'Read', isError: false, content: [{ type: 'text', text }] })) });
const requestOf = (messages: readonly Message[], more: Partial<Measured> = {}): Measured => ({ model: 'claude-opus', system: 'You help.', tools: [], messages, ...more });

describe('the estimate of a message', () => {
  it('is on the long side of what vendors count, for prose, code and scripts without spaces', () => {
    // The sentence has ten tokens for most models, the line about eighteen, and four Chinese characters two to four.
    assert.ok(tokensOfMessage(textMessage('The quick brown fox jumps over the lazy dog. '.repeat(100)), 'gpt-5') >= 1000);
    assert.ok(tokensOfMessage(textMessage('  const total = items.reduce((sum, item) => sum + item.price, 0);\n'.repeat(100)), 'claude-opus') >= 1800);
    assert.ok(tokensOfMessage(textMessage('你好世界'.repeat(250)), 'gpt-5') >= 700);
  });

  it('differs by the family of the model', () => {
    const message = textMessage('x'.repeat(10_000));
    const [claude, gpt] = ['claude-sonnet', 'gpt-5'].map((model) => tokensOfMessage(message, model));
    assert.ok(claude !== undefined && gpt !== undefined && claude > gpt);
  });

  it('takes an image flat, wherever it is', () => {
    const shown: Message = { role: 'user', source: 'user', content: [image] };
    const read: Message = { role: 'tool', results: [{ callId: 'c', name: 'Read', isError: false, content: [image] }] };
    for (const message of [shown, read]) assert.ok(tokensOfMessage(message, 'm') < 2500 && tokensOfMessage(message, 'm') >= 1500);
  });

  it('counts calls, and thinking once: as it was said or as it goes back', () => {
    const said = (message: Partial<AssistantMessage>): number => tokensOfMessage({ role: 'assistant', stop: 'stop', content: [], ...message }, 'm');
    const thinking = { type: 'thinking', text: 'x'.repeat(3200) } as const;
    assert.ok(said({ content: [{ type: 'tool_call', id: 'a', name: 'Write', arguments: 'x'.repeat(3200) }] }) >= 1000);
    assert.ok(Math.abs(said({ content: [thinking], verbatim: { provider: 'p', model: 'm', data: 'y'.repeat(3200) } }) - said({ content: [thinking] })) < 10);
  });

  it('counts system prompt, reminder, and the schemas of tools', () => {
    const tools = [{ name: 'T', description: 'x'.repeat(320), inputSchema: { description: 'x'.repeat(320) } }];
    assert.ok(tokensOfFrame({ model: 'm', system: 'x'.repeat(320), reminder: 'x'.repeat(320), tools }) >= 400);
  });
});

describe('the estimate of a request', () => {
  const first = [textMessage('Do it. '.repeat(100)), results('x'.repeat(8000))];
  const added = results('y'.repeat(3100));

  it('begins with what the provider counted, cached or not, and adds what is new', () => {
    const meter = new ContextMeter();
    meter.heard(requestOf(first), { ...NO_USAGE, input: 300, cacheRead: 1500, cacheWrite: 400, output: 9999 });
    assert.equal(meter.estimate(requestOf(first)), 2200);
    const more = meter.estimate(requestOf([...first, added])) - 2200;
    assert.ok(more >= 1000 && more < 1200, String(more));
    assert.ok(meter.estimate(requestOf(first, { tools: [{ name: 'T', description: 'x'.repeat(3100), inputSchema: {} }] })) >= 3200);
  });

  it('grows for all that is new where the provider counts more than was thought, and never shrinks for it', () => {
    for (const [counted, least] of [[2 * 2800, 2000], [1800, 1000]] as const) {
      const meter = new ContextMeter();
      meter.heard(requestOf(first), { ...NO_USAGE, input: counted });
      assert.ok(meter.estimate(requestOf([...first, added])) - counted >= least, String(counted));
      assert.ok(meter.factor('claude-opus') >= 1);
    }
  });

  it('keeps what was learned of what is left when the conversation became shorter', () => {
    const meter = new ContextMeter();
    const guess = meter.estimate(requestOf(first));
    meter.heard(requestOf(first), { ...NO_USAGE, input: 2 * guess });
    const [prompt] = first;
    const shorter = new ContextMeter().estimate(requestOf(prompt ? [prompt] : []));
    assert.ok(meter.estimate(requestOf(prompt ? [prompt] : [])) >= 2 * shorter);
  });

  it('believes no count that can not be: of a server that tells none, or only what was not cached', () => {
    for (const input of [0, 10, 1_000_000]) {
      const meter = new ContextMeter();
      meter.heard(requestOf(first), { ...NO_USAGE, input });
      assert.equal(meter.estimate(requestOf(first)), new ContextMeter().estimate(requestOf(first)));
    }
  });

  it('takes nothing that one model counted for another', () => {
    const meter = new ContextMeter();
    meter.heard(requestOf(first), { ...NO_USAGE, input: 5000 });
    assert.equal(meter.estimate(requestOf(first, { model: 'gpt-5' })), new ContextMeter().estimate(requestOf(first, { model: 'gpt-5' })));
  });

  it('reads each message only once, however long the conversation', () => {
    let reads = 0;
    const counting = (): Message => {
      const part = { type: 'text' as const, get text() { reads += 1; return 'Hello.'; } };
      return { role: 'user', source: 'user', content: [part] };
    };
    const meter = new ContextMeter();
    const conversation = Array.from({ length: 2000 }, counting);
    meter.estimate(requestOf(conversation));
    const before = reads;
    for (let turn = 0; turn < 20; turn += 1) {
      conversation.push(counting());
      meter.heard(requestOf(conversation), { ...NO_USAGE, input: meter.estimate(requestOf(conversation)) });
    }
    assert.equal(reads - before, 20 * (before / 2000));
  });
});
