import * as vscode from 'vscode';
import { until } from './hostEvents.ts';

/** A request as the other extension's model gets it. */
export interface ServedRequest {
  readonly id: string;
  readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly report: (part: vscode.LanguageModelResponsePart) => void;
  readonly token: vscode.CancellationToken;
}

interface Script {
  respond: (request: ServedRequest) => Promise<void>;
  offer(ids: readonly string[]): void;
}

export const SCRIPTED_VENDOR = 'scripted';

/** The models of the extension in the fixtures, which runs beside ours as any other does. */
export class ScriptedModels {
  readonly #script: Script;
  readonly #served = new vscode.EventEmitter<ServedRequest>();
  readonly requests: ServedRequest[] = [];
  /** A request was answered, or its answer failed. */
  readonly onDidServe = this.#served.event;

  private constructor(script: Script) {
    this.#script = script;
  }

  static async start(): Promise<ScriptedModels> {
    const extension = vscode.extensions.getExtension<Script>('fixture.scripted-models');
    if (!extension) throw new Error('The extension with the scripted models is not there.');
    return new ScriptedModels(await extension.activate());
  }

  /** Offers these models, and no others, and waits until VS Code knows. */
  async offer(...ids: readonly string[]): Promise<void> {
    this.#script.offer(ids);
    await until(`the models ${ids.join()}`, vscode.lm.onDidChangeChatModels, async () => (await vscode.lm.selectChatModels({ vendor: SCRIPTED_VENDOR })).map(({ id }) => id).join() === ids.join());
  }

  /** Says what the models answer. Throwing fails the request, as it does for any extension. */
  answer(respond: (request: ServedRequest) => Promise<void> | void): void {
    this.requests.length = 0;
    this.#script.respond = async (request) => {
      this.requests.push(request);
      try {
        await respond(request);
      } finally {
        this.#served.fire(request);
      }
    };
  }
}

/** The texts of the request, results of tools included. */
export function textsOf({ messages }: ServedRequest): readonly string[] {
  return messages.flatMap(({ content }) => content.flatMap(textsIn));
}

/** Whether the model may call this tool. */
export function offers({ options }: ServedRequest, name: string): boolean {
  return options.tools?.some((tool) => tool.name === name) === true;
}

/** Names of the tools whose results the conversation holds. */
export function resultsOf({ messages }: ServedRequest): readonly string[] {
  const names = new Map(messages.flatMap(({ content }) => content.flatMap((part) => (part instanceof vscode.LanguageModelToolCallPart ? [[part.callId, part.name] as const] : []))));
  return messages.flatMap(({ content }) => content.flatMap((part) => (part instanceof vscode.LanguageModelToolResultPart ? [names.get(part.callId) ?? 'no call'] : [])));
}

function textsIn(part: unknown): readonly string[] {
  if (part instanceof vscode.LanguageModelTextPart) return [part.value];
  return part instanceof vscode.LanguageModelToolResultPart ? part.content.flatMap(textsIn) : [];
}
