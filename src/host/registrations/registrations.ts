import type { PanelAgent, PanelSkill, PanelTool } from '../../api.ts';
import { Emitter } from '../../runtime/base/emitter.ts';
import { AppError, errorText } from '../../runtime/base/errors.ts';
import { toDisposable, type Disposable } from '../../runtime/base/lifecycle.ts';
import { nameKey } from '../../runtime/base/names.ts';
import type { AgentCapabilities, SubAgentEntry } from '../../runtime/domain/capabilities.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { SkillDefinition } from '../../runtime/domain/skills.ts';
import type { ToolDefinition } from '../../runtime/domain/tools.ts';
import { checkedAgent, checkedSkill, checkedTool } from './registrationChecks.ts';

/** Things of other extensions by their names, in which case doesn't count. */
type Named<T> = Map<string, { readonly name: string; readonly thing: T }>;

/** What other extensions have added for the root: tools, kinds of subagents, skills. Each is there until it is disposed of, or until this is. */
export class Registrations implements Disposable {
  readonly #tools: Named<ToolDefinition> = new Map();
  readonly #agents: Named<SubAgentEntry> = new Map();
  readonly #skills: Named<SkillDefinition> = new Map();
  readonly #changed: Emitter<void>;

  constructor(log: Log) {
    this.#changed = new Emitter((error) => log.error(`registrations: ${errorText(error)}`));
  }

  /** Another set of agents than before. Tools and skills are looked up at each turn. */
  onDidChangeAgents(listener: () => void): Disposable {
    return this.#changed.event(listener);
  }

  /** Each throws `invalid_input` for what can't be used, with why, and `conflict` for a name that is taken. */
  addTool(tool: PanelTool): Disposable {
    const checked = checkedTool(tool);
    return add(this.#tools, checked.name, checked, 'tool');
  }

  addAgent(name: string, agent: PanelAgent): Disposable {
    const added = add(this.#agents, name, checkedAgent(name, agent), 'agent');
    this.#changed.fire();
    return toDisposable(() => {
      added.dispose();
      this.#changed.fire();
    });
  }

  addSkill(skill: PanelSkill): Disposable {
    const checked = checkedSkill(skill);
    return add(this.#skills, checked.name, checked, 'skill');
  }

  agents(): Readonly<Record<string, SubAgentEntry>> {
    return Object.fromEntries([...this.#agents.values()].map(({ name, thing }) => [name, thing]));
  }

  /** The root's own tools and skills: at each look what there is then. `found`: the skills in folders, which win by name. */
  capabilities(found: () => readonly SkillDefinition[]): AgentCapabilities {
    const [tools, skills] = [this.#tools, this.#skills];
    return {
      get customTools() {
        return things(tools);
      },
      get skills() {
        const inFolders = found();
        return [...inFolders, ...things(skills).filter(({ name }) => !inFolders.some((one) => nameKey(one.name) === nameKey(name)))];
      },
    };
  }

  dispose(): void {
    this.#changed.dispose();
    for (const named of [this.#tools, this.#agents, this.#skills]) named.clear();
  }
}

function add<T>(to: Named<T>, name: string, thing: T, kind: 'tool' | 'agent' | 'skill'): Disposable {
  const key = nameKey(name);
  const taken = to.get(key);
  if (taken !== undefined) throw new AppError('conflict', `The ${kind} ${JSON.stringify(name)} can't be registered: another extension has registered ${JSON.stringify(taken.name)}. Give it another name.`);
  const entry = { name, thing };
  to.set(key, entry);
  return toDisposable(() => {
    // Everything may have been ended meanwhile, and the name taken anew.
    if (to.get(key) === entry) to.delete(key);
  });
}

function things<T>(named: Named<T>): readonly T[] {
  return [...named.values()].map(({ thing }) => thing);
}
