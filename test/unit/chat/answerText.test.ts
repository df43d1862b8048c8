import assert from 'node:assert/strict';
import { answerText } from '../../../src/ui/chat/answerText.ts';
import { english as l10n } from '../ui/fakes.ts';

describe('the document of an answer', () => {
  const scheduled = { kind: 'scheduled', promptId: 'cron-1', title: 'Look at #1 <b>' } as const;

  it('holds the answer under what was asked, and loads nothing', () => {
    assert.equal(answerText({ turnId: 't', cause: scheduled, text: 'It is **green**. ![x](https://example.org/a.png)' }, l10n), '# Look at \\#1 &lt;b>\n\nIt is **green**. [image: x](https://example.org/a.png)\n\n');
  });

  it('says that there is none, and needs no heading after a group', () => {
    assert.equal(answerText({ turnId: 't', cause: { kind: 'completion', groupId: 'bg_1' }, text: ' ' }, l10n), 'It said nothing.\n\n');
  });
});
