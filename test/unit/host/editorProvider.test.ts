import assert from 'node:assert/strict';
import type { EditorModel, EditorModels, EditorPart, EditorRequest } from '../../../src/host/lm/editorModel.ts';
import { createEditorProvider } from '../../../src/host/lm/editorProvider.ts';
import { textMessage, type Message } from '../../../src/runtime/domain/messages.ts';
import type { ModelEvent, ModelRequest } from '../../../src/runtime/domain/models.ts';

const NEVER = new Promise<never>(() => undefined);
const withImage: readonly Message[] = [{ role: 'user', source: 'user', content: [{ type: 'text', text: 'What is it?' }, { type: 'image', mimeType: 'image/png', data: 'AQID' }] }];

type Answer = (request: EditorRequest, signal: AbortSignal) => AsyncIterable<EditorPart>;

/** An editor that offers `v/m`, answering each request with the next of these. Others, and more requests, fail the test. */
class FakeEditor implements EditorModels {
  readonly requests: EditorRequest[] = [];
  readonly selected: string[] = [];
  readonly #answers: Answer[];
  isGone = false;

  constructor(...answers: readonly Answer[]) {
    this.#answers = [...answers];
  }

  async select(vendor: string, id: string): Promise<EditorModel | undefined> {
    this.selected.push(`${vendor}/${id}`);
    if (this.isGone) return undefined;
    assert.equal(`${vendor}/${id}`, 'v/m');
    return {
      send: async (request, signal) => {
        this.requests.push(request);
        const answer = this.#answers.shift();
        assert.ok(answer, 'a request that nobody expected');
        return answer(request, signal);
      },
    };
  }
}

/** Says these things; an error is thrown, a promise waited for. */
const says = (...things: readonly (EditorPart | Error | Promise<unknown>)[]): Answer =>
  async function* () {
    for (const thing of things) {
      if (thing instanceof Error) throw thing;
      if (thing instanceof Promise) await thing;
      else yield thing;
    }
  };
const text = (value: string): EditorPart => ({ type: 'text', text: value });

async function run(editor: EditorModels, change: Partial<ModelRequest> = {}, onEvent: (event: ModelEvent) => void = () => undefined): Promise<readonly ModelEvent[]> {
  const provider = createEditorProvider({ models: editor, ownVendor: 'own' });
  return read(provider.stream(request(change)), onEvent);
}

function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return { model: 'v/m', system: 'Be brief.', messages: [textMessage('Hi.')], tools: [], signal: new AbortController().signal, ...change };
}

async function read(stream: AsyncIterable<ModelEvent>, onEvent: (event: ModelEvent) => void = () => undefined): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    onEvent(event);
  }
  return events;
}

const errorOf = (events: readonly ModelEvent[]): readonly [string | undefined, string | undefined] => {
  const last = events.at(-1);
  return last?.type === 'end' ? [last.error?.failure, last.error?.message] : [undefined, undefined];
};

