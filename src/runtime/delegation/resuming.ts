import { unreachable, type ModelChoice } from '../agent/modelChoice.ts';
import { AppError } from '../base/errors.ts';
import { capitalised } from '../base/text.ts';
import type { ChildView, GroupSpec } from '../domain/agents.ts';
import type { TaskInput } from '../domain/liteAgent.ts';
import type { ChildRun, Continuation } from './childRun.ts';
import type { DelegationDeps } from './deps.ts';
import type { OpenGroups } from './openGroups.ts';
import type { DispatchRequest, ResumeOptions } from './requests.ts';
import { assertHere, findResumable } from './resumable.ts';
import { defaultPrompt, modelNote, resumedModel, toolsNote, type ResumableRun, type ResumeAnswer, type Today } from './rounds.ts';

/** Starts a group. `known`: what was found of the runs that its tasks continue. */
type Dispatch = (request: DispatchRequest, known: ReadonlyMap<string, ResumeAnswer>) => Promise<GroupSpec>;

/** Lets children go on: interrupted ones inside their group, settled ones in a round of their own. Called one at a time. */
export class Resuming {
  readonly #deps: Pick<DelegationDeps, 'archive' | 'today'>;
  readonly #groups: Pick<OpenGroups, 'get'>;
  readonly #dispatch: Dispatch;

  constructor(deps: Pick<DelegationDeps, 'archive' | 'today'>, groups: Pick<OpenGroups, 'get'>, dispatch: Dispatch) {
    this.#deps = deps;
    this.#groups = groups;
    this.#dispatch = dispatch;
  }

  /** See `Delegation.resumeChild`. */
  async child(agentId: string, options: ResumeOptions): Promise<GroupSpec> {
    const { archive, today } = this.#deps;
    const view = archive.child(agentId);
    if (view?.status === 'interrupted') return this.#goOn(view.roundGroupId, [agentId], options);
    const answer = await findResumable(archive, agentId);
    if (!answer.ok) throw new AppError(answer.reason, capitalised(answer.problem));
    const { sessionId } = answer.run.view;
    const { latest, definition } = answer.run.past;
    takeModel(resumedModel(latest.model, definition, options.model, today({ sessionId }).models));
    return this.#dispatch(this.#roundRequest(answer.run, options), new Map([[agentId, answer]]));
  }

  /** See `Delegation.resumeGroup`. */
  group(groupId: string): GroupSpec {
    const { archive, today } = this.#deps;
    const group = archive.group(groupId);
    if (!group) throw new AppError('not_found', `There is no group ${groupId}.`);
    const interrupted = group.children.filter(({ status }) => status === 'interrupted');
    const places = Map.groupBy(interrupted, ({ roundGroupId }) => roundGroupId);
    const { isReachable } = today({ sessionId: group.sessionId }).models;
    for (const { model } of interrupted) if (!isReachable(model)) throw new AppError('unavailable', capitalised(unreachable(model)));
    const resumed = [...places].map(([place, children]) => this.#goOn(place, children.map(({ agentId }) => agentId), {}));
    const [first] = resumed;
    if (!first) throw new AppError('conflict', 'No subagent of this group is interrupted.');
    return resumed.find((spec) => spec.groupId === groupId) ?? first;
  }

  /** All that can fail happens before the first of them goes on. */
  #goOn(groupId: string, agentIds: readonly string[], options: ResumeOptions): GroupSpec {
    assertHere(this.#deps.archive, groupId);
    const group = this.#groups.get(groupId);
    const children = group?.children.filter(({ spec, status }) => agentIds.includes(spec.agentId) && status === 'interrupted') ?? [];
    if (!group || children.length === 0) throw new AppError('conflict', `${agentIds.join(', ')} can't go on: what its group (${groupId}) was doing is not known any more. Delegate the work anew.`);
    const today = this.#deps.today(group.spec);
    const prepared = new Map(children.map((child) => [child, continuation(child, options, today)]));
    group.resume(children, (child) => prepared.get(child) ?? {});
    return group.spec;
  }

  #roundRequest({ view }: ResumableRun, { prompt, model }: ResumeOptions): DispatchRequest {
    const task: TaskInput = { display_name: view.displayName, prompt: prompt ?? defaultPrompt(view.outcome), resume: view.agentId, ...(model !== undefined && { model }) };
    return { sessionId: view.sessionId, cwd: this.#cwdOf(view), tasks: [task], by: 'person' };
  }

  #cwdOf({ groupId, roundGroupId }: ChildView): string {
    const group = this.#deps.archive.group(groupId) ?? this.#deps.archive.group(roundGroupId);
    if (!group) throw new AppError('not_found', `There is no group ${groupId}.`);
    return group.cwd;
  }
}

/** With what an interrupted child goes on: its own model and tools, as far as they are there today. */
function continuation({ spec, definition }: ChildRun, { prompt, model }: ResumeOptions, { models, tools: offered }: Today): Continuation {
  const { model: own, notes: said } = takeModel(resumedModel(spec.model, definition, model, models));
  const tools = spec.tools.filter((name) => offered.includes(name));
  const notes = [...said, ...modelNote(spec.model, own), ...toolsNote(spec.tools, tools)];
  const changes = model !== undefined || tools.length < spec.tools.length;
  return { ...(prompt !== undefined && { prompt }), ...(changes && { spec: { ...spec, model: own, tools, ...(notes.length > 0 && { notes: [...(spec.notes ?? []), ...notes] }) } }) };
}

function takeModel(choice: ModelChoice): Extract<ModelChoice, { ok: true }> {
  if (!choice.ok) throw new AppError(choice.reason, capitalised(choice.problem));
  return choice;
}
