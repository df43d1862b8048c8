import assert from 'node:assert/strict';
import { textMessage } from '../../../src/runtime/domain/messages.ts';
import type { ScheduledPrompt } from '../../../src/runtime/domain/services.ts';
import type { TranscriptEntry } from '../../../src/runtime/domain/transcripts.ts';
import { conversationName, promptRow } from '../../../src/ui/prompts/promptWords.ts';
import { english as l10n } from './fakes.ts';

const style = { locale: 'en', l10n };
const prompt: ScheduledPrompt = { id: 'cron-1', sessionId: 's1', schedule: '30 9 * * 1-5', prompt: 'Look at the\nbuild', createdAt: 0, nextAt: new Date(2026, 4, 4, 9, 30).getTime() };
const said = (text: string, source: 'user' | 'completion' = 'user'): TranscriptEntry => ({ type: 'message', at: 0, message: textMessage(text, source) });

describe('the row of a scheduled prompt', () => {
  it('says what is sent, when next, where, and on which schedule', () => {
    assert.deepEqual(promptRow(prompt, 'Morning', style), { label: 'Look at the build', description: 'next Mon, May 4, 2026, 09:30 AM', detail: 'In the conversation “Morning” · 30 9 * * 1-5' });
  });

  it('has no schedule where it is sent once, and no time where it is sent no more', () => {
    assert.deepEqual(promptRow({ ...prompt, once: true }, 'Morning', style), { label: 'Look at the build', description: 'once, Mon, May 4, 2026, 09:30 AM', detail: 'In the conversation “Morning”' });
    const { nextAt: _, ...over } = prompt;
    assert.equal(promptRow(over, undefined, style).description, 'not sent any more');
  });

  it('says that its conversation is gone', () => {
    assert.equal(promptRow(prompt, undefined, style).detail, 'Its conversation is gone. · 30 9 * * 1-5');
  });
});

describe('the name of a conversation', () => {
  it('is what the user said first, in one short line', () => {
    assert.equal(conversationName([said('results', 'completion'), said(`Each\nmorning ${'x'.repeat(100)}`), said('more')])?.slice(0, 13), 'Each morning ');
    assert.equal(conversationName([said('x'.repeat(100))])?.length, 60);
    assert.equal(conversationName([said('results', 'completion')]), undefined);
  });
});
