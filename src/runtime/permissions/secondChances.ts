import { canonicalJson } from '../base/json.ts';
import type { RefusedCall } from '../domain/approvals.ts';
import type { GatedCall } from '../domain/gate.ts';

/** Of each child; older ones are forgotten. */
const MAX_CALLS = 20;

interface Chance {
  readonly call: RefusedCall;
  isGranted: boolean;
}

/**
 * Calls of children that were refused without a rule against them, and those among them that a person allows once
 * after all. In memory only. A call is the same where tool, input and the files that it means are.
 */
export class SecondChances {
  readonly #chances = new Map<string, Map<string, Chance>>();

  /** The call was refused. `paths`: the real ones of all files that it means. */
  refused(call: GatedCall, paths: readonly string[], words: Pick<RefusedCall, 'action' | 'why'>): void {
    const { agent, callId, tool, input } = call;
    if (agent.kind === 'root') return;
    const own = this.#of(agent.agentId);
    const key = keyOf(tool.name, input, paths);
    own.delete(key);
    own.set(key, { call: { agent, callId, tool: tool.name, ...words }, isGranted: false });
    for (const oldest of [...own.keys()].slice(0, -MAX_CALLS)) own.delete(oldest);
  }

  /** The child's calls that can be granted, oldest first. */
  list(agentId: string): readonly RefusedCall[] {
    return [...(this.#chances.get(agentId)?.values() ?? [])].flatMap(({ call, isGranted }) => (isGranted ? [] : [call]));
  }

  /** Lets the call through the next time. Nothing where it isn't known as refused, or is granted already. */
  grant(agentId: string, callId: string): RefusedCall | undefined {
    const chance = this.#find(agentId, callId);
    if (!chance || chance.isGranted) return undefined;
    chance.isGranted = true;
    return chance.call;
  }

  /** Takes a grant back that wasn't used. */
  revoke(agentId: string, callId: string): void {
    const chance = this.#find(agentId, callId);
    if (chance) chance.isGranted = false;
  }

  /** The call is made again: whatever becomes of it now, its chance is gone. True where it was granted. */
  take({ agent, tool, input }: GatedCall, paths: readonly string[]): boolean {
    if (agent.kind === 'root') return false;
    const own = this.#chances.get(agent.agentId);
    const key = keyOf(tool.name, input, paths);
    const isGranted = own?.get(key)?.isGranted === true;
    own?.delete(key);
    return isGranted;
  }

  /** The child's run is over: what was granted and not used counts as refused again. */
  endRun(agentId: string): void {
    for (const chance of this.#chances.get(agentId)?.values() ?? []) chance.isGranted = false;
  }

  #find(agentId: string, callId: string): Chance | undefined {
    return [...(this.#chances.get(agentId)?.values() ?? [])].find(({ call }) => call.callId === callId);
  }

  #of(agentId: string): Map<string, Chance> {
    const own = this.#chances.get(agentId) ?? new Map<string, Chance>();
    this.#chances.set(agentId, own);
    return own;
  }
}

function keyOf(tool: string, input: unknown, paths: readonly string[]): string {
  return canonicalJson([tool, input, paths]);
}
