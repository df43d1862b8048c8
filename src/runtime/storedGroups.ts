import { mapLimited } from './base/async.ts';
import { errorText } from './base/errors.ts';
import type { GroupView } from './domain/agents.ts';
import type { Publish, RuntimeEvent } from './domain/events.ts';
import type { Claims } from './store/claims.ts';
import type { GroupFolder } from './store/groupFolder.ts';
import { GroupRecord } from './store/groupRecord.ts';
import type { GroupTail } from './store/groupTail.ts';
import type { RunProjection } from './store/projection.ts';
import { inOrderOfRounds, roundsOf, type DatedGroup } from './store/roundOrder.ts';

const PARALLEL_READS = 32;

export interface StoredGroupsOptions {
  readonly folder: Pick<GroupFolder, 'list' | 'tail' | 'readView' | 'writeView'>;
  readonly claims: Pick<Claims, 'take' | 'release'>;
  readonly projection: RunProjection;
  readonly publish: Publish;
  readonly isAlive: (hostId: string) => Promise<boolean>;
  /** Goes on with a group whose host is gone. */
  readonly adopt: (record: GroupRecord) => void;
  /** Resolves when all that was published about a group so far is stored. Never rejects. */
  readonly stored: (groupId: string) => Promise<void>;
}

/** A group that is read from its log: another window's, or not yet known whose. */
interface LoggedGroup {
  readonly tail: GroupTail;
  readonly record: GroupRecord;
}

/** A group as it was found at start. */
type FoundGroup = DatedGroup &
  ({ readonly kind: 'view'; readonly view: GroupView } | { readonly kind: 'log'; readonly events: readonly RuntimeEvent[]; readonly logged: LoggedGroup });

/** The groups of a storage folder that this host didn't accept itself: restored at start, then watched until they are done or this host's. */
export class StoredGroups {
  readonly #options: StoredGroupsOptions;
  readonly #watched = new Map<string, LoggedGroup>();
  /** Those whose log makes no sense: told once, and looked at no more. */
  readonly #unusable = new Set<string>();
  /** What each group was claimed from, until its log says whose it is, or until it is delivered. */
  readonly #claimedFrom = new Map<string, string>();
  #refreshing: Promise<void> | undefined;
  #isRestored = false;

  constructor(options: StoredGroupsOptions) {
    this.#options = options;
  }

  /** True while another window runs a group. */
  get isWatching(): boolean {
    return this.#watched.size > 0;
  }

