import assert from 'node:assert/strict';
import { RecordedAimock } from '../support/aimock.ts';
import { assertWireFormat } from '../support/wireFormat.ts';
import { CONTRACT_REQUESTS, describeProviderContract } from './providerContract.ts';
import { KEY, WIRES } from './wires.ts';

for (const wire of WIRES) {
  describe(`against aimock: ${wire.name}`, () => {
    let server: RecordedAimock;
    let checked = 0;

    before(async () => {
      server = await RecordedAimock.start();
      server.mock.on({ userMessage: 'Read src/a.ts', hasToolResult: false }, { content: 'Reading it.', toolCalls: [{ name: 'Read', arguments: '{"file_path":"src/a.ts"}' }] });
      server.mock.on({}, { content: 'It exports a constant, and nothing else.', reasoning: 'What is in the file?' });
    });

    after(async () => {
      wire.restore();
      await server.stop();
      assert.ok(checked > 50, 'requests were looked at');
    });

    afterEach(() => {
      for (const request of server.requests) {
        assert.ok(request.path.endsWith(wire.path));
        assertWireFormat(request);
        checked += 1;
      }
      server.requests.length = 0;
    });

    const requests = Object.fromEntries(Object.entries(CONTRACT_REQUESTS).map(([title, request]) => [title, { ...request, model: wire.model }]));
    describeProviderContract(wire.name, () => wire.create(server.url, KEY), requests);
  });
}
