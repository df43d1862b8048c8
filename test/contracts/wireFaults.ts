import assert from 'node:assert/strict';
import type { ModelEvent } from '../../src/runtime/domain/models.ts';
import type { RawAnswer } from '../support/rawServer.ts';
import type { WireTurn } from '../support/wireFrames.ts';
import { KEY } from './wires.ts';
import { allOf, endOf, type WireTest } from './wireTest.ts';

const TURN: WireTurn = { thinking: 'Hm.', text: ['Rea', 'ding.'], calls: [{ id: 'call_1', name: 'Read', pieces: ['{"file_path":', '"a"}'] }] };

/** Streams that break at any place, and aborts at any place. */
export function describeFaults(test: WireTest): void {
  const { wire } = test;
  const frames = wire.frames(TURN);
  /** Before these frames it is not yet certain that the answer is whole. */
  const firstWhole = frames.findIndex((frame) => /"finish_reason":"|message_delta|response\.completed/u.test(frame));

  for (const end of ['proper', 'cut', 'reset'] as const) {
    it(`fails as a broken connection where the stream ends after any event (${end})`, async () => {
      assert.ok(firstWhole > 5);
      for (let count = 0; count <= firstWhole; count += 1) {
        assertBroken(await test.ask({ chunks: frames.slice(0, count), end }), `after ${count} events`);
      }
    });
  }

  it('fails as a broken connection where an event is cut in its middle', async () => {
    for (let count = 0; count <= firstWhole; count += 1) {
      const frame = frames[count] ?? '';
      assertBroken(await test.ask({ chunks: [...frames.slice(0, count), frame.slice(0, Math.floor(frame.length / 2))] }), `within event ${count}`);
    }
  });

  it('fails as a broken connection where any event is malformed', async () => {
    for (let index = 0; index < firstWhole; index += 1) {
      for (const garbage of ['data: {"type": \n\n', 'data: null\n\n', 'data: [1]\n\n', 'data: <html>\n\n']) {
        assertBroken(await test.ask({ chunks: [...frames.slice(0, index), garbage, ...frames.slice(index + 1)] }), `event ${index} is ${garbage}`);
      }
    }
  });

  it('says what it got where that is no stream', async () => {
    const page: RawAnswer = { headers: { 'content-type': 'text/html' }, chunks: ['<html>Sign in to the network</html>'] };
    const end = endOf(await test.ask(page));
    assert.equal(end.error?.failure, 'network');
    assert.match(end.error.message, /Sign in to the network/u);
  });

  it('ends with the abort at each event, and closes the connection', async () => {
    const { length } = await test.ask({ chunks: frames });
    for (let stopAt = 1; stopAt < length; stopAt += 1) {
      const controller = new AbortController();
      const events = await test.ask({ chunks: frames, end: 'hang' }, { signal: controller.signal }, (_event, count) => {
        if (count === stopAt) controller.abort();
      });
      assert.equal(events.length, stopAt + 1, 'nothing but the end comes after the abort');
      assert.deepEqual(events.at(-1), { type: 'end', stop: 'aborted' });
      assert.equal(await test.server.lastRequest.closed, false);
    }
  });

  it('ends with the abort while the server is silent, before and in the middle of its answer', async () => {
    for (const chunks of [[], frames.slice(0, 2)]) {
      const controller = new AbortController();
      for await (const event of test.stream({ chunks: [': hello\n\n', ...chunks], end: 'hang' }, { signal: controller.signal })) {
        if (event.type === 'alive') controller.abort();
        else assert.deepEqual(event, { type: 'end', stop: 'aborted' });
      }
      assert.equal(await test.server.lastRequest.closed, false);
    }
  });

  it('ends with the abort while the server has not answered at all', async () => {
    const controller = new AbortController();
    test.server.answer = () => {
      controller.abort();
      return { end: 'silent' };
    };
    const events = await allOf(wire.create(test.server.url, KEY).stream(test.request({ signal: controller.signal })));
    assert.deepEqual(events, [{ type: 'end', stop: 'aborted' }]);
    assert.equal(await test.server.lastRequest.closed, false);
  });

  it('closes the connection when it is left in the middle', async () => {
    for await (const event of test.stream({ chunks: frames.slice(0, 3), end: 'hang' })) {
      assert.ok(event);
      break;
    }
    assert.equal(await test.server.lastRequest.closed, false);
  });

  it('leaves no listener on the signal of its run', async () => {
    const controller = new AbortController();
    let listening = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening -= 1;
      remove(...args);
    };
    await test.ask({ chunks: frames }, { signal });
    assert.equal(listening, 0);
  });
}

function assertBroken(events: readonly ModelEvent[], where: string): void {
  const { stop, error } = endOf(events);
  assert.equal(stop, 'error', where);
  assert.equal(error?.failure, 'network', where);
  assert.ok(!events.some(({ type }) => type === 'tool_call'), `no call comes out ${where}`);
}
