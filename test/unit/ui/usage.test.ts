import assert from 'node:assert/strict';
import { NO_USAGE, type Usage } from '../../../src/runtime/domain/usage.ts';
import { groupUsageText, sessionUsageText } from '../../../src/ui/chat/usageText.ts';
import { resultText } from '../../../src/ui/review/resultText.ts';
import { childTooltip, type ChildContext } from '../../../src/ui/tree/childItem.ts';
import { groupDescription, groupRow, groupTooltip } from '../../../src/ui/tree/groupItem.ts';
import { moneyWords, tokenCount, usageFacts } from '../../../src/ui/usageWords.ts';
import { child, english as l10n, group } from './fakes.ts';

const style = { locale: 'en', l10n };
const context: ChildContext = { ...style, name: 'A', place: 0, now: 15_000, isElsewhere: false, hasRefused: false, cwd: '/w' };
const now = { ...style, now: 72_000 };
const usage = (part: Partial<Usage>): Usage => ({ ...NO_USAGE, ...part });
const USED = usage({ input: 4300, output: 2100, cacheRead: 7000, cacheWrite: 1000, reasoning: 900, cost: 0.0449 });
const UNREPORTED = usage({ isPartial: true });
const lines = (tooltip: readonly { readonly name: string; readonly value: string }[]): Readonly<Record<string, string>> => Object.fromEntries(tooltip.map(({ name, value }) => [name, value]));
const used = (tooltip: readonly { readonly name: string; readonly value: string }[]): readonly (string | undefined)[] => ['Tokens', 'Cached', 'Thinking', 'Cost'].map((name) => lines(tooltip)[name]);

describe('numbers of use', () => {
  it('are written for people', () => {
    const counts = [0, 950, 1000, 12_345, 99_949, 99_999, 123_456, 999_499, 999_500, 1_234_567, 12e6];
    assert.deepEqual(counts.map((count) => tokenCount(count, style)), ['0', '950', '1k', '12.3k', '99.9k', '100k', '123k', '999k', '1M', '1.2M', '12M']);
    assert.deepEqual([0, 0.0001, 0.0099, 0.01, 0.044, 1.5, 1234.5].map((cost) => moneyWords(cost, style)), ['$0.00', '< $0.01', '< $0.01', '$0.01', '$0.04', '$1.50', '$1,234.50']);
  });

  it('are written as the language has it', () => {
    const german = { locale: 'de', l10n };
    assert.equal(tokenCount(12_345, german), '12,3k');
    assert.match(moneyWords(0.04, german), /^0,04\s\$$/);
    for (const locale of ['zh-cn', 'pt-br', 'qps-ploc']) assert.match(moneyWords(0.04, { locale, l10n }), /0[.,]04/);
  });

  it('say no more than is known', () => {
    assert.deepEqual(usageFacts(NO_USAGE, style), []);
    assert.deepEqual(usageFacts(UNREPORTED, style), ['tokens not reported']);
    assert.deepEqual(usageFacts(usage({ input: 5000 }), style), ['5k tokens']);
    assert.deepEqual(usageFacts(usage({ input: 5000, isPartial: true, cost: 1 }), style), ['> 5k tokens', '$1.00']);
  });
});

describe('what a child used', () => {
  it('is in its tooltip by kind, cached tokens and thinking as parts of the whole', () => {
    assert.deepEqual(used(childTooltip(child({ usage: USED }), context)), ['12.3k in, 2.1k out', '7k read, 1k written, part of what went in', '900, part of what came out', '$0.04']);
  });

  it('is not there where nothing was used or said, and has no cost without a price', () => {
    assert.deepEqual(used(childTooltip(child(), context)), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(used(childTooltip(child({ usage: usage({ input: 10, output: 2 }) }), context)), ['10 in, 2 out', undefined, undefined, undefined]);
    assert.equal(lines(childTooltip(child({ usage: UNREPORTED }), context))['Tokens'], 'not reported');
    assert.equal(lines(childTooltip(child({ usage: usage({ input: 10, isPartial: true }) }), context))['Tokens'], '10 in, 0 out, and more that was not reported, as of an answer that was stopped');
  });

  it('is in its result', () => {
    const facts = (part: Usage): string => resultText(child({ status: 'completed', outcome: { status: 'completed', text: 'x' }, usage: part }), [], { name: 'A', files: [], decisions: [], requests: [], cwd: '/w', locale: 'en', now: 0, l10n }).split('\n\n')[1] ?? '';
    assert.match(facts(USED), / · 12\\\.3k tokens in, 2\\\.1k out · \\\$0\\\.04$/);
    assert.match(facts(UNREPORTED), / · tokens not reported$/);
    assert.doesNotMatch(facts(NO_USAGE), /token|\$/);
  });
});

describe('what a group used', () => {
  const children = [child({ usage: USED }), child({ agentId: 'b', usage: usage({ input: 100, output: 20, cacheRead: 500, cost: 0.01 }) })];

  it('is the sum of its rows, at the end of its own', () => {
    assert.equal(groupDescription(group(children), now), '0/2 · 1m 12s · 15k tokens · $0.05');
    assert.equal(groupRow(group(children), now).spoken, 'Group Docs review and 1 more, 0/2 · 1m 12s · 15k tokens · $0.05');
    assert.match(groupDescription(group(children, { status: 'completed', settledAt: 1 }), now), /^completed · .* · 15k tokens · \$0\.05$/);
    assert.equal(groupDescription(group(children, { status: 'interrupted' }), now), 'interrupted · 0/2 done · 15k tokens · $0.05');
    assert.deepEqual(used(groupTooltip(group(children), now)), ['12.9k in, 2.1k out', '7.5k read, 1k written, part of what went in', '900, part of what came out', '$0.05']);
  });

  it('is what all rounds of its children used, and nothing of children whose row is elsewhere', () => {
    const other = child({ agentId: 'c', groupId: 'g0', usage: usage({ input: 1e6 }) });
    assert.match(groupDescription(group([...children, other], { usage: usage({ input: 5 }) }), now), / · 15k tokens · \$0\.05$/);
  });

  it('says what its cost leaves out, and what was not reported', () => {
    const unpriced = child({ agentId: 'c', usage: usage({ input: 1000 }) });
    assert.equal(lines(groupTooltip(group([...children, unpriced]), now))['Cost'], '$0.05, without models that have no price');
    assert.equal(groupDescription(group([child({ usage: UNREPORTED })]), now), '0/1 · 1m 12s · tokens not reported');
    assert.equal(groupDescription(group([...children, child({ agentId: 'c', usage: UNREPORTED })]), now), '0/3 · 1m 12s · > 15k tokens · $0.05');
  });
});

describe('what a conversation used', () => {
  it('is said with the part of its subagents, as Markdown in which nothing is markup', () => {
    assert.equal(sessionUsageText({ root: usage({ input: 1000, cost: 0.5 }), groups: usage({ input: 2000, cost: 1 }) }, style), 'Used in this conversation: 3k tokens · &#36;1.50; by its subagents: 2k tokens · &#36;1.00.');
    assert.equal(sessionUsageText({ root: usage({ input: 1000 }), groups: NO_USAGE }, style), 'Used in this conversation: 1k tokens.');
    assert.equal(groupUsageText(usage({ input: 1000, isPartial: true, cost: 0.001 }), style), 'Used: &#62; 1k tokens · &#60; &#36;0.01');
  });

  it('is not said where there is nothing', () => {
    assert.equal(sessionUsageText({ root: NO_USAGE, groups: NO_USAGE }, style), undefined);
    assert.equal(groupUsageText(NO_USAGE, style), undefined);
  });
});
