import type { Checkpoints } from '../domain/ports.ts';
import type { ChangeLog } from '../store/changeLog.ts';

/** What was accepted last of each file of a child, by path; `undefined` is no file. Rejects with `not_found` where it isn't kept any more. */
export async function acceptedContents(agentId: string, changes: Pick<ChangeLog, 'read'>, { read }: Pick<Checkpoints, 'read'>): Promise<ReadonlyMap<string, { readonly bytes: Uint8Array | undefined }>> {
  const { events } = await changes.read(agentId);
  const last = new Map(events.flatMap((event) => (event.type === 'review.decided' && event.decision.verdict === 'accepted' ? [[event.decision.path, event.decision.content] as const] : [])));
  return new Map(await Promise.all([...last].map(async ([path, state]) => [path, { bytes: state.kind === 'kept' ? await read(state.hash) : undefined }] as const)));
}
