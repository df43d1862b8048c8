import assert from 'node:assert/strict';
import type { ChildView, FailureReason, GroupStatus } from '../../../src/runtime/domain/agents.ts';
import { AGENT_COLORS } from '../../../src/runtime/domain/definitions.ts';
import { NO_USAGE } from '../../../src/runtime/domain/usage.ts';
import { STATE_ICONS, tooltipMarkdown } from '../../../src/ui/tree/presentation.ts';
import { childDescription, childRow, childState, childTooltip, queuePlaces, type ChildContext } from '../../../src/ui/tree/childItem.ts';
import { groupDescription, groupIcon, groupRow, groupTooltip } from '../../../src/ui/tree/groupItem.ts';
import { DrawnGroups } from '../../../src/ui/tree/drawnGroups.ts';
import { affected, nodeId, topNodes } from '../../../src/ui/tree/nodes.ts';
import { badge } from '../../../src/ui/tree/badge.ts';
import { attention, isCounted } from '../../../src/ui/attention.ts';
import { ownChildren } from '../../../src/ui/children.ts';
import { homesOf } from '../../../src/ui/rounds.ts';
import { agentName, childName, groupName } from '../../../src/ui/names.ts';
import { statusText } from '../../../src/ui/statusText.ts';
import { queuePlace, duration, day, failureWords } from '../../../src/ui/words.ts';
import { child, english as l10n, group, question, request } from './fakes.ts';

const context: ChildContext = { name: 'Docs review', place: 3, now: 15_000, isElsewhere: false, hasRefused: false, cwd: '/project/project', locale: 'en', l10n };
const retry = { attempt: 3, until: 26_100, failure: 'overloaded', message: 'Overloaded\n(529)' } as const;
const lines = (tooltip: readonly { readonly name: string; readonly value: string }[]): Readonly<Record<string, string>> => Object.fromEntries(tooltip.map(({ name, value }) => [name, value]));
const failed = (reason: FailureReason) => child({ status: 'failed', outcome: { status: 'failed', reason, message: 'm' }, settledAt: 3000 });

