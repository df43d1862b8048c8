import { RawServer } from '../support/rawServer.ts';
import { describeAnswers } from './wireAnswers.ts';
import { describeFailures } from './wireFailures.ts';
import { describeFaults } from './wireFaults.ts';
import { describeRedirects } from './wireRedirects.ts';
import { WireTest } from './wireTest.ts';
import { describeThinking } from './wireThinking.ts';
import { WIRES } from './wires.ts';

for (const wire of WIRES) {
  describe(`byte for byte: ${wire.name}`, () => {
    let server: RawServer;

    before(async () => {
      server = await RawServer.start();
    });

    after(async () => {
      wire.restore();
      await server.stop();
    });

    afterEach(() => {
      server.requests.length = 0;
    });

    const test = new WireTest(wire, () => server);
    describeAnswers(test);
    describeThinking(test);
    describeFaults(test);
    describeFailures(test);
    describeRedirects(test);
  });
}
