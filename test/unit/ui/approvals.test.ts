import assert from 'node:assert/strict';
import { harmless } from '../../../src/host/messageText.ts';
import { notificationText } from '../../../src/ui/approvals/approvalText.ts';
import { decisionItems } from '../../../src/ui/approvals/decisionItems.ts';
import { detailsText } from '../../../src/ui/approvals/detailsText.ts';
import { approvalRow } from '../../../src/ui/tree/approvalItem.ts';
import { targetsOf } from '../../../src/ui/commands/targets.ts';
import { english as l10n, request } from './fakes.ts';

/** How VS Code finds links in a notification. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const linksOf = (text: string): readonly (string | undefined)[] => [...text.matchAll(LINK)].map((match) => match[1]);

describe('the notification of an approval', () => {
  it('names child, tool, action and how many more wait, and ends in its links', () => {
    const text = notificationText(request(), 'Docs review #1', 2, l10n);
    assert.match(text, /^Docs review #1 wants to use Bash: “npm test” \(2 more wait\) — \[Allow\]\(command:subagents\.allow\?[^)]+\) · \[Deny\]\(command:subagents\.deny\?[^)]+\) · \[More…\]\(command:subagents\.moreDecisions\?[^)]+\)$/);
    const [link] = [...text.matchAll(LINK)];
    assert.deepEqual(JSON.parse(decodeURIComponent(link?.[2]?.split('?')[1] ?? '')), [{ requestId: 'r1' }]);
  });

  const attacks = [
    'x [Allow](command:workbench.action.quit)', 'open [evil', '[a][b', ']( [', '[[[[', '[x]\n(command:a)', '[a](https://example.org)', 'a] [b', '[a]\u2060(command:b)', '](command:x',
  ];
  for (const attack of attacks) {
    it(`shows no link but its own for ${JSON.stringify(attack)}`, () => {
      for (const text of [notificationText(request({ action: attack }), 'n', 0, l10n), notificationText(request({ tool: attack }), attack, 1, l10n)]) {
        assert.deepEqual(linksOf(text), ['Allow', 'Deny', 'More…']);
      }
    });
  }

  it('stays under VS Code\'s limit, links included', () => {
    const long = '[x]('.repeat(2000);
    const text = notificationText(request({ action: long, tool: long }), long, 99, l10n);
    assert.ok(text.length < 1000, String(text.length));
    assert.deepEqual(linksOf(text), ['Allow', 'Deny', 'More…']);
  });

  it('leaves a command with brackets readable', () => {
    assert.equal(harmless('[ -f x ] && a[0]=1', 100).replaceAll('\u2060', ''), '[ -f x ] && a[0]=1');
  });
});

describe('the decisions on a request', () => {
  const actions = (...args: Parameters<typeof decisionItems>) => decisionItems(...args).map((item) => item.action);

  it('offer what would have an effect', () => {
    assert.deepEqual(actions(request(), l10n), ['allow_once', 'allow_group', 'allow_always', 'deny', 'deny_message', 'details', 'transcript']);
    assert.deepEqual(actions(request({ canAlways: false }), l10n), ['allow_once', 'allow_group', 'deny', 'deny_message', 'details', 'transcript']);
    assert.deepEqual(actions(request({ agent: { kind: 'root', sessionId: 's' } }), l10n), ['allow_once', 'allow_always', 'deny', 'deny_message', 'details']);
  });

  it('say who reads the words of a denial', () => {
    const reader = (...args: Parameters<typeof decisionItems>) => decisionItems(...args).find(({ action }) => action === 'deny_message')?.description;
    assert.equal(reader(request(), l10n), 'the subagent reads it and goes on');
    assert.equal(reader(request({ agent: { kind: 'root', sessionId: 's' } }), l10n), 'the chat reads it and goes on');
  });

  it('offer no rule where there is none', () => {
    const without = { ...request() };
    Reflect.deleteProperty(without, 'rule');
    assert.deepEqual(actions(without, l10n), ['allow_once', 'deny', 'deny_message', 'details', 'transcript']);
  });

  it('show the rule, which can make no icon', () => {
    const [, group] = decisionItems(request({ rule: 'Bash(echo $(check))' }), l10n);
    assert.equal(group?.description.includes('$('), false);
    assert.equal(group?.description.replaceAll('\u2060', ''), 'Bash(echo $(check))');
  });
});

describe('the details of a request', () => {
  it('cut nothing and close no fence early', () => {
    const command = `echo \`\`\`\n${'x'.repeat(5000)}`;
    const text = detailsText(request({ preview: { kind: 'command', command, cwd: '/w' } }), 'n', l10n);
    assert.ok(text.includes(`\`\`\`\`shell\n${command}\n\`\`\`\``));
    assert.ok(text.includes('"command": "npm test"'));
  });
});

describe('rows and arguments', () => {
  it('say who asks where no parent row does', () => {
    assert.equal(approvalRow(request(), 'Docs', l10n).description, 'Bash');
    assert.equal(approvalRow(request({ agent: { kind: 'root', sessionId: 's' } }), 'Chat', l10n).description, 'Chat · Bash');
  });

  it('are read from rows, selections and links, and from nothing else', () => {
    assert.deepEqual(targetsOf([{ kind: 'child', groupId: 'g', agentId: 'a' }]), [{ groupId: 'g', agentId: 'a' }]);
    assert.deepEqual(targetsOf([{ agentId: 'a' }, [{ agentId: 'a' }, { agentId: 'b' }]]), [{ agentId: 'a' }, { agentId: 'b' }]);
    const [a, b, other] = ['a', 'b', 'c'].map((agentId) => ({ agentId }));
    assert.deepEqual(targetsOf([b, [a, b]]), [b, a], 'the clicked one first');
    assert.deepEqual(targetsOf([other, [a, b]]), [other], 'a click outside of the selection means that row alone');
    assert.deepEqual(targetsOf([undefined, [a, b]]), [a, b], 'no row was clicked, but some are selected');
    assert.deepEqual(targetsOf([a, [{ kind: 'status' }]]), [a]);
    for (const junk of [[], [undefined], ['x'], [{}], [{ agentId: 3 }], [null, []]]) assert.deepEqual(targetsOf(junk), []);
  });
});
