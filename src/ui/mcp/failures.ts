import type { ServerView } from '../../runtime/domain/mcp.ts';

/** Which failures of servers are worth telling: a server's first, and the first after it was ready. Each turn tries a failed one again, which is no news. */
export class ServerFailures {
  readonly #told = new Set<string>();

  /** Whether this is news of a failure. */
  isNews({ name, status }: Pick<ServerView, 'name' | 'status'>): boolean {
    if (status === 'ready') this.#told.delete(name);
    if (status !== 'failed' || this.#told.has(name)) return false;
    this.#told.add(name);
    return true;
  }
}
