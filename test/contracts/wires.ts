import type { ModelProvider } from '../../src/runtime/domain/models.ts';
import { createAnthropicProvider } from '../../src/runtime/providers/anthropic/client.ts';
import { createOpenAiProvider } from '../../src/runtime/providers/openai/client.ts';
import { redirectFetch } from '../support/redirectFetch.ts';
import { anthropicFrames, chatFrames, responsesFrames, type WireTurn } from '../support/wireFrames.ts';

export const KEY = 'sk-test-0123456789abcdef';

/** One wire of one provider, with what a test needs to play its server. */
export interface TestWire {
  readonly name: string;
  /** The path that its requests go to. */
  readonly path: string;
  /** A model that thinks, as this vendor names one. */
  readonly model: string;
  /** Whether thinking is shown, and goes back with the next request. */
  readonly showsThinking: boolean;
  /** A provider whose requests reach the server at that URL. `key`: absent for none. */
  create(serverUrl: string, key?: string): ModelProvider;
  frames(turn: WireTurn): string[];
  /** Undoes what `create` did to the process. */
  restore(): void;
}

const noRestore = (): void => undefined;

export const ANTHROPIC: TestWire = {
  name: 'anthropic',
  path: '/v1/messages',
  model: 'claude-opus-4-6',
  showsThinking: true,
  create: (baseUrl, key) => createAnthropicProvider({ baseUrl, apiKey: async () => key }),
  frames: anthropicFrames,
  restore: noRestore,
};

export const CHAT: TestWire = {
  name: 'openai Chat Completions of a compatible server',
  path: '/v1/chat/completions',
  model: 'o3-local',
  showsThinking: true,
  create: (url, key) => createOpenAiProvider({ baseUrl: `${url}/v1`, apiKey: async () => key }),
  frames: (turn) => chatFrames(turn),
  restore: noRestore,
};

export const RESPONSES: TestWire = ownAddress({
  name: 'openai Responses',
  path: '/v1/responses',
  model: 'o3',
  showsThinking: true,
  create: (_url, key) => createOpenAiProvider({ apiKey: async () => key }),
  frames: responsesFrames,
});

export const OWN_CHAT: TestWire = ownAddress({
  name: 'openai Chat Completions of OpenAI',
  path: '/v1/chat/completions',
  model: 'o3',
  showsThinking: false,
  create: (_url, key) => createOpenAiProvider({ api: 'chat', apiKey: async () => key }),
  frames: (turn) => chatFrames(turn, { isOwn: true }),
});

export const WIRES = [ANTHROPIC, RESPONSES, OWN_CHAT, CHAT] as const;

/** A provider at OpenAI's own address, whose requests are led to the server of the test. */
function ownAddress(wire: Omit<TestWire, 'restore'>): TestWire {
  let undo = noRestore;
  return {
    ...wire,
    create(serverUrl, key) {
      undo();
      undo = redirectFetch('https://api.openai.com', () => serverUrl);
      return wire.create(serverUrl, key);
    },
    restore() {
      undo();
      undo = noRestore;
    },
  };
}
