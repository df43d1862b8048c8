/** Why a server can't be used now, for those who only hear these words. */
export function unavailableWords(server: string, why: string): string {
  return `The MCP server ${server} isn't available. ${why}`;
}

/** Why it can't be used as it is configured, for the same. */
export function unusableWords(server: string, why: string): string {
  return `The MCP server ${JSON.stringify(server)} can't be used. ${why}`;
}

/** The same for those who see its name, and that it failed, beside it. */
export function whyWords(server: string, words: string): string {
  const head = [unavailableWords(server, ''), unusableWords(server, '')].find((each) => words.startsWith(each)) ?? '';
  return words.slice(head.length);
}
