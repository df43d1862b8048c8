import type { DelegationTool } from '../domain/liteAgent.ts';

/** How a root delegates, as its system prompt says it, with the tools that it has for that; empty where it has none. */
export function delegationPrompt(tools: readonly DelegationTool[]): string {
  if (tools.length === 0) return '';
  const waiting = tools.filter((tool) => tool !== 'Agent');
  const isDetached = tools.includes('Agent');
  return [
    `# Delegating
${tools.length === 1 ? `The ${tools[0]} tool hands` : `The tools ${listed(tools)} hand`} work to subagents that run side by side, each in a session of its own.
${COMMON}`,
    ...(isDetached ? [detached(waiting.length > 0 ? 'Agent returns' : 'The call returns')] : []),
    ...(waiting.length > 0 ? [waits(waiting)] : []),
    ...(isDetached && waiting.length > 0 ? [`- Call ${listed(waiting, 'or')} where your next step needs the results, Agent for what can go on by itself.`] : []),
    CHECKED,
  ].join('\n');
}

const COMMON = `- Delegate when the user asks for it, and for work that is independent or would fill this conversation with reading.
  What one or two reads answer, do yourself.
- A subagent sees only its prompt: nothing of this conversation and nothing of its siblings. Put into the prompt the
  goal, the context that it needs, the paths, and the form of the answer you want.`;

function detached(returns: string): string {
  return `- ${returns} at once. The results of the whole group come together, later, as a message of their own. Until then
  you don't know them: don't wait for them, don't guess them; end your turn, or go on with something else.`;
}

function waits(tools: readonly DelegationTool[]): string {
  return `- ${listed(tools)} ${tools.length === 1 ? 'waits' : 'wait'}: the results come with the call. Where the user stops you meanwhile, the subagents go on, and
  their results come later, as a message of their own. Until then you don't know them: don't guess them.`;
}

const CHECKED = '- A result is a claim to be checked. Work that is in review is to be read before anyone marks it completed.';

/** `A`, `A and B`, `A, B and C`. */
function listed(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
