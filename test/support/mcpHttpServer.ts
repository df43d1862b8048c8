import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. `message`: the JSON-RPC message of a POST. */
export interface McpRequest {
  readonly http: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly message: { readonly id?: number; readonly method?: string; readonly params?: Readonly<Record<string, unknown>> };
}

/**
 * A small MCP server over streamable HTTP with one tool, `look`, that answers whole. `before` may answer a request
 * itself, by returning true. Records every request.
 */
export class McpHttpServer {
  readonly requests: McpRequest[] = [];
  before: (request: McpRequest, response: ServerResponse) => boolean = () => false;
  readonly #server: Server;
  readonly #sessions = new Set<string>();

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(port = 0): Promise<McpHttpServer> {
    const server = new McpHttpServer();
    server.#server.listen(port, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The methods of the messages that came, and of requests without one. */
  get heard(): readonly string[] {
    return this.requests.map(({ http, message }) => message.method ?? http);
  }

  /** As a restart would. */
  forgetSessions(): void {
    this.#sessions.clear();
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method: http = '', url: path = '', headers } = request;
    const received: McpRequest = { http, path, headers, message: body === '' ? {} : (JSON.parse(body) as McpRequest['message']) };
    this.requests.push(received);
    if (!this.before(received, response)) this.#answer(received, response);
  }

  #answer({ http, headers, message: { id, method, params } }: McpRequest, response: ServerResponse): void {
    if (http === 'GET') return void response.writeHead(405).end();
    if (method !== 'initialize' && !this.#sessions.has(String(headers['mcp-session-id']))) return void response.writeHead(404).end('{"error":"no such session"}');
    if (http === 'DELETE') return void response.writeHead(200).end();
    if (id === undefined) return void response.writeHead(202).end();
    const session = `session-${this.requests.length}`;
    if (method === 'initialize') this.#sessions.add(session);
    response.writeHead(200, { 'content-type': 'application/json', ...(method === 'initialize' && { 'mcp-session-id': session }) });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) }));
  }
}

function resultOf(method: string | undefined, params: McpRequest['message']['params']): object {
  if (method === 'initialize') return { protocolVersion: params?.['protocolVersion'], capabilities: { tools: {} }, serverInfo: { name: 'fixture', version: '1' } };
  if (method === 'tools/list') return { tools: [{ name: 'look', inputSchema: { type: 'object' } }] };
  return { content: [{ type: 'text', text: 'seen' }] };
}