describe('a model of the editor', () => {
  it('streams text and calls, and stops for what it has said; usage isn’t known', async () => {
    const call: EditorPart = { type: 'tool_call', id: 'c1', name: 'Read', input: { file_path: 'a' } };
    assert.deepEqual(await run(new FakeEditor(says(text('I '), text('look'), { type: 'other' }, call))), [
      { type: 'text', text: 'I ' }, { type: 'text', text: 'look' }, { type: 'alive' },
      { type: 'tool_call', id: 'c1', name: 'Read', arguments: '{"file_path":"a"}' },
      { type: 'end', stop: 'tool_calls' },
    ]);
    assert.deepEqual(await run(new FakeEditor(says(text('Done')))), [{ type: 'text', text: 'Done' }, { type: 'end', stop: 'stop' }]);
  });

  it('is taken at its word only where its parts are what they should be', async () => {
    const odd = [{ type: 'text', text: undefined }, { type: 'tool_call', id: undefined, name: 'Read', input: undefined }, { type: 'tool_call', id: 'c', name: 3, input: null }] as unknown as EditorPart[];
    assert.deepEqual(await run(new FakeEditor(says(...odd))), [
      { type: 'alive' },
      { type: 'tool_call', id: '', name: 'Read', arguments: '{}' },
      { type: 'tool_call', id: 'c', name: '', arguments: '{}' },
      { type: 'end', stop: 'tool_calls' },
    ]);
  });

  it('is selected anew for each request, by vendor and an id that may have slashes', async () => {
    const editor = new FakeEditor(says(text('one')), says(text('two')));
    const provider = createEditorProvider({ models: editor, ownVendor: 'own' });
    await read(provider.stream(request()));
    await read(provider.stream(request()));
    editor.isGone = true;
    const [failure, message] = errorOf(await read(provider.stream(request({ model: 'v/org/m:free' }))));
    assert.deepEqual(editor.selected, ['v/m', 'v/m', 'v/org/m:free']);
    assert.equal(failure, 'bad_request');
    assert.match(message ?? '', /v\/org\/m:free isn't offered any more/);
  });

  it('refuses a name without a vendor, and our own models, which would ask themselves', async () => {
    for (const model of ['gpt', '/gpt', 'v/', 'own/complex']) {
      const editor = new FakeEditor();
      assert.equal(errorOf(await run(editor, { model }))[0], 'bad_request', model);
      assert.deepEqual(editor.selected, []);
    }
  });

  it('tells a failure as its last event, also after text', async () => {
    const consent = Object.assign(new Error('no'), { code: 'NoPermissions' });
    assert.equal(errorOf(await run(new FakeEditor(() => { throw consent; })))[0], 'auth');
    const events = await run(new FakeEditor(says(text('half'), new Error('gone wrong'))));
    assert.deepEqual(events.map(({ type }) => type), ['text', 'end']);
    assert.equal(errorOf(events)[0], 'error');
    assert.equal(errorOf(await run({ select: () => Promise.reject(new Error('no models')) }))[0], 'error');
  });

  describe('when the run is stopped', () => {
    const aborted: ModelEvent = { type: 'end', stop: 'aborted' };

    it('ends at once at any point, although nothing of the editor heeds the signal', async () => {
      const stuck: readonly (readonly [string, EditorModels])[] = [
        ['while it is selected', { select: () => NEVER }],
        ['while it is asked', { select: async () => ({ send: () => NEVER }) }],
        ['while it says nothing', new FakeEditor(says(NEVER))],
      ];
      for (const [what, editor] of stuck) {
        const stop = new AbortController();
        const running = run(editor, { signal: stop.signal });
        setImmediate(() => stop.abort());
        assert.deepEqual(await running, [aborted], what);
      }
    });

    it('ends after what was said, and asks nothing when it was stopped before', async () => {
      const stop = new AbortController();
      assert.deepEqual(await run(new FakeEditor(says(text('one'), text('two'))), { signal: stop.signal }, () => stop.abort()), [{ type: 'text', text: 'one' }, aborted]);
      const editor = new FakeEditor();
      assert.deepEqual(await run(editor, { signal: AbortSignal.abort() }), [aborted]);
      assert.deepEqual(editor.requests, []);
    });

    it('passes the stop on, and leaves what fails afterwards unheard', async () => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown): void => void unhandled.push(reason);
      process.on('unhandledRejection', note);
      try {
        const late = Promise.withResolvers<void>();
        const heard = Promise.withResolvers<void>();
        const stop = new AbortController();
        const editor = new FakeEditor((_request, signal) => {
          signal.addEventListener('abort', () => heard.resolve());
          return says(text('one'), late.promise)(_request, signal);
        });
        const events = await run(editor, { signal: stop.signal }, ({ type }) => type === 'text' && setImmediate(() => stop.abort()));
        assert.deepEqual(events, [{ type: 'text', text: 'one' }, aborted]);
        await heard.promise;
        late.reject(new Error('too late'));
        // Node tells of rejections after the microtasks of a turn of the event loop.
        for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(unhandled, []);
      } finally {
        process.off('unhandledRejection', note);
      }
    });
  });

  describe('that may not take images', () => {
    const images = (editor: FakeEditor): readonly boolean[] => editor.requests.map(({ turns }) => turns.some(({ content }) => content.some(({ type }) => type === 'image')));

    it('is asked again without them where it refuses them, and from then on at once', async () => {
      const editor = new FakeEditor(says(new Error('400 image_url is not supported')), says(text('no eyes')), says(text('again')));
      const provider = createEditorProvider({ models: editor, ownVendor: 'own' });
      assert.deepEqual(await read(provider.stream(request({ messages: withImage }))), [{ type: 'text', text: 'no eyes' }, { type: 'end', stop: 'stop' }]);
      await read(provider.stream(request({ messages: withImage })));
      assert.deepEqual(images(editor), [true, false, false]);
    });

    it('isn’t where something else fails, or it has said something', async () => {
      const failures: readonly Answer[] = [says(text('I see'), new Error('cut off')), says(Object.assign(new Error('x'), { name: 'ChatRateLimited' }))];
      for (const failing of failures) {
        const editor = new FakeEditor(failing);
        assert.notEqual(errorOf(await run(editor, { messages: withImage }))[0], undefined);
        assert.deepEqual(images(editor), [true]);
      }
    });

    it('still is what it was where it fails without them, too', async () => {
      const editor = new FakeEditor(says(new Error('odd')), says(new Error('odd again')), says(text('I see')));
      const provider = createEditorProvider({ models: editor, ownVendor: 'own' });
      assert.match(errorOf(await read(provider.stream(request({ messages: withImage }))))[1] ?? '', /odd again/);
      await read(provider.stream(request({ messages: withImage })));
      assert.deepEqual(images(editor), [true, false, true]);
    });
  });
});
