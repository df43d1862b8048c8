import assert from 'node:assert/strict';
import { notificationText } from '../../../src/ui/approvals/approvalText.ts';
import { detailsText } from '../../../src/ui/approvals/detailsText.ts';
import { actionWords, callWords, toolWords } from '../../../src/ui/toolWords.ts';
import { approvalRow, approvalTooltip } from '../../../src/ui/tree/approvalItem.ts';
import { english as l10n, request } from './fakes.ts';

describe('a call of an MCP server’s tool', () => {
  const input = { message: 'hi' };
  const call = request({ tool: 'mcp__everything__echo', action: 'mcp__everything__echo {"message":"hi"}', input, preview: { kind: 'text', text: JSON.stringify(input, null, 2) } });

  it('names server and tool in words where it asks', () => {
    assert.match(notificationText(call, 'Docs review', 0, l10n), /^Docs review wants to use everything: echo: “{"message":"hi"}” — /);
    const { label, description, spoken } = approvalRow(call, 'Docs review', l10n);
    assert.deepEqual([label, description, spoken], ['everything: echo', '{"message":"hi"}', 'Docs review asks to use everything: echo: {"message":"hi"}']);
    assert.equal(approvalRow({ ...call, agent: { kind: 'root', sessionId: 's' } }, 'Chat', l10n).description, 'Chat · {"message":"hi"}');
    assert.equal(callWords(call), 'everything: echo {"message":"hi"}');
    assert.equal(approvalTooltip(call, 'Docs review', l10n).find(({ name }) => name === 'Tool')?.value, 'everything: echo');
  });

  it('has its exact name, as rules have it, and its arguments as JSON in the details', () => {
    const text = detailsText(call, 'Docs review', l10n);
    assert.match(text, /Tool: everything: echo \(mcp__everything__echo\)/);
    assert.ok(text.includes('```json\n{\n  "message": "hi"\n}\n```'), text);
    assert.equal(text.split('"hi"').length, 2, 'once only');
  });

  it('is told from any other', () => {
    assert.deepEqual(['mcp__a__b__c', 'mcp__my server__x', 'Bash', 'mcp__a', 'mcp____x', 'mcp__a__'].map(toolWords), ['a: b__c', 'my server: x', 'Bash', 'mcp__a', 'mcp____x', 'mcp__a__']);
    assert.equal(callWords({ tool: 'Bash', action: 'npm test' }), 'npm test');
    assert.equal(actionWords({ tool: 'Bash', action: 'Bash x' }), 'Bash x');
    assert.equal(actionWords({ tool: 'mcp__a__b', action: 'mcp__a__bc {}' }), 'mcp__a__bc {}');
  });
});