describe('the row of a child', () => {
  const states = {
    queued: child({ status: 'queued' }),
    waiting: child({ approvals: ['r1'] }),
    asking: child({ approvals: ['q1'], questions: ['q1'] }),
    running: child({ activity: { callId: 'c', text: 'Reading src/a.ts' } }),
    silent: child({ lastActivityAt: 15_000 - 200_000, startedAt: 15_000 - 300_000, activity: { callId: 'c', text: 'Running npm test' } }),
    retrying: child({ retry }),
    review: child({ status: 'completed', taskStatus: 'review', settledAt: 2000, changedFiles: ['a', 'b', 'c'] }),
    completed: child({ status: 'completed', taskStatus: 'completed', settledAt: 2000 }),
    failed: failed('max_turns'),
    cancelled: child({ status: 'cancelled', settledAt: 2000 }),
    interrupted: child({ status: 'interrupted' }),
  };

  it('has its own words and its own icon in each state', () => {
    for (const [state, view] of Object.entries(states)) assert.equal(childState(view, context.now), state);
    assert.deepEqual(Object.values(states).map((view) => childDescription(view, context)), [
      'queued 3rd', 'waiting for approval · 14 s', 'waiting for an answer · 14 s', 'Reading src/a.ts · 14 s', 'no activity for 3 min · 5m 0s', 'retrying in 12 s', 'review · 3 files · 1 s', 'completed · 1 s',
      'failed: reached its turn limit · 2 s', 'cancelled · 1 s', 'interrupted',
    ]);
    const icons = Object.values(states).map((view) => STATE_ICONS[childState(view, context.now)].id);
    assert.equal(new Set(icons).size, icons.length);
    assert.equal(new Set(Object.values(STATE_ICONS).map(({ id }) => id)).size, Object.keys(STATE_ICONS).length);
    for (const view of Object.values(states)) assert.equal(childRow(view, context).spoken, `Docs review, ${childDescription(view, context)}`);
  });

  it('has its agent’s colour while it waits for its turn or works, and keeps the icon of its state', () => {
    const icons = Object.entries(states).map(([state, view]) => [state, childRow(view, { ...context, color: 'orange' }).icon]);
    const expected = Object.keys(states).map((state) => {
      const icon = STATE_ICONS[state as keyof typeof states];
      return [state, state === 'queued' || state === 'running' ? { id: icon.id, color: 'charts.orange' } : icon];
    });
    assert.deepEqual(icons, expected);
    assert.equal(childRow(states.running, { ...context, color: 'orange', isElsewhere: true }).icon, STATE_ICONS.elsewhere);
    const colors = AGENT_COLORS.map((color) => childRow(states.running, { ...context, color }).icon.color);
    assert.equal(new Set(colors).size, AGENT_COLORS.length);
  });

  it('stays in review where the latest round ended before it began', () => {
    const left = child({ status: 'cancelled', outcome: { status: 'cancelled' }, round: 2, taskStatus: 'review' });
    assert.deepEqual([childState(left, context.now), childRow(left, context).contextValue], ['review', 'child+cancelled+review']);
    assert.equal(childState(child({ status: 'interrupted', taskStatus: 'review' }), context.now), 'interrupted');
  });

  it('tell how many commands of a child run in the background', () => {
    assert.match(childDescription({ ...states.running, commands: 1 }, context), / · 1 command in the background$/);
    assert.match(childDescription({ ...states.running, commands: 2 }, context), / · 2 commands in the background$/);
    assert.doesNotMatch(childDescription(states.running, context), /background/);
  });

  it('counts a retry down, and says in the tooltip what the provider said', () => {
    assert.equal(childDescription(states.retrying, { ...context, now: 26_000 }), 'retrying in 1 s');
    assert.equal(childDescription(states.retrying, { ...context, now: 26_100 }), 'retrying');
    assert.equal(lines(childTooltip(states.retrying, context))['Retry'], 'attempt 3: Overloaded (529)');
    assert.equal(childRow(states.retrying, context).contextValue, 'child+running');
  });

  it('says of one that gives no sign of life for how long, and what it did last, unless that is expected', () => {
    const quietFor = (ms: number, more: Partial<ChildView> = {}) => child({ startedAt: 14_000, lastActivityAt: 15_000 - ms, ...more });
    assert.deepEqual([119_999, 120_000, 179_999, 180_000].map((ms) => childDescription(quietFor(ms), context)), ['thinking · 1 s', 'no activity for 2 min · 1 s', 'no activity for 2 min · 1 s', 'no activity for 3 min · 1 s']);
    assert.equal(childRow(states.silent, context).contextValue, 'child+running+silent');
    assert.equal(lines(childTooltip(states.silent, context))['Last activity'], 'Running npm test');
    assert.equal(lines(childTooltip(states.running, context))['Last activity'], undefined);
    for (const expected of [{ approvals: ['r1'] }, { retry }, { status: 'queued' as const }, { status: 'completed' as const }]) assert.notEqual(childState(quietFor(600_000, expected), context.now), 'silent');
  });

  it('says that a message waits, and of one that has ended in the tooltip alone', () => {
    const unread = [{ id: 'm1', text: 'Look at\nthe docs.' }, { id: 'm2', text: 'Stop soon.' }];
    assert.equal(childDescription(child({ status: 'queued', unread }), context), 'queued 3rd · message waits');
    assert.equal(childDescription(child({ unread }), context), 'thinking · 14 s · message waits');
    const ended = child({ status: 'cancelled', settledAt: 2000, unread });
    assert.equal(childDescription(ended, context), 'cancelled · 1 s');
    assert.equal(lines(childTooltip(ended, context))['Unread message'], 'Look at the docs. · Stop soon.');
  });

  it('says in the tooltip what a child was refused', () => {
    const outcome = { status: 'completed', text: 'x', refused: ['npm publish (denied)', 'edit\na'] } as const;
    assert.equal(lines(childTooltip(child({ status: 'completed', outcome }), context))['Refused'], 'npm publish (denied) · edit a');
    assert.equal(lines(childTooltip(child({ status: 'running', outcome }), context))['Refused'], undefined);
  });

  it('has a tooltip in which nothing of a model is markup, and lines break between words', () => {
    const text = tooltipMarkdown('A *name*', [{ name: 'Prompt', value: 'read [this](command:x) and <b>$(trash)</b> now' }, { name: 'Note', value: 'fine' }]);
    const [title, blank, prompt, note] = text.split('\n');
    assert.deepEqual([title, blank, note], ['**A &#42;name&#42;**', '', 'Note: fine  ']);
    assert.match(prompt ?? '', /^Prompt: read [^ ]+ and [^ ]+ now  $/);
    assert.doesNotMatch(prompt ?? '', /[[\]()<>$]/);
  });

  it('offers to allow a refused call once, but not while the child waits for its turn or runs elsewhere', () => {
    const menus = (status: ChildView['status'], isElsewhere = false) => childRow(child({ status }), { ...context, hasRefused: true, isElsewhere }).contextValue;
    assert.deepEqual((['running', 'completed', 'interrupted', 'queued'] as const).map((status) => menus(status)), ['child+running+refused', 'child+completed+refused', 'child+interrupted+refused', 'child+queued']);
    assert.equal(menus('running', true), 'childElsewhere+running');
  });

  it('says which round it is in, and what differs from the first', () => {
    const outcome = { status: 'failed', reason: 'timeout', message: 'Took 5 minutes.' } as const;
    const again = child({ round: 2, startedAt: 10_000, settledAt: 3000, outcome, notes: ['`Bash` is not allowed any more.', 'It was moved to m2.'] });
    assert.equal(childDescription(again, context), 'thinking · 5 s · round 2');
    assert.equal(lines(childTooltip(again, context))['Note'], '“Bash” is not allowed any more. It was moved to m2.');
    assert.equal(lines(childTooltip(again, context))['Reason'], undefined);
    assert.equal(lines(childTooltip(child({ ...again, status: 'failed' }), context))['Reason'], 'Took 5 minutes.');
  });

  it('of another window offers nothing that changes it, and claims to know no more than it does', () => {
    const elsewhere = { ...context, isElsewhere: true };
    assert.deepEqual(Object.values(states).map((view) => childRow(view, elsewhere).contextValue).filter((value) => !/^childElsewhere\+[a-z]+(?:\+changes)?$/.test(value)), []);
    assert.equal(childDescription(states.waiting, elsewhere), 'running · in another window');
    assert.equal(childRow(states.running, elsewhere).icon, STATE_ICONS.elsewhere);
    assert.equal(childDescription(states.cancelled, elsewhere), 'cancelled · 1 s');
  });

  it('tells menus kind and state', () => {
    assert.equal(childRow(states.waiting, context).contextValue, 'child+running+approval');
    assert.equal(childRow(states.review, context).contextValue, 'child+completed+review+changes');
    assert.equal(childRow(child({ status: 'failed', changedFiles: ['a'] }), { ...context, isElsewhere: true }).contextValue, 'childElsewhere+failed+changes');
    assert.equal(childRow(states.queued, context).contextValue, 'child+queued');
  });

  it('says every failure in other words', () => {
    const reasons: FailureReason[] = ['error', 'max_turns', 'max_tokens', 'refusal', 'filtered', 'no_text', 'context', 'timeout', 'rate_limited', 'quota', 'auth', 'schema', 'budget'];
    assert.equal(new Set(reasons.map((reason) => failureWords(reason, l10n))).size, reasons.length);
  });

  it('says what was denied, and what went wrong where the reason alone says nothing', () => {
    const outcome = { status: 'failed', reason: 'error', message: 'The server\nwas gone.' } as const;
    assert.match(childDescription(child({ status: 'completed', taskStatus: 'review', denials: 1, settledAt: 2000 }), context), /^review · 1 denied/);
    assert.match(childDescription(child({ status: 'failed', outcome, settledAt: 2000 }), context), /^failed: The server was gone\./);
  });

  it('makes one clean line of an activity', () => {
    assert.equal(childDescription(child({ activity: { callId: 'c', text: 'Reading\n\u202eevil' } }), context), 'Reading evil · 14 s');
  });

  it('counts places over all groups, by arrival', () => {
    const places = queuePlaces([child({ agentId: 'b', status: 'queued', queuedAt: 2 }), child({ agentId: 'x' }), child({ agentId: 'a', status: 'queued', queuedAt: 1 })]);
    assert.deepEqual([...places], [['a', 1], ['b', 2]]);
  });
});

