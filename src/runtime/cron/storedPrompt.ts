import type { ScheduledPrompt } from '../domain/services.ts';
import { isId, isTime, ListFormat } from '../store/listFormat.ts';
import type { ProcessMark } from '../store/processMark.ts';
import { isNumber, isRecord, isText, optional, withFields } from '../store/shapes.ts';
import type { Schedule } from './schedule.ts';

/** A process took it upon itself to send a prompt. Stored before it does, so that nobody else ever will. */
export interface PromptClaim {
  readonly id: string;
  readonly at: number;
  /** `countedFrom` as it was before. */
  readonly from: number;
  readonly by: ProcessMark;
}

/** A scheduled prompt as it is stored. */
export interface StoredPrompt extends Omit<ScheduledPrompt, 'nextAt'> {
  /** It is due at the first time of its schedule after this one. */
  readonly countedFrom: number;
  /** Present until it is known what came of it. */
  readonly sending?: PromptClaim;
}

const isSending = withFields({ id: isId, at: isTime, from: isTime, by: withFields({ pid: isNumber, startedAt: isText, machine: isText }) });
const isStored = withFields({
  id: isId,
  sessionId: isId,
  schedule: isText,
  once: optional((value) => value === true),
  prompt: isText,
  createdAt: isTime,
  countedFrom: isTime,
  sending: optional(isSending),
});

/** How prompts stand in their file. */
export const PROMPT_FILE = new ListFormat<StoredPrompt>('prompts', (value): value is StoredPrompt => isRecord(value) && isStored(value));

/** When it is due next, or was due: nothing where it never is again. A schedule that nothing can be made of is never due. */
export function dueAt({ once, sending, countedFrom }: StoredPrompt, schedule: Schedule | undefined): number | undefined {
  return once && sending ? undefined : schedule?.next(countedFrom);
}

/** What others see of it. */
export function promptView({ countedFrom: _, sending: __, ...prompt }: StoredPrompt, nextAt: number | undefined): ScheduledPrompt {
  return { ...prompt, ...(nextAt !== undefined && { nextAt }) };
}
