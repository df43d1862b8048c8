import { LLMock, type ChatCompletionRequest, type ChatMessage, type FixtureResponse } from '@copilotkit/aimock';

export type { ChatCompletionRequest, ChatMessage } from '@copilotkit/aimock';

/** One request as the server was sent it: the address shows which wire it came on, and the body is in one form for all of them. */
export interface ServedRequest {
  readonly path: string;
  readonly body: ChatCompletionRequest;
}

/** A model behind HTTP that speaks Messages, Responses and Chat Completions, each on its own path. */
export interface ModelServer {
  /** Without a path. */
  readonly url: string;
  /** In the order in which they came. */
  requests(): readonly ServedRequest[];
  stop(): Promise<void>;
}

/** Starts a server on a free loopback port that answers every request as `answer` says. */
export async function startModelServer(answer: (request: ChatCompletionRequest) => FixtureResponse): Promise<ModelServer> {
  const mock = new LLMock({ port: 0 });
  mock.on({ predicate: () => true }, answer);
  await mock.start();
  return {
    url: mock.url,
    requests: () => mock.getRequests().map(({ path, body }) => ({ path, body: body as ChatCompletionRequest })),
    stop: () => mock.stop(),
  };
}

/** Text of a message, whichever form it has. */
export function messageText({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
}

/** What a request says, in the order of its messages. */
export function textsOf(request: ChatCompletionRequest, role: ChatMessage['role']): readonly string[] {
  return request.messages.filter((message) => message.role === role).map(messageText);
}

/** Whether the request offers this tool. */
export function offers(request: ChatCompletionRequest, tool: string): boolean {
  return request.tools?.some((offered) => offered.function.name === tool) ?? false;
}

/** Names of the tools called so far in the conversation. */
export function callsOf(request: ChatCompletionRequest): readonly string[] {
  return request.messages.flatMap((message) => (message.tool_calls ?? []).map((call) => call.function.name));
}
