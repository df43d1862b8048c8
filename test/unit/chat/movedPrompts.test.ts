import assert from 'node:assert/strict';
import { AppError } from '../../../src/runtime/base/errors.ts';
import type { TranscriptEntry } from '../../../src/runtime/domain/transcripts.ts';
import { moveScheduled, type MovingParts } from '../../../src/ui/chat/movedPrompts.ts';
import { serviceIn, WallClock } from '../../support/prompts.ts';
import { temporaryFolder } from '../../support/toolContext.ts';

describe('scheduled prompts of a conversation that goes on from an earlier message', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let cron: ReturnType<typeof serviceIn>;
  let warnings: string[];
  const turnsOf: Readonly<Record<string, readonly string[]>> = { a: ['t1', 't2'], edited: ['t1', 't3'], other: ['t9'] };

  beforeEach(async () => {
    folder = await temporaryFolder();
    cron = serviceIn(folder.path, new WallClock('2026-05-04T12:30:00Z'));
    warnings = [];
    for (const sessionId of ['a', 'edited', 'gone', 'other']) await cron.create({ sessionId, schedule: '0 9 * * *', prompt: sessionId });
  });
  afterEach(() => folder.remove());

  const refuse = (message: string): never => assert.fail(message);
  const parts = (prompts: MovingParts['prompts'] = cron): MovingParts => ({
    prompts,
    log: { trace: refuse, debug: refuse, info: refuse, error: refuse, warn: (message) => void warnings.push(message) },
    l10n: { t: (text: string, ...values: readonly unknown[]) => text.replace('{0}', String(values[0])) },
    agent: {
      transcript: async (sessionId) => {
        const turns = turnsOf[sessionId];
        if (!turns) throw new AppError('not_found', 'There is none.');
        return turns.map((turnId): TranscriptEntry => ({ type: 'turn', at: 1, turnId, cause: { kind: 'user' } }));
      },
    },
  });
  const places = async () => (await cron.list()).map(({ prompt, sessionId }) => `${prompt} in ${sessionId}`).toSorted();

  it('come along, also from what went on from that message before, and that is told', async () => {
    assert.match((await moveScheduled({ sessionId: 'a', turnId: 't1' }, 'new', parts())) ?? '', /go on here, too: 2\./);
    assert.deepEqual(await places(), ['a in new', 'edited in new', 'gone in gone', 'other in other']);
  });

  it('stay where the conversation just goes on, or begins', async () => {
    const before = await places();
    assert.deepEqual([await moveScheduled({ sessionId: 'a', turnId: 't2' }, 'a', parts()), await moveScheduled(undefined, 'new', parts())], [undefined, undefined]);
    assert.deepEqual(await places(), before);
  });

  it('stay where they can not be moved, which is logged and keeps no answer', async () => {
    const failing = { list: () => cron.list(), move: () => Promise.reject(new AppError('unavailable', 'The disk is full.')) };
    assert.equal(await moveScheduled({ sessionId: 'a', turnId: 't1' }, 'new', parts(failing)), undefined);
    assert.match(warnings.join('\n'), /stay there: The disk is full/);
  });
});
