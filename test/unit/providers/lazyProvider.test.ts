import assert from 'node:assert/strict';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../src/runtime/domain/models.ts';
import { lazyProvider } from '../../../src/runtime/providers/lazyProvider.ts';

const request = (signal = new AbortController().signal): ModelRequest => ({ model: 'm', system: '', messages: [], tools: [], signal });
const END: ModelEvent = { type: 'end', stop: 'stop' };
const answering: ModelProvider['stream'] = async function* () {
  yield END;
};

async function all(provider: ModelProvider, signal?: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request(signal))) events.push(event);
  return events;
}

describe('a provider that is loaded on first use', () => {
  it('is loaded once, with its first request', async () => {
    let loads = 0;
    const provider = lazyProvider('p', async () => {
      loads += 1;
      return answering;
    });
    assert.equal(loads, 0);
    assert.deepEqual(await Promise.all([all(provider), all(provider)]), [[END], [END]]);
    assert.equal(loads, 1);
  });

  it('fails without throwing where it can not be loaded, and is loaded anew with the next request', async () => {
    let isThere = false;
    const provider = lazyProvider('p', async () => {
      if (!isThere) throw new Error('No such file.');
      return answering;
    });
    const [end] = await all(provider);
    assert.ok(end?.type === 'end' && end.error?.failure === 'error' && end.error.message.includes('No such file.'));
    isThere = true;
    assert.deepEqual(await all(provider), [END]);
  });

  it('ends with the abort while it is loading', async () => {
    const controller = new AbortController();
    const provider = lazyProvider('p', () => {
      controller.abort();
      return new Promise(() => undefined);
    });
    assert.deepEqual(await all(provider, controller.signal), [{ type: 'end', stop: 'aborted' }]);
  });
});
