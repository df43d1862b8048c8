/** A call as requests and records tell it. */
interface ToldCall {
  readonly tool: string;
  readonly action: string;
}

/** The name of a tool for people: `everything: echo` for the tool `echo` of the MCP server `everything`, any other as it is. */
export function toolWords(tool: string): string {
  const [, server, name] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? [];
  return server === undefined || name === undefined ? tool : `${server}: ${name}`;
}

/** Whether it is a tool of an MCP server. */
export function isServerTool(tool: string): boolean {
  return toolWords(tool) !== tool;
}

/** A call in a line of its own: `everything: echo {"message":"hi"}`. */
export function callWords(call: ToldCall): string {
  return isServerTool(call.tool) ? `${toolWords(call.tool)} ${actionWords(call)}`.trim() : call.action;
}

/** What a call would do, beside the name of its tool: of a server's tool that is its input alone. */
export function actionWords({ tool, action }: ToldCall): string {
  return isServerTool(tool) && action.startsWith(`${tool} `) ? action.slice(tool.length + 1) : action;
}
