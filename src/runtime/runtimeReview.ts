import { basename } from 'node:path';
import type { AgentServices } from './agent/services.ts';
import { AppError } from './base/errors.ts';
import type { Clock } from './base/clock.ts';
import { plural } from './base/text.ts';
import type { TaskAccess } from './domain/liteAgent.ts';
import type { WorktreeFiles } from './domain/worktrees.ts';
import type { GroupStorage } from './groupStorage.ts';
import { LazyReviews } from './review/lazyReviews.ts';
import type { ReviewParts } from './review/reviews.ts';
import type { ChangeLog } from './store/changeLog.ts';
import type { RunProjection } from './store/projection.ts';
import type { TrackedTasks } from './tasks/trackedTasks.ts';

export interface ReviewSources extends Pick<ReviewParts, 'resume'> {
  readonly services: AgentServices;
  /** Absent where what children change isn't kept. */
  readonly changes: ChangeLog | undefined;
  /** Absent where tasks are off. */
  readonly tracked: TrackedTasks | undefined;
  /** Absent where no child has a worktree. */
  readonly worktrees: WorktreeFiles | undefined;
  readonly projection: RunProjection;
  readonly storage: GroupStorage;
  readonly clock: Clock;
}

/** The review of what the children of one runtime change. */
export function createReviews({ services, changes, tracked, worktrees, projection, storage, clock, resume }: ReviewSources): LazyReviews {
  const { publish, files, transcripts, checkpoints } = services;
  return new LazyReviews({
    publish,
    now: () => clock.now(),
    files,
    ...(changes && checkpoints && { kept: { changes, checkpoints } }),
    ...(worktrees && { worktrees }),
    archive: projection,
    transcript: (agentId) => transcripts.read(agentId),
    ...(tracked && { tasks: tracked }),
    resume,
    refresh: () => storage.refresh(),
  });
}

/** The list as hosts see it. Accepting the task of a child accepts what that changed. */
export function taskAccess(tracked: TrackedTasks | undefined, reviews: Pick<LazyReviews, 'accept'>, isChild: (agentId: string) => boolean): TaskAccess {
  return {
    list: () => tracked?.list() ?? [],
    refresh: async () => tracked?.load(),
    async accept(taskId) {
      if (!tracked) throw new AppError('unavailable', 'Tracked tasks are switched off.');
      await tracked.load();
      const task = tracked.get(taskId);
      // Without a child, and where it isn't in review, the list knows what to say.
      if (task?.status !== 'review' || task.agentId === undefined || !isChild(task.agentId)) return tracked.accept(taskId);
      const { conflicts: [first, ...more] } = await reviews.accept(task.agentId);
      if (first) throw new AppError('conflict', `${basename(first.path)}${more.length > 0 ? ` and ${plural(more.length, 'more file')}` : ''} not merged: ${first.why} Merge by hand what you want of it, then undo the rest.`);
      const now = tracked.get(taskId);
      return now === undefined || now.status === 'review' ? tracked.accept(taskId) : now;
    },
  };
}