describe('the row of a group', () => {
  const now = { now: 72_000, locale: 'en', l10n };

  it('says how far it is', () => {
    const running = group([child({ settledAt: 1, status: 'completed' }), child({ agentId: 'b', approvals: ['r1'] }), child({ agentId: 'c' })]);
    assert.equal(groupDescription(running, now), '1/3 · 1 to approve · 1m 12s');
    assert.equal(groupRow(running, now).label, 'Docs review and 2 more');
    assert.equal(groupIcon(running).id, 'loading~spin');
    assert.equal(groupRow(running, now).contextValue, 'group+running+approval');
  });

  it('says how much of it was done when it was interrupted', () => {
    const interrupted = group([child({ status: 'completed' }), child({ agentId: 'b', status: 'failed' }), child({ agentId: 'c', status: 'interrupted' })], { status: 'interrupted' });
    assert.equal(groupDescription(interrupted, now), 'interrupted · 2/3 done');
    assert.equal(groupRow(interrupted, now).spoken, 'Group Docs review and 2 more, interrupted · 2/3 done');
    assert.equal(groupRow(interrupted, now).contextValue, 'group+interrupted');
    assert.equal(lines(groupTooltip(interrupted, now))['Status'], 'interrupted · 2/3 done');
  });

  it('of another window says so, and offers nothing that changes it', () => {
    const elsewhere = group([child({ approvals: ['r1'] }), child({ agentId: 'b', status: 'completed', taskStatus: 'review' })], { isElsewhere: true });
    assert.equal(groupDescription(elsewhere, now), 'in another window · 1/2');
    assert.equal(groupRow(elsewhere, now).contextValue, 'groupElsewhere+running');
    assert.equal(groupIcon(elsewhere).id, STATE_ICONS.elsewhere.id);
  });

  it('speaks of the children whose rows it holds, and counts no time between two runs', () => {
    const again = child({ status: 'running', round: 2, roundGroupId: 'g2', queuedAt: 70_000 });
    assert.equal(groupDescription(group([again, child({ agentId: 'b', status: 'completed' })]), now), '1/2 · 2 s');
    const mixed = group([again, child({ agentId: 'c', groupId: 'g2', roundGroupId: 'g2', displayName: 'New' })], { groupId: 'g2' });
    assert.equal(groupRow(mixed, now).label, 'New');
    assert.match(groupDescription(mixed, now), /^0\/1 · /);
  });

  it('tells menus that its own children changed files, and not what one that it took up did elsewhere', () => {
    const changed = { status: 'completed', changedFiles: ['a'] } as const;
    assert.equal(groupRow(group([child(changed)], { status: 'completed' }), now).contextValue, 'group+completed+changes');
    assert.equal(groupRow(group([child({ ...changed, groupId: 'g0' })], { status: 'completed' }), now).contextValue, 'group+completed');
    assert.equal(groupRow(group([child(changed)], { isElsewhere: true }), now).contextValue, 'groupElsewhere+running+changes');
  });

  it('says what waits for review before its status', () => {
    const settled = group([child({ status: 'completed', taskStatus: 'review' })], { status: 'completed', settledAt: 1 });
    assert.match(groupDescription(settled, now), /^1 in review · /);
    assert.equal(groupRow(settled, now).contextValue, 'group+completed+review');
  });

  it('has its own icon in each status', () => {
    const statuses: GroupStatus[] = ['running', 'completed', 'partial', 'failed', 'cancelled', 'interrupted'];
    assert.equal(new Set(statuses.map((status) => groupIcon(group([], { status })).id)).size, statuses.length);
  });
});

