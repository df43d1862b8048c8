import { canonicalJson } from '../base/json.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { RunOutcome } from '../domain/agents.ts';
import type { ToolGate } from '../domain/gate.ts';
import { maskSecrets } from '../permissions/record.ts';

/** More would only repeat what the first ones say. */
const MAX_LISTED = 20;
const LENGTH = 200;

/** A gate that keeps in mind what it refused and didn't let through later, for the outcome of the run that it guards. */
export function watchRefusals(gate: ToolGate): { readonly gate: ToolGate; readonly added: (outcome: RunOutcome) => RunOutcome } {
  const refused = new Map<string, string>();
  return {
    gate: async (call) => {
      const answer = await gate(call);
      const key = canonicalJson([call.tool.name, call.input]);
      if (answer.allowed) refused.delete(key);
      else refused.set(key, refusalText(answer));
      return answer;
    },
    added: (outcome) => (refused.size === 0 ? outcome : { ...outcome, refused: listed([...new Set(refused.values())]) }),
  };
}

/** What was refused, and the reason in the words that the agent heard. */
function refusalText({ action, message }: { readonly action: string; readonly message: string }): string {
  return `${shortLine(action)} (${shortLine(message)})`;
}

/** Masked between cleaning and cutting: cleaning may put a secret together, and half of one isn't known as one. */
function shortLine(text: string): string {
  return truncate(String(maskSecrets(oneLine(text))), LENGTH);
}

function listed(refused: readonly string[]): readonly string[] {
  const more = refused.length - MAX_LISTED;
  return more > 0 ? [...refused.slice(0, MAX_LISTED), `and ${more} more`] : refused;
}
