import { toolCallsOf, type Message } from '../domain/messages.ts';
import type { ToolSchema } from '../domain/models.ts';
import type { DeferredTools, ToolDefinition } from '../domain/tools.ts';
import type { ResolvedAgent } from './resolveAgent.ts';
import { wireName } from './wireNames.ts';

/**
 * The tools of one agent over time: looked up anew at each model turn and each call, so that a server's new tools,
 * or none any more, count at once. `activated` holds the deferred tools that it has found, by the names that its model calls.
 */
export class AgentTools {
  readonly #resolve: (activated: ReadonlySet<string>) => ResolvedAgent;
  readonly #activated: Set<string>;

  constructor(resolve: (activated: ReadonlySet<string>) => ResolvedAgent, activated = new Set<string>()) {
    this.#resolve = resolve;
    this.#activated = activated;
  }

  current(): ResolvedAgent {
    return this.#resolve(this.#activated);
  }

  /** What the model is told. */
  schemas(): readonly ToolSchema[] {
    const agent = this.current();
    return agent.tools.map((tool) => ({ name: wireName(tool.name), description: tool.descriptionFor?.(agent) ?? tool.description, inputSchema: tool.inputSchema }));
  }

  /** The tool that a model calls by that name; nothing where the agent has none such now. */
  find(calledName: string): ToolDefinition | undefined {
    return this.current().tools.find(({ name }) => wireName(name) === calledName);
  }

  /** This agent's catalogue, for the context of a call. */
  readonly deferred: DeferredTools = {
    list: () => this.current().deferred,
    activate: (names) => {
      const known = this.current().deferred.map(({ name }) => name);
      for (const name of names) if (known.includes(name)) this.#activated.add(wireName(name));
    },
  };
}

/** The names of the tools that a conversation has called so far: what was found once needn't be looked for again when it goes on. */
export function calledTools(messages: readonly Message[]): Set<string> {
  return new Set(messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message).map(({ name }) => name) : [])));
}