describe('names', () => {
  const twins = [child({ agentId: 'a' }), child({ agentId: 'b' }), child({ agentId: 'c', displayName: 'Other' })];

  it('tell children of one name apart', () => {
    assert.deepEqual(twins.map((twin) => childName(twin, twins)), ['Docs review #1', 'Docs review #2', 'Other']);
  });

  it('name the group where another running one has the same child', () => {
    const groups = [group([child()]), group([child({ agentId: 'z', groupId: 'g2' })], { groupId: 'g2' })];
    assert.match(agentName(request().agent, groups, l10n), /^Docs review \(Docs review, /);
    assert.equal(agentName(request().agent, groups.slice(0, 1), l10n), 'Docs review');
    assert.equal(agentName({ kind: 'root', sessionId: 's' }, groups, l10n), 'Chat');
  });

  it('know a child by its first group in a later round, too', () => {
    const home = group([child({ agentId: 'a' }), child({ agentId: 'b', roundGroupId: 'g2', round: 2 })]);
    const round = group([child({ agentId: 'b', roundGroupId: 'g2', round: 2 })], { groupId: 'g2', isRound: true });
    const asking = { kind: 'child', sessionId: 's1', groupId: 'g2', agentId: 'b', displayName: 'Docs review' } as const;
    assert.equal(agentName(asking, [home, round], l10n), 'Docs review #2');
    assert.equal(agentName({ ...asking, agentId: 'unknown' }, [home, round], l10n), 'Docs review');
  });

  it('keep the count of a group in sight', () => {
    assert.match(groupName(group([child({ displayName: 'x'.repeat(300) }), child()]), l10n), /^x{17}… and 1 more$/);
  });
});

describe('the list of rows', () => {
  it('puts the chat\'s own requests first, then groups, newest first', () => {
    const groups = [group([], { groupId: 'old', createdAt: 1 }), group([], { groupId: 'new', createdAt: 2 }), group([], { groupId: 'newer', createdAt: 2 })];
    const pending = [request(), request({ id: 'r2', agent: { kind: 'root', sessionId: 's' } })];
    assert.deepEqual(topNodes(groups, pending, 0).map(nodeId), ['approval/r2', 'group/newer', 'group/new', 'group/old']);
  });

  it('has no row for a later round', () => {
    assert.deepEqual(topNodes([group([]), group([], { groupId: 'g2', isRound: true })], [], 0).map(nodeId), ['group/g1']);
  });

  it('unfolds what waits for a review', () => {
    const waiting = group([child({ status: 'completed', taskStatus: 'review' })], { status: 'completed', createdAt: 1 });
    assert.deepEqual(topNodes([waiting], [], 3).map((node) => node.kind === 'group' && node.isOld), [false]);
  });

  it('unfolds what is not over yet, and what began in this window', () => {
    const nodes = topNodes([
      group([], { status: 'interrupted', createdAt: 1 }),
      group([], { groupId: 'g2', status: 'completed', createdAt: 2 }),
      group([], { groupId: 'g3', status: 'completed', createdAt: 4 }),
    ], [], 3);
    assert.deepEqual(nodes.map((node) => node.kind === 'group' && [node.groupId, node.isOld]), [['g3', false], ['g2', true], ['g1', false]]);
  });

  it('draws the row of a child where it stands, whatever group its round runs in', () => {
    const again = child({ roundGroupId: 'g2', round: 2 });
    const agent = { group: (id: string) => (id === 'g2' ? group([again], { groupId: 'g2', isRound: true }) : undefined), child: (id: string) => (id === 'agent-1' ? again : undefined) };
    assert.deepEqual(homesOf(agent, 'g2'), ['g2', 'g1']);
    assert.deepEqual(homesOf(agent, 'g2', 'agent-1'), ['g1']);
    assert.deepEqual(homesOf(agent, 'g3', 'unknown'), ['g3']);
  });

  it('draws a group anew where its row says something else, whatever its clock and its usage say', () => {
    const drawn = new DrawnGroups();
    const style = { locale: 'en', l10n };
    const one = group([child(), child({ agentId: 'b' })]);
    assert.ok(drawn.saysMore(one, style), 'it was never drawn');
    drawn.drawn(one, { ...style, now: 5000 });
    assert.equal(drawn.saysMore(one, style), false);
    assert.equal(drawn.saysMore(group([child({ toolCalls: 9, activity: { callId: 'c', text: 'Reading' }, usage: { ...NO_USAGE, input: 70_000 } }), child({ agentId: 'b' })]), style), false);
    for (const change of [{ status: 'completed' as const }, { approvals: ['r1'] }, { changedFiles: ['/a'] }]) assert.ok(drawn.saysMore(group([child(change), child({ agentId: 'b' })]), style), JSON.stringify(change));
  });

  it('refreshes no more than an event changes', () => {
    const agent = request().agent;
    assert.deepEqual(affected({ at: 0, type: 'tool.called', agent, callId: 'c', tool: 't', activity: 'a', paths: [] }), { groupId: 'g1', agentId: 'agent-1' });
    assert.deepEqual(affected({ at: 0, type: 'approval.wanted', request: request() }), { groupId: 'g1', agentId: 'agent-1' });
    assert.deepEqual(affected({ at: 0, type: 'permission.granted', agent, callId: 'c', tool: 't', action: 'a', why: '' }), { groupId: 'g1', agentId: 'agent-1' });
    assert.equal(affected({ at: 0, type: 'text.delta', agent, text: 'x' }), undefined);
    const key = { sessionId: 's', groupId: 'g', agentId: 'a' };
    assert.deepEqual(affected({ at: 0, type: 'retry.scheduled', agent, attempt: 2, until: 9, failure: 'network', message: '' }), { groupId: 'g1', agentId: 'agent-1' });
    assert.deepEqual(affected({ at: 0, type: 'context.compacted', agent, how: 'cleared', tokensBefore: 2, tokensAfter: 1 }), { groupId: 'g1', agentId: 'agent-1' });
    for (const type of ['child.started', 'child.interrupted'] as const) assert.deepEqual(affected({ at: 0, type, ...key }), { groupId: 'g', agentId: 'a' });
    for (const type of ['group.interrupted', 'group.refreshed'] as const) assert.deepEqual(affected({ at: 0, type, ...key }), { groupId: 'g' });
    for (const type of ['message.sent', 'message.delivered'] as const) assert.deepEqual(affected({ at: 0, type, agent, id: 'm', text: 'x' }), { groupId: 'g1', agentId: 'agent-1' });
    assert.deepEqual(affected({ at: 0, type: 'review.decided', ...key, decision: { id: 'd', path: '/a', verdict: 'accepted', content: { kind: 'absent' }, lines: 'all' } }), { groupId: 'g', agentId: 'a' });
    assert.deepEqual(affected({ at: 0, type: 'group.accepted', group: group([]), hostId: 'h' }), { groupId: 'g1' });
    assert.deepEqual(affected({ at: 0, type: 'group.resumed', hostId: 'h', ...key }), { groupId: 'g' });
  });
});

describe('badge and status bar', () => {
  const groups = [group([child(), child({ agentId: 'b', status: 'queued' }), child({ agentId: 'c', status: 'completed', taskStatus: 'review' })])];

  it('count what waits', () => {
    const counts = attention(groups, [request()], []);
    assert.deepEqual(counts, { running: 1, queued: 1, approvals: 1, questions: 0, reviews: 1 });
    assert.deepEqual(badge(counts, l10n), { value: 2, tooltip: '1 approval waits, 1 result to review' });
    assert.deepEqual(statusText(counts, l10n), { text: '$(loading~spin) 2  $(shield) 1  $(eye) 1', spoken: 'Subagents: 1 running, 1 queued, 1 approval waits, 1 result to review', isBlocked: true });
  });

  it('count questions apart, and say what they wait for', () => {
    const counts = attention(groups, [request(), question(), question({ id: 'q2' })], []);
    assert.deepEqual([counts.approvals, counts.questions], [1, 2]);
    assert.deepEqual(badge(counts, l10n), { value: 4, tooltip: '1 approval waits, 2 questions wait for an answer, 1 result to review' });
    assert.equal(statusText(counts, l10n)?.text, '$(loading~spin) 2  $(shield) 1  $(question) 2  $(eye) 1');
    const alone = statusText(attention([], [question()], []), l10n);
    assert.deepEqual(alone, { text: '$(question) 1', spoken: 'Subagents: 1 question waits for an answer', isBlocked: true });
  });

  it('count a child of several rounds once, by its present state', () => {
    const again = child({ status: 'running', round: 2, roundGroupId: 'g2', taskStatus: 'review' });
    const rounds = [group([again, child({ agentId: 'b', status: 'completed' })]), group([again], { groupId: 'g2', isRound: true })];
    assert.deepEqual(attention(rounds, [], []), { running: 1, queued: 0, approvals: 0, questions: 0, reviews: 0 });
  });

  it('count nothing of another window', () => {
    const review = { status: 'completed', taskStatus: 'review' } as const;
    const theirs = group([child(), child({ agentId: 'b', status: 'queued' }), child({ agentId: 'c', ...review })], { isElsewhere: true });
    const again = child({ agentId: 'd', groupId: 'g2', roundGroupId: 'g3', round: 2 });
    const taken = [group([again], { groupId: 'g2' }), group([again], { groupId: 'g3', isRound: true, isElsewhere: true })];
    assert.deepEqual(attention([theirs, ...taken], [], []), { running: 0, queued: 0, approvals: 0, questions: 0, reviews: 0 });
    assert.deepEqual(ownChildren([theirs, ...taken]), []);
  });

  it('show nothing running in a window that comes back with ten finished subagents', () => {
    const over = Array.from({ length: 10 }, (_, index) => group([child({ agentId: `a${index}`, groupId: `g${index}`, roundGroupId: `g${index}`, status: 'completed', taskStatus: 'completed' })], { groupId: `g${index}`, status: 'completed' }));
    assert.equal(attention(over, [], []).running, 0);
    assert.equal(statusText(attention(over, [], []), l10n), undefined);
  });

  it('are counted anew when a group or child is interrupted or goes on', () => {
    for (const type of ['group.interrupted', 'group.resumed', 'group.refreshed', 'child.interrupted'] as const) assert.ok(isCounted(type));
  });

  it('are gone when nothing waits', () => {
    const idle = attention([group([child({ status: 'interrupted' })])], [], []);
    assert.equal(badge(idle, l10n), undefined);
    assert.equal(statusText(idle, l10n), undefined);
  });
});

describe('words', () => {
  it('write spans and places', () => {
    assert.deepEqual([-5, 999, 14_000, 72_000, 7_380_000].map((ms) => duration(ms, l10n)), ['0 s', '0 s', '14 s', '1m 12s', '2h 3m']);
    assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 112].map((place) => queuePlace(place, l10n)), ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '112th'].map((place) => `queued ${place}`));
  });

  it('write days that need no clock', () => {
    const now = new Date(2026, 5, 10, 9).getTime();
    assert.match(day(now - 3_600_000, now, 'en', l10n), /08:00/);
    assert.equal(day(now - 86_400_000, now, 'en', l10n), 'yesterday');
    assert.equal(day(new Date(2026, 5, 1).getTime(), now, 'en', l10n), 'Jun 1');
    assert.equal(day(new Date(2025, 5, 1).getTime(), now, 'en', l10n), 'Jun 1, 2025');
  });
});

