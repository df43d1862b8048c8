import { AppError, isAppError } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { ChildView, GroupView } from '../domain/agents.ts';
import type { TranscriptEntry } from '../domain/transcripts.ts';
import { pastRun } from './pastRun.ts';
import type { ResumeAnswer } from './rounds.ts';

/** What is known of groups and runs, also of earlier hosts' and other windows'. */
export interface RunArchive {
  child(agentId: string): ChildView | undefined;
  group(groupId: string): GroupView | undefined;
  /** Throws `not_found`, or `invalid_input` for what can't be an id. */
  transcript(agentId: string): Promise<readonly TranscriptEntry[]>;
}

/** Whether a settled child can go on in a new round. Rejects with system errors of its transcript. */
export async function findResumable(archive: RunArchive, agentId: string): Promise<ResumeAnswer> {
  const view = archive.child(agentId);
  const shown = `"${truncate(oneLine(agentId), 80)}"`;
  if (!view) return { ok: false, reason: 'not_found', problem: `there is no subagent ${shown}. Give the agentId of one that has ended.` };
  if (archive.group(view.roundGroupId)?.isElsewhere) return { ok: false, reason: 'conflict', problem: `${agentId} belongs to another window. Go on there, or close that window first.` };
  switch (view.status) {
    case 'queued':
    case 'running':
      return { ok: false, reason: 'conflict', problem: `${agentId} is still ${view.status}. Wait for its result, or start a new task without resume.` };
    case 'interrupted':
      return { ok: false, reason: 'conflict', problem: `${agentId} was interrupted and goes on inside its group: the user resumes it in the panel. Ask for that, or start a new task without resume.` };
    case 'completed':
    case 'failed':
    case 'cancelled': {
      const past = pastRun(await readTranscript(archive, agentId));
      // One that never started has no conversation to go on with.
      return past ? { ok: true, run: { view, past } } : { ok: false, reason: 'not_found', problem: `${agentId} has no transcript${view.startedAt === undefined ? ', since it never started' : ' any more'}. Start a new task without resume.` };
    }
  }
}

async function readTranscript(archive: RunArchive, agentId: string): Promise<readonly TranscriptEntry[]> {
  try {
    return await archive.transcript(agentId);
  } catch (error) {
    if (isAppError(error, 'not_found') || isAppError(error, 'invalid_input')) return [];
    throw error;
  }
}

/** Throws `conflict` for a group that another window runs. */
export function assertHere(archive: Pick<RunArchive, 'group'>, groupId: string): void {
  if (archive.group(groupId)?.isElsewhere) throw new AppError('conflict', 'Another window runs this group. Use that window, or close it first.');
}

/** What is found of the runs that the tasks of a call, checked or not, want to continue, by their ids. Rejects as `findResumable`. */
export async function findResumed(archive: RunArchive, tasks: unknown): Promise<ReadonlyMap<string, ResumeAnswer>> {
  const answers = new Map<string, ResumeAnswer>();
  for (const id of resumedIds(tasks)) answers.set(id, await findResumable(archive, id));
  return answers;
}

function resumedIds(tasks: unknown): readonly string[] {
  if (!Array.isArray(tasks)) return [];
  return tasks.flatMap((task: unknown) => {
    const id: unknown = typeof task === 'object' && task !== null && 'resume' in task ? task.resume : undefined;
    return typeof id === 'string' && id.trim() !== '' ? [id.trim()] : [];
  });
}
