import { errorText } from '../base/errors.ts';
import { wireName } from '../base/wireNames.ts';
import { textOf, toolCallsOf, type Message } from '../domain/messages.ts';
import type { ToolSchema } from '../domain/models.ts';
import type { DeferredTools, JsonSchema, ToolDefinition } from '../domain/tools.ts';
import { foundIn } from '../tools/findTool.ts';
import type { ResolvedAgent } from './resolveAgent.ts';

/**
 * The tools of one agent over time: looked up anew at each model turn and each call, so that a server's new tools,
 * or none any more, count at once. `report` is told, in a sentence, what is wrong with a tool. `activated` holds the
 * deferred tools that the agent has found, by the names that its model calls.
 */
export class AgentTools {
  readonly #resolve: (activated: ReadonlySet<string>) => ResolvedAgent;
  readonly #report: (problem: string) => void;
  readonly #activated: Set<string>;
  readonly #reported = new WeakSet<ToolDefinition>();

  constructor(resolve: (activated: ReadonlySet<string>) => ResolvedAgent, report: (problem: string) => void, activated = new Set<string>()) {
    this.#resolve = resolve;
    this.#report = report;
    this.#activated = activated;
  }

  current(): ResolvedAgent {
    return this.#resolve(this.#activated);
  }

  /** What the model is told. */
  schemas(): readonly ToolSchema[] {
    const agent = this.current();
    return agent.tools.map((tool) => this.schema(tool, agent));
  }

  /** What the model is told of one tool of the agent. */
  schema(tool: ToolDefinition, agent: ResolvedAgent): ToolSchema {
    return { name: wireName(tool.name), description: this.#describe(tool, agent), inputSchema: this.#schemaOf(tool) };
  }

  /** The tool that a model calls by that name; nothing where the agent has none such now. */
  find(calledName: string): ToolDefinition | undefined {
    return this.current().tools.find(({ name }) => wireName(name) === calledName);
  }

  /** Whether the agent has a tool that its model calls by that name, and that waits to be found. */
  isDeferred(calledName: string): boolean {
    return this.current().deferred.some(({ name }) => wireName(name) === calledName);
  }

  /** The name of the tool that takes the one into use that its model calls by that name, and that waits for that. */
  leaderOf(calledName: string): string | undefined {
    return this.current().companions.find(({ name }) => wireName(name) === calledName)?.comesWith;
  }

  /** This agent's catalogue, for the context of a call. */
  readonly deferred: DeferredTools = {
    list: () => this.current().deferred,
    activate: (names) => {
      const { deferred, companions } = this.current();
      const known = [...deferred, ...companions].map(({ name }) => name);
      for (const name of names) if (known.includes(name)) this.#activated.add(wireName(name));
    },
  };

  /** This and `schemaFor` are the tool's own code: a defect there must not cost the agent its turn. */
  #describe(tool: ToolDefinition, agent: ResolvedAgent): string {
    try {
      const description: unknown = tool.descriptionFor?.(agent) ?? tool.description;
      if (typeof description === 'string') return description;
      this.#reportOnce(tool, 'its description is no text.');
    } catch (error) {
      this.#reportOnce(tool, errorText(error));
    }
    return typeof tool.description === 'string' ? tool.description : '';
  }

  /** A provider refuses the whole request for one schema that isn't an object's. */
  #schemaOf(tool: ToolDefinition): JsonSchema {
    const schema = [this.#toldSchema(tool), (tool as Partial<ToolDefinition>).inputSchema].find((one) => one?.['type'] === 'object');
    if (schema) return schema;
    this.#reportOnce(tool, 'its schema is not that of an object.');
    return { type: 'object' };
  }

  #toldSchema(tool: ToolDefinition): JsonSchema | undefined {
    try {
      return tool.schemaFor?.();
    } catch (error) {
      this.#reportOnce(tool, errorText(error));
      return undefined;
    }
  }

  #reportOnce(tool: ToolDefinition, why: string): void {
    if (this.#reported.has(tool)) return;
    this.#reported.add(tool);
    this.#report(`${tool.name} could not describe itself: ${why}`);
  }
}

/** The tools that a conversation has found or called so far, by the names that its model calls: what was found once needn't be looked for again when it goes on. */
export function foundTools(messages: readonly Message[]): Set<string> {
  return new Set(
    messages.flatMap((message) => {
      switch (message.role) {
        case 'assistant':
          return toolCallsOf(message).map(({ name }) => name);
        case 'tool':
          return message.results.flatMap((result) => (result.name === 'FindTool' ? foundIn(textOf(result.content)) : []));
        case 'user':
          return [];
      }
    }),
  );
}
