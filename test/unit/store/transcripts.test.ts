import assert from 'node:assert/strict';
import type { ChildSpec } from '../../../src/runtime/domain/agents.ts';
import { textMessage } from '../../../src/runtime/domain/messages.ts';
import type { TranscriptEntry } from '../../../src/runtime/domain/transcripts.ts';
import { TranscriptStore } from '../../../src/runtime/store/transcripts.ts';
import { temporaryFolder } from '../../support/toolContext.ts';
import { definition } from '../delegation/fixture.ts';

const spec: ChildSpec = { agentId: 'agent-1', displayName: 'A', definition: 'general-purpose', model: { provider: 'p', model: 'm' }, prompt: 'p', maxTurns: 5, tools: [], round: 1 };
/** One of each kind. */
const ENTRIES: { readonly [K in TranscriptEntry['type']]: Extract<TranscriptEntry, { type: K }> } = {
  started: { type: 'started', at: 1, run: { kind: 'child', sessionId: 's', groupId: 'g', spec, definition: definition('general-purpose', { skills: ['pdf'] }), system: 'You help.' } },
  turn: { type: 'turn', at: 2, turnId: 't', cause: { kind: 'user' } },
  note: { type: 'note', at: 3, text: 'Something is missing.' },
  message: { type: 'message', at: 4, message: textMessage('hello') },
  compacted: { type: 'compacted', at: 5, how: 'summarised', tokensBefore: 900, tokensAfter: 200, view: ['0123456789abcdef0123', textMessage('Summary.', 'summary')] },
  resumed: { type: 'resumed', at: 5, groupId: 'g', spec },
  ended: { type: 'ended', at: 6, outcome: { status: 'cancelled' } },
};

describe('store: transcripts', () => {
  it('give back every kind of entry as it was written', async () => {
    const folder = await temporaryFolder();
    try {
      const store = new TranscriptStore(folder.path);
      const writer = store.writer('agent-1');
      for (const entry of Object.values(ENTRIES)) await writer.append(entry);
      assert.deepEqual(await store.read('agent-1'), Object.values(ENTRIES));
    } finally {
      await folder.remove();
    }
  });
});
