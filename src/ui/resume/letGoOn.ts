import { isAppError, type AppError } from '../../runtime/base/errors.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { throwJoined } from '../failures.ts';
import type { Resumption } from './resumptions.ts';

type Agent = Pick<LiteAgent, 'group' | 'resumeChild' | 'resumeGroup'>;
type ChildResumption = Extract<Resumption, { kind: 'child' }>;

/** Asks whether what can't reach its model goes on with the present one. `message` says what is out of reach. Resolves to the model's name, or to nothing for no. */
export type OfferModel = (message: string) => Promise<string | undefined>;

/**
 * Lets everything go on, in the given order. What can't reach its model any more is asked about once, for all of
 * them. Rejects when something can't go on, after all that can does: with its error, or with one that joins several.
 */
export async function letGoOn(agent: Agent, resumptions: readonly Resumption[], offerModel: OfferModel): Promise<void> {
  const failures: unknown[] = [];
  const unreachable: { readonly child: ChildResumption; readonly error: AppError }[] = [];
  const tryChild = async (child: ChildResumption): Promise<void> => {
    try {
      await resume(agent, child);
    } catch (error) {
      if (isAppError(error, 'unavailable')) unreachable.push({ child, error });
      else failures.push(error);
    }
  };
  for (const resumption of resumptions) {
    if (resumption.kind === 'child') await tryChild(resumption);
    else for (const child of await withoutModel(agent, resumption.groupId, failures)) await tryChild(child);
  }
  const [first] = unreachable;
  const model = first === undefined ? undefined : await offerModel(first.error.message);
  if (model !== undefined) {
    for (const { child } of unreachable) await resume(agent, child, model).catch((error: unknown) => failures.push(error));
  }
  throwJoined(failures);
}

async function resume(agent: Agent, { agentId, prompt }: ChildResumption, model?: string): Promise<void> {
  await agent.resumeChild(agentId, { ...(prompt !== undefined && { prompt }), ...(model !== undefined && { model }) });
}

/** Lets a group go on. Where a model is out of reach, its children are returned instead, to be tried one by one: the others needn't wait for it. */
async function withoutModel(agent: Agent, groupId: string, failures: unknown[]): Promise<readonly ChildResumption[]> {
  try {
    await agent.resumeGroup(groupId);
    return [];
  } catch (error) {
    if (!isAppError(error, 'unavailable')) failures.push(error);
    else return (agent.group(groupId)?.children ?? []).filter((child) => child.status === 'interrupted' && child.roundGroupId === groupId).map(({ agentId }) => ({ kind: 'child', agentId }));
    return [];
  }
}
