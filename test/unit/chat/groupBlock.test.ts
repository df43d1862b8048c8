import assert from 'node:assert/strict';
import { acceptedBlock, currentBlock, groupBlock } from '../../../src/ui/chat/groupBlock.ts';
import { IDS, WORDS, child, group } from './support.ts';

const LINK = { sessionId: 's1', turnId: 't1', groupId: 'bg_1' };
const links = (markdown: string): string[] => [...markdown.matchAll(/\]\(command:([\w.]+)\?/g)].map((match) => match[1] ?? '');

describe("a group's block", () => {
  it('has one line a child, in order, and one line of links', () => {
    const block = groupBlock(acceptedBlock({ groupId: 'bg_1', sessionId: 's1', cwd: '/w', children: [child('a'), child('b')] }, LINK), IDS, WORDS);
    const lines = block.split('  \n');
    assert.equal(lines.length, 3);
    assert.equal(lines[0], '$(circle-outline) **Name of a** · queued');
    assert.equal(lines[1], '$(circle-outline) **Name of b** · queued');
    assert.deepEqual(links(lines[2] ?? ''), ['ext.show', 'ext.cancel']);
  });

  it('gives each end its icon and words, and offers no cancel when all is over', () => {
    const children = [
      child('a', { status: 'completed', outcome: { status: 'completed', text: 'x' }, startedAt: 1000, settledAt: 2500 }),
      child('b', { status: 'failed', outcome: { status: 'failed', reason: 'max_turns', message: '[x](command:y)' } }),
      child('c', { status: 'cancelled', outcome: { status: 'cancelled' } }),
      child('d', { status: 'interrupted' }),
    ];
    const block = groupBlock(currentBlock(group(children, { status: 'partial' }), LINK), IDS, WORDS);
    assert.deepEqual(block.split('  \n').slice(0, 4), [
      '$(pass) **Name of a** · completed · 1 s',
      '$(error) **Name of b** · failed&#58; reached its turn limit',
      '$(circle-slash) **Name of c** · cancelled',
      '$(debug-disconnect) **Name of d** · interrupted',
    ]);
    assert.deepEqual(links(block), ['ext.show']);
  });

  it('says what was interrupted, and lets it go on', () => {
    const children = [child('a', { status: 'completed', outcome: { status: 'completed', text: 'x' } }), child('b', { status: 'interrupted' })];
    const block = groupBlock(currentBlock(group(children, { status: 'interrupted' }), LINK), IDS, WORDS);
    assert.equal(block.split('  \n')[1], '$(debug-disconnect) **Name of b** · interrupted');
    assert.deepEqual(links(block), ['ext.show', 'ext.resume']);
  });

  it('offers nothing but the panel for a group of another window', () => {
    const block = groupBlock(currentBlock(group([child('a', { status: 'running' })], { isElsewhere: true }), LINK), IDS, WORDS);
    assert.equal(block.split('  \n')[0], '$(multiple-windows) **Name of a** · running · in another window');
    assert.deepEqual(links(block), ['ext.show']);
  });

  it('speaks of the present round only', () => {
    const again = child('a', { status: 'running', round: 2, outcome: { status: 'failed', reason: 'timeout', message: 'm' }, taskStatus: 'review', startedAt: 9, settledAt: 5 });
    assert.equal(groupBlock(currentBlock(group([again]), LINK), IDS, WORDS).split('  \n')[0], '$(play-circle) **Name of a** · running · round 2');
  });

  it('says what waits for review and what was denied, so that neither looks simply done', () => {
    const outcome = { status: 'completed', text: 'x' } as const;
    const children = [child('a', { status: 'completed', outcome, taskStatus: 'review', denials: 2 }), child('b', { status: 'completed', outcome, taskStatus: 'completed' })];
    const lines = groupBlock(currentBlock(group(children, { status: 'completed' }), LINK), IDS, WORDS).split('  \n');
    assert.equal(lines[0], '$(eye) **Name of a** · review · 2 denied');
    assert.equal(lines[1], '$(pass) **Name of b** · completed');
  });

  it('quotes what went wrong where the reason alone says nothing, and makes nothing of it', () => {
    const message = 'The server\nsaid [x](command:y) and $(trash) <b>no</b>';
    const block = groupBlock(currentBlock(group([child('a', { status: 'failed', outcome: { status: 'failed', reason: 'error', message } })], { status: 'failed' }), LINK), IDS, WORDS);
    const [line = ''] = block.split('  \n');
    assert.equal(line.replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code))), '$(error) **Name of a** · failed: The server said [x](command:y) and $(trash) <b>no</b>');
    assert.deepEqual(links(block), ['ext.show']);
    assert.doesNotMatch(line.slice('$(error)'.length), /[[\]<>$]|command:/);
  });

  it('stays one line a child with hostile names, and links nowhere else', () => {
    const names = ['[x](command:y)', '$(trash)', '```\ncode\n```', 'a\n\n# b', 'x'.repeat(500), '<a href="command:y">z</a>'];
    const block = groupBlock(acceptedBlock({ groupId: 'bg_1', sessionId: 's1', cwd: '/w', children: names.map((displayName) => child('a', { displayName, definition: displayName })) }, LINK), IDS, WORDS);
    assert.equal(block.split('\n').length, names.length + 1);
    assert.deepEqual(links(block), ['ext.show', 'ext.cancel']);
    assert.deepEqual([...block.matchAll(/\$\(([^)]*)\)/g)].map((match) => match[1]), names.map(() => 'circle-outline'));
    assert.doesNotMatch(block, /<|`|command:y/);
  });
});
