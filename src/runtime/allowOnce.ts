import { AppError } from './base/errors.ts';
import { oneLine, truncate } from './base/text.ts';
import type { ChildView, GroupSpec } from './domain/agents.ts';
import type { RefusedCall } from './domain/approvals.ts';
import type { Publish } from './domain/events.ts';
import { maskSecrets } from './permissions/record.ts';
import type { SecondChances } from './permissions/secondChances.ts';

export interface AllowOnceDeps {
  readonly chances: SecondChances;
  readonly child: (agentId: string) => ChildView | undefined;
  readonly resume: (agentId: string, prompt: string) => Promise<GroupSpec>;
  /** See `LiteAgent.tellChild`. */
  readonly tell: (agentId: string, text: string) => Promise<void>;
  readonly publish: Publish;
}

/** See `ApprovalAccess.allowOnce`. */
export async function allowOnce(agentId: string, callId: string, deps: AllowOnceDeps): Promise<void> {
  const { chances, publish } = deps;
  const call = chances.grant(agentId, callId);
  if (!call) throw new AppError('not_found', 'This call can\'t be allowed any more: it was allowed or made again since. Resume the subagent with a prompt that says what to do.');
  try {
    await letTry(agentId, call, deps);
  } catch (error) {
    chances.revoke(agentId, callId);
    throw error;
  }
  const { agent, tool, action } = call;
  publish({ type: 'permission.granted', agent, callId, tool, action, why: 'A person allowed it after it had been refused.' });
}

async function letTry(agentId: string, call: RefusedCall, { child, resume, tell }: AllowOnceDeps): Promise<void> {
  const status = child(agentId)?.status;
  switch (status) {
    case undefined:
      throw new AppError('not_found', `There is no subagent ${agentId} any more. Delegate its work anew.`);
    case 'queued':
      throw new AppError('conflict', 'The subagent waits for its turn. Allow the call once it runs.');
    case 'running':
      return tell(agentId, allowedText(call));
    case 'interrupted':
    case 'completed':
    case 'failed':
    case 'cancelled':
      await resume(agentId, `${allowedText(call)} Then finish the task that you were given, and give the whole result in your last message.`);
  }
}

/** For the child, which knows its call: no secret of it is needed to name it. */
function allowedText({ tool, action }: RefusedCall): string {
  const words = truncate(String(maskSecrets(oneLine(action))), 200);
  return `A person has looked at a call of yours that was refused, and allows it once: ${tool}, ${words}. Make that call again with exactly the same input; any other input is judged anew.`;
}
