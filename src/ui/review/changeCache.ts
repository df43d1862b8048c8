import { DisposableStore, type Disposable } from '../../runtime/base/lifecycle.ts';
import type { RuntimeEvent } from '../../runtime/domain/events.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { Coalescer } from '../coalesce.ts';
import { fileFacts, type FileFacts } from './fileFacts.ts';

const REFRESH_MS = 500;

/** The files that children changed, for rows: asked when a row is first unfolded, and again after something may be different. */
export class ChangeCache implements Disposable {
  readonly #agent: Pick<LiteAgent, 'reviews' | 'subscribe'>;
  readonly #onStale: (agentId: string) => void;
  readonly #known = new Map<string, Promise<readonly FileFacts[]>>();
  readonly #store = new DisposableStore();
  /** Files that may be different from what is known. */
  readonly #touched = new Set<string>();
  readonly #check: Coalescer;

  /** @param onStale another child or a person changed a file of the child, and its rows now say something else. What the child's own events change isn't told. */
  constructor(agent: Pick<LiteAgent, 'reviews' | 'subscribe'>, onStale: (agentId: string) => void) {
    this.#agent = agent;
    this.#onStale = onStale;
    this.#check = this.#store.add(new Coalescer(REFRESH_MS, () => this.#checkTouched()));
    this.#store.add(agent.subscribe((event) => this.#onEvent(event)));
  }

  /** Rejects as `reviews.changes`, and then asks anew the next time. */
  of(agentId: string): Promise<readonly FileFacts[]> {
    const known = this.#known.get(agentId);
    if (known !== undefined) return known;
    return this.#keep(agentId, this.#agent.reviews.changes(agentId).then((files) => files.map(fileFacts)));
  }

  #keep(agentId: string, asked: Promise<readonly FileFacts[]>): Promise<readonly FileFacts[]> {
    this.#known.set(agentId, asked);
    asked.catch(() => {
      if (this.#known.get(agentId) === asked) this.#known.delete(agentId);
    });
    return asked;
  }

  /** What was known, with these files looked at anew and no others. */
  #renew(agentId: string, known: Promise<readonly FileFacts[]>, paths: ReadonlySet<string>): Promise<readonly FileFacts[]> {
    const look = async (facts: FileFacts): Promise<FileFacts> => (paths.has(facts.path) ? fileFacts(await this.#agent.reviews.file(agentId, facts.path)) : facts);
    return this.#keep(agentId, known.then((files) => Promise.all(files.map(look))));
  }

  dispose(): void {
    this.#store.dispose();
    this.#known.clear();
  }

  #onEvent(event: RuntimeEvent): void {
    switch (event.type) {
      case 'files.changed':
        if (event.agent.kind === 'child') this.#known.delete(event.agent.agentId);
        this.touch(event.changes.map(({ path }) => path));
        break;
      case 'review.decided': {
        const known = this.#known.get(event.agentId);
        if (known !== undefined) void this.#renew(event.agentId, known, new Set([event.decision.path])).catch(() => undefined);
        this.touch([event.decision.path]);
        break;
      }
      case 'worktree.removed':
        this.#known.delete(event.agentId);
        break;
      case 'group.refreshed':
        // Another window's run was read anew: any of its files may be different.
        this.#known.clear();
        break;
      default:
    }
  }

  /** Files that somebody changed, a person in an editor for one. */
  touch(paths: readonly string[]): void {
    if (this.#known.size === 0) return;
    for (const path of paths) this.#touched.add(path);
    if (paths.length > 0) this.#check.schedule();
  }

  #checkTouched(): void {
    const touched = new Set(this.#touched);
    this.#touched.clear();
    for (const [agentId, known] of this.#known) {
      // What can't be read has no rows to refresh.
      this.#checkOne(agentId, known, touched).catch(() => undefined);
    }
  }

  /** A row that is drawn anew loses the click that is on its way, so only what reads differently is told. */
  async #checkOne(agentId: string, known: Promise<readonly FileFacts[]>, touched: ReadonlySet<string>): Promise<void> {
    const before = await known;
    if (this.#known.get(agentId) !== known || !before.some(({ path }) => touched.has(path))) return;
    const now = await this.#renew(agentId, known, touched);
    if (JSON.stringify(now) !== JSON.stringify(before)) this.#onStale(agentId);
  }
}
