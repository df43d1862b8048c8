import { tiersOf } from './agent/currentModel.ts';
import { effectiveRoot } from './agent/rootCapabilities.ts';
import { createCronTools } from './cron/cronTools.ts';
import type { ToolLists } from './agent/toolLists.ts';
import { entryDefinitions } from './definitions/entries.ts';
import type { DefinitionSettings } from './definitions/registry.ts';
import type { RuntimeEnvironment } from './domain/environment.ts';
import type { LiteAgentOptions, LiveOptions } from './domain/liteAgent.ts';
import type { ToolDefinition } from './domain/tools.ts';
import { createRuntimeEnvironment } from './environment.ts';
import { ModelAccess } from './modelAccess.ts';
import { serviceTools } from './serviceTools.ts';
import type { TrackedTaskTools } from './tasks/trackedTaskTools.ts';

const DEFAULTS = { maxParallelSubagents: 5, maxTasksPerCall: 20, maxTurns: 50 } as const;

/** The options of an agent as they are now, and what follows from them. */
export class RuntimeState {
  readonly models: ModelAccess = new ModelAccess(() => this.#options);
  readonly #environment: RuntimeEnvironment | undefined;
  readonly #taskTools: TrackedTaskTools;
  readonly #cronTools: readonly ToolDefinition[];
  #options: LiteAgentOptions;
  #tools: { readonly key: string; readonly tools: readonly ToolDefinition[] } | undefined;

  /** `environment`: where that is made already; its tools are then all built-in tools that there are, but for those of the task list and of scheduled prompts. */
  constructor(options: LiteAgentOptions, environment: RuntimeEnvironment | undefined, taskTools: TrackedTaskTools = { root: [], children: [] }) {
    this.#options = options;
    this.#environment = environment;
    this.#taskTools = taskTools;
    this.#cronTools = options.cron ? createCronTools(options.cron) : [];
  }

  /** With the defaults of numbers. */
  get options(): LiteAgentOptions & Readonly<Record<keyof typeof DEFAULTS, number>> {
    return { ...DEFAULTS, ...this.#options };
  }

  change(options: Partial<LiveOptions>): void {
    this.#options = { ...this.#options, ...options };
  }

  /** The built-in tools of the root. */
  rootBuiltins(): readonly ToolDefinition[] {
    return withFurther(this.#shared(), [...this.#taskTools.root, ...this.#cronTools]);
  }

  /** The built-in tools that children may inherit. */
  childBuiltins(): readonly ToolDefinition[] {
    return withFurther(this.#shared(), this.#taskTools.children);
  }

  /** Made anew only when what they depend on has changed, so that every agent shares one set and its compiled schemas. */
  #shared(): readonly ToolDefinition[] {
    if (this.#environment) return this.#environment.builtinTools;
    const key = JSON.stringify([this.#options.shell, this.#options.shellEnv, serviceTools(this.#options).map(({ name }) => name)]);
    if (this.#tools?.key !== key) this.#tools = { key, tools: createRuntimeEnvironment(this.#options).builtinTools };
    return this.#tools.tools;
  }

  /** What the root is limited to, which narrows what its children inherit. */
  rootLists(): ToolLists {
    return effectiveRoot(this.#options).capabilities ?? {};
  }

  /** What definitions are loaded from and read against. `skills`: names of those that there are. */
  definitionSettings(skills: readonly string[]): DefinitionSettings {
    const { agents = {}, subAgents = {}, model, models, mcpServers = {} } = this.#options;
    return {
      folders: agents,
      inCode: entryDefinitions(subAgents),
      servers: Object.keys(mcpServers),
      skills,
      ...(models && { tiers: tiersOf(models) }),
      // Behind another address stand other models, whatever the protocol.
      ...(model.baseUrl === undefined && { vendor: model.provider }),
    };
  }
}

/** Of two tools with one name the host's is taken. */
function withFurther(tools: readonly ToolDefinition[], further: readonly ToolDefinition[]): readonly ToolDefinition[] {
  return [...tools, ...further.filter(({ name }) => !tools.some((tool) => tool.name === name))];
}
