import type { Checkpoints } from '../domain/ports.ts';
import type { FileState } from '../domain/tools.ts';
import type { ChangeLog } from '../store/changeLog.ts';
import { EXECUTABLE } from './fileMode.ts';

export interface AcceptedContent {
  /** `undefined` is no file. */
  readonly bytes: Uint8Array | undefined;
  /** Absent where the decision doesn't tell. */
  readonly isExecutable?: boolean;
}

/** What was accepted last of each file of a child, by path. Rejects with `not_found` where it isn't kept any more. */
export async function acceptedContents(agentId: string, changes: Pick<ChangeLog, 'read'>, { read }: Pick<Checkpoints, 'read'>): Promise<ReadonlyMap<string, AcceptedContent>> {
  const { events } = await changes.read(agentId);
  const last = new Map(events.flatMap((event) => (event.type === 'review.decided' && event.decision.verdict === 'accepted' ? [[event.decision.path, event.decision.content] as const] : [])));
  const content = async (state: FileState): Promise<AcceptedContent> => {
    if (state.kind !== 'kept') return { bytes: undefined };
    return { bytes: await read(state.hash), ...(state.mode !== undefined && { isExecutable: (state.mode & EXECUTABLE) !== 0 }) };
  };
  return new Map(await Promise.all([...last].map(async ([path, state]) => [path, await content(state)] as const)));
}
