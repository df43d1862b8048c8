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

/** What a call would do, beside the name of its tool: of a server's tool that is its input alone. */
export function actionWords({ tool, action }: ToldCall): string {
  return toolWords(tool) !== tool && action.startsWith(`${tool} `) ? action.slice(tool.length + 1) : action;
}