  /** Reads everything, in order of acceptance, and takes over what nobody looks after. Rejects where the folder can't be read. */
  async restore(): Promise<void> {
    const { projection, folder } = this.#options;
    const { all, viewed } = await folder.list();
    const groups = await mapLimited(all, PARALLEL_READS, (groupId) => this.#find(groupId, viewed.has(groupId)));
    const found = inOrderOfRounds(groups.filter((group) => group !== undefined));
    for (const group of found) {
      if (group.kind === 'view') projection.restore(group.view);
      else this.#show(group.logged.tail, group.events);
    }
    for (const group of found) if (group.kind === 'log') await this.#place(group.logged);
    this.#isRestored = true;
  }

  /** Looks at what other windows did since the groups were restored. Calls at the same time share one look. Never rejects: what goes wrong is a `problem`. */
  async refresh(): Promise<void> {
    // A start that waits for others may take longer than until the first sign of life.
    if (!this.#isRestored) return;
    this.#refreshing ??= this.#refresh()
      .catch((error: unknown) => this.#report(`The groups of other windows can't be read: ${errorText(error)}`))
      .finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /**
   * Makes sure that no other window starts the same round, taking in what they did right before. Resolves to what gives
   * that up, or to nothing where another has it. Rejects with the system's error.
   */
  async claimRound(agentId: string, round: number): Promise<(() => Promise<void>) | undefined> {
    const subject = `${agentId}.round${round}`;
    if (!(await this.#options.claims.take(subject, 'free'))) return undefined;
    // A look that is under way may have been at that place already.
    await this.#refreshing;
    await this.refresh();
    return () => this.#release(subject, 'free');
  }

  /** Stores how a group ended, of which nothing is left to do, where it is quickly found at the next start. Never rejects. */
  async close(groupId: string): Promise<void> {
    const { stored, projection, folder } = this.#options;
    await stored(groupId);
    const view = projection.group(groupId);
    if (view) await folder.writeView(view);
    await this.#giveUpClaim(groupId);
  }

  async #release(subject: string, from: string): Promise<void> {
    await this.#options.claims.release(subject, from).catch((error: unknown) => this.#report(`A claim on ${subject} was not released: ${errorText(error)}`));
  }

  async #find(groupId: string, hasView: boolean): Promise<FoundGroup | undefined> {
    const view = hasView ? this.#options.folder.readView(groupId) : undefined;
    if (view) return { kind: 'view', view, createdAt: view.createdAt, rounds: roundsOf(view) };
    const tail = this.#options.folder.tail(groupId);
    try {
      const events = await tail.read();
      return this.#begin(tail, groupId, events);
    } catch (error) {
      this.#reject(groupId, tail, `can't be read (${errorText(error)}); the group is left out`);
      return undefined;
    }
  }

  #begin(tail: GroupTail, groupId: string, events: readonly RuntimeEvent[]): FoundGroup | undefined {
    const accepted = events.find((event) => event.type === 'group.accepted');
    if (accepted?.type !== 'group.accepted' || accepted.group.groupId !== groupId) {
      // A log may be empty because its host is writing its first line just now.
      if (events.length > 0 || tail.damaged > 0) this.#reject(groupId, tail, 'does not say which group it is of; the group is left out');
      return undefined;
    }
    if (tail.damaged > 0) this.#reportDamage(tail, tail.damaged);
    const record = new GroupRecord(accepted);
    for (const event of events) record.apply(event);
    return { kind: 'log', events, logged: { tail, record }, createdAt: accepted.at, rounds: roundsOf(accepted.group) };
  }

  #reject(groupId: string, { path }: GroupTail, why: string): void {
    if (this.#unusable.has(groupId)) return;
    this.#unusable.add(groupId);
    this.#report(`${path} ${why}.`);
  }

  async #refresh(): Promise<void> {
    const { folder, projection, publish } = this.#options;
    const { all } = await folder.list();
    for (const groupId of all) {
      if (this.#watched.has(groupId) || this.#unusable.has(groupId) || projection.has(groupId)) continue;
      const found = await this.#find(groupId, false);
      // It may be this host's own by now: then its events came by themselves.
      if (found?.kind !== 'log' || projection.has(groupId)) continue;
      this.#show(found.logged.tail, found.events);
      await this.#place(found.logged);
      this.#tellRefreshed(groupId, publish);
    }
    for (const logged of [...this.#watched.values()]) {
      const { groupId } = logged.record.spec;
      const hasGrown = await this.#readOn(logged);
      await this.#place(logged);
      if (hasGrown || !this.#watched.has(groupId)) this.#tellRefreshed(groupId, publish);
    }
  }

  /** One group that can't be placed costs no other anything: it is shown as another window's. Never rejects. */
  async #place(logged: LoggedGroup): Promise<void> {
    const { groupId } = logged.record.spec;
    try {
      await this.#decide(logged);
    } catch (error) {
      this.#watched.delete(groupId);
      this.#options.projection.setElsewhere(groupId, true);
      this.#reject(groupId, logged.tail, `could not be taken over (${errorText(error)}); until the next start it can be looked at only`);
    }
  }

  /** Decides who looks after a group: nobody any more, another window, or this one. */
  async #decide(logged: LoggedGroup): Promise<void> {
    const { isAlive, claims, projection, adopt, stored } = this.#options;
    const { record } = logged;
    const { groupId } = record.spec;
    if (record.isDelivered) return this.#finish(groupId);
    const { owner } = record;
    if ((await isAlive(owner)) || !(await claims.take(groupId, owner))) {
      this.#watched.set(groupId, logged);
      projection.setElsewhere(groupId, true);
      return;
    }
    // Another window may have had the claim before, and done it all.
    await this.#readOn(logged);
    if (record.isDelivered || record.owner !== owner) {
      await this.#release(groupId, owner);
      return this.#decide(logged);
    }
    this.#watched.delete(groupId);
    projection.setElsewhere(groupId, false);
    this.#claimedFrom.set(groupId, owner);
    adopt(record);
    await stored(groupId);
    if (await this.#namesAnother(logged, owner)) await this.#giveUpClaim(groupId);
  }

  /**
   * Whether the log says by now that a group is no more the host's it was taken over from. Where only what follows from
   * the ends of its children was left to do, or where the log can't be written, nothing but the claim says so.
   */
  async #namesAnother({ tail, record }: LoggedGroup, before: string): Promise<boolean> {
    try {
      for (const event of await tail.read()) record.apply(event);
    } catch (error) {
      this.#report(`${tail.path} can't be read (${errorText(error)}); the claim on the group is kept.`);
    }
    return record.owner !== before;
  }

  async #giveUpClaim(groupId: string): Promise<void> {
    const from = this.#claimedFrom.get(groupId);
    if (from === undefined) return;
    this.#claimedFrom.delete(groupId);
    await this.#release(groupId, from);
  }

  async #finish(groupId: string): Promise<void> {
    this.#watched.delete(groupId);
    this.#options.projection.setElsewhere(groupId, false);
    await this.close(groupId);
  }

  async #readOn({ tail, record }: LoggedGroup): Promise<boolean> {
    const before = tail.damaged;
    const events = await tail.read();
    if (tail.damaged > before) this.#reportDamage(tail, tail.damaged - before);
    for (const event of events) record.apply(event);
    this.#show(tail, events);
    return events.length > 0;
  }

  /** An event that makes no sense after all costs itself only: no other of its group, and no other group. */
  #show({ path }: GroupTail, events: readonly RuntimeEvent[]): void {
    for (const event of events) {
      try {
        this.#options.projection.apply(event);
      } catch (error) {
        this.#report(`${path}: a line of type ${event.type} makes no sense and was left out (${errorText(error)}).`);
      }
    }
  }

  #reportDamage({ path }: GroupTail, lines: number): void {
    this.#report(`${path}: ${lines} damaged ${lines === 1 ? 'line was' : 'lines were'} left out.`);
  }

  /** The rows of children that go on in this group may be in others. */
  #tellRefreshed(groupId: string, publish: Publish): void {
    const view = this.#options.projection.group(groupId);
    if (!view) return;
    const homes = view.children.map((child) => child.groupId);
    for (const id of new Set([groupId, ...homes])) publish({ type: 'group.refreshed', sessionId: view.sessionId, groupId: id });
  }

  #report(message: string): void {
    this.#options.publish({ type: 'problem', message });
  }
}
