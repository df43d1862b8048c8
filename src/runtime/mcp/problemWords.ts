/** Why a server can't be used, for those who only hear these words. */
export function unavailableWords(server: string, why: string): string {
  return `${head(server)}${why}`;
}

/** The same for those who see the name beside it. */
export function whyUnavailable(server: string, words: string): string {
  return words.startsWith(head(server)) ? words.slice(head(server).length) : words;
}

function head(server: string): string {
  return `The MCP server ${server} isn't available. `;
}
