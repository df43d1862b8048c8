import { AppError } from '../base/errors.ts';
import { oneLine, plural, truncate } from '../base/text.ts';
import { DEFAULT_DEFINITION, delegableDefinitions, findDefinition, nameKey } from '../definitions/names.ts';
import type { AgentDefinition } from '../domain/definitions.ts';
import type { TaskInput } from '../domain/liteAgent.ts';
import type { ModelRef } from '../domain/models.ts';
import type { WorktreePlan } from '../domain/worktrees.ts';
import type { ChildSetup } from './childSetup.ts';
import type { ResumableRun, ResumeAnswer } from './rounds.ts';

const NAME_LENGTH = 80;
const WAITING_CALL_FIELDS = ['tasks'];
const CALL_FIELDS = [...WAITING_CALL_FIELDS, 'run_in_background'];
const TASK_FIELDS = ['display_name', 'subagent_type', 'prompt', 'model', 'resume', 'task_id'];

/** What a call is checked against. */
export interface ValidationRules {
  readonly definitions: readonly AgentDefinition[];
  /** Why a definition can't be used yet, in sentences; nothing when it can. */
  readonly refusal?: (definition: AgentDefinition) => string | undefined;
  /** Told of each definition that was asked for and refused. */
  readonly onRefused?: (definition: AgentDefinition) => void;
  /** Definitions that are hidden from the model may be used: a person picked them. */
  readonly allowHidden: boolean;
  /** The call waits for its results. Default false. */
  readonly waits?: boolean;
  readonly maxTasks: number;
  readonly resolveChild: (definition: AgentDefinition, task: TaskInput) => ChildSetup;
  /** Why no child can run on a model of that name; nothing when one can. Asked where it isn't known which kind of child it would be. */
  readonly modelProblem: (model: string) => string | undefined;
  /** Why this tracked task can't be taken; nothing when it can. Absent: tasks are off. */
  readonly taskProblem?: (taskId: string) => string | undefined;
  /** What is known of the run that a task continues. */
  readonly resumable: (agentId: string) => ResumeAnswer;
  readonly resolveRound: (run: ResumableRun, model: string | undefined) => ChildSetup;
  /** From what worktrees can be made, or why none can. Absent where no task wants one. */
  readonly worktree?: WorktreeAnswer;
}

export type WorktreeAnswer = { readonly ok: true; readonly plan: WorktreePlan } | { readonly ok: false; readonly problem: string };

/** A task that can start. */
export interface ValidTask {
  readonly task: TaskInput;
  readonly definition: AgentDefinition;
  readonly model: ModelRef;
  readonly maxTurns: number;
  readonly tools: readonly string[];
  /** What isn't as its definition or its first run had it. */
  readonly notes: readonly string[];
  /** The settled run that it continues. */
  readonly run?: ResumableRun;
  /** From what its worktree is made. */
  readonly plan?: WorktreePlan;
}

/** Is told what is wrong with which field, in a sentence. */
export type Report = (field: string, problem: string) => void;

/**
 * Checks a delegation call, all or nothing. Throws one `invalid_input` naming every problem of every task: which task,
 * which field, what is allowed.
 */
export function validateCall(call: unknown, rules: ValidationRules): readonly ValidTask[] {
  const problems: string[] = [];
  const valid = isRecord(call) ? checkTasks(call, rules, problems) : [];
  if (!isRecord(call)) problems.push('The call must be an object with `tasks`.');
  if (problems.length === 0) return valid;
  throw new AppError('invalid_input', `Nothing was started. ${plural(problems.length, 'problem')}:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
}

function checkTasks(call: Readonly<Record<string, unknown>>, rules: ValidationRules, problems: string[]): readonly ValidTask[] {
  const fields = rules.waits ? WAITING_CALL_FIELDS : CALL_FIELDS;
  for (const field of unknownFields(call, fields)) problems.push(`${field}: unknown field. Allowed: ${fields.join(', ')}.`);
  const tasks: unknown = call['tasks'];
  if (!Array.isArray(tasks) || tasks.length === 0) {
    problems.push('tasks: must be a list with at least one task.');
    return [];
  }
  if (tasks.length > rules.maxTasks) problems.push(`tasks: at most ${rules.maxTasks} in one call, not ${tasks.length}.`);
  const first: FirstUses = { work: new Map(), taskId: new Map(), resume: new Map() };
  return tasks.flatMap((item: unknown, index) => {
    const report: Report = (field, problem) => problems.push(`${taskName(item, index)}, ${field}: ${problem}`);
    const valid = checkTask(item, rules, report);
    if (valid === undefined) return [];
    checkRepeats(valid, index, first, report);
    return [valid];
  });
}

function checkTask(item: unknown, rules: ValidationRules, report: Report): ValidTask | undefined {
  if (!isRecord(item)) {
    report('task', 'must be an object.');
    return undefined;
  }
  for (const field of unknownFields(item, TASK_FIELDS)) report(field, `unknown field. Allowed: ${TASK_FIELDS.join(', ')}.`);
  const name = truncate(oneLine(requiredText(item, 'display_name', report)), NAME_LENGTH);
  if (name === '' && typeof item['display_name'] === 'string') report('display_name', 'must have visible characters.');
  const prompt = requiredText(item, 'prompt', report);
  if (prompt.trim() === '' && typeof item['prompt'] === 'string') report('prompt', 'must not be empty: it is all that the subagent sees.');
  const type = optionalText(item, 'subagent_type', report);
  const model = optionalText(item, 'model', report);
  const taskId = optionalText(item, 'task_id', report);
  const resume = optionalText(item, 'resume', report);
  const written: WrittenTask = { name, prompt, type, model, taskId };
  return resume === undefined ? checkFresh(written, rules, report) : checkResumed(resume, written, rules, report);
}

/** A task's fields as far as each is a text. */
interface WrittenTask {
  readonly name: string;
  readonly prompt: string;
  readonly type: string | undefined;
  readonly model: string | undefined;
  readonly taskId: string | undefined;
}

function checkFresh({ name, prompt, type, model, taskId }: WrittenTask, rules: ValidationRules, report: Report): ValidTask | undefined {
  const definition = checkType(type, rules, report);
  checkTaskId(taskId, rules, report);
  if (definition === undefined) {
    const problem = model === undefined ? undefined : rules.modelProblem(model);
    if (problem !== undefined) report('model', problem);
    return undefined;
  }
  const task: TaskInput = { display_name: name, subagent_type: definition.name, prompt, ...(model !== undefined && { model }), ...(taskId !== undefined && { task_id: taskId }) };
  return checkStart(task, definition, rules, report);
}

/** What a new task of a definition starts with. Nothing where it can't: `report` is told of every reason. */
export function checkStart(task: TaskInput, definition: AgentDefinition, rules: Pick<ValidationRules, 'resolveChild' | 'worktree'>, report: Report): ValidTask | undefined {
  const plan = checkWorktree(definition, rules, report);
  const resolved = rules.resolveChild(definition, task);
  if (resolved.ok) return { ...validTask(task, definition, resolved), ...(plan && { plan }) };
  report(resolved.field, resolved.problem);
  return undefined;
}

function checkWorktree({ name, isolation }: AgentDefinition, { worktree }: Pick<ValidationRules, 'worktree'>, report: Report): WorktreePlan | undefined {
  if (isolation === undefined) return undefined;
  if (worktree?.ok) return worktree.plan;
  report('subagent_type', `${name} works in a git worktree of its own. ${worktree?.problem ?? 'There are none here.'}`);
  return undefined;
}

function checkType(type: string | undefined, { definitions, refusal, onRefused, allowHidden }: ValidationRules, report: Report): AgentDefinition | undefined {
  const offered = allowHidden ? definitions : delegableDefinitions(definitions);
  const found = findDefinition(offered, type);
  if (found === undefined) {
    const usable = offered.filter((definition) => refusal?.(definition) === undefined);
    report('subagent_type', `${quoted(type ?? DEFAULT_DEFINITION)} isn't known. Allowed: ${usable.map(({ name }) => name).join(', ') || 'none'}.`);
    return undefined;
  }
  const refused = refusal?.(found);
  if (refused === undefined) return found;
  onRefused?.(found);
  report('subagent_type', type === undefined ? `without one, the task would run on "${found.name}". ${refused}` : refused);
  return undefined;
}

/** A run that goes on keeps what it is: its kind and its tracked task. */
function checkResumed(resume: string, { name, prompt, type, model, taskId }: WrittenTask, rules: ValidationRules, report: Report): ValidTask | undefined {
  const answer = rules.resumable(resume);
  if (!answer.ok) {
    report('resume', answer.problem);
    return undefined;
  }
  const { view, past } = answer.run;
  const { definition } = past;
  if (type !== undefined && nameKey(type) !== nameKey(definition.name)) report('subagent_type', `${resume} is a ${definition.name} and stays one. Leave it out, or start a new task without resume.`);
  if (taskId !== undefined && taskId !== view.taskId) report('task_id', `a run that goes on keeps its task${view.taskId === undefined ? '' : ` (${view.taskId})`}. Leave it out.`);
  const resolved = rules.resolveRound(answer.run, model);
  if (!resolved.ok) {
    report(resolved.field, resolved.problem);
    return undefined;
  }
  const task: TaskInput = { display_name: name, subagent_type: definition.name, prompt, resume, ...(model !== undefined && { model }) };
  return { ...validTask(task, definition, resolved), run: answer.run };
}

function validTask(task: TaskInput, definition: AgentDefinition, { model, maxTurns, tools, notes }: Extract<ChildSetup, { ok: true }>): ValidTask {
  return { task, definition, model, maxTurns, tools, notes };
}

function checkTaskId(taskId: string | undefined, rules: ValidationRules, report: Report): void {
  if (taskId === undefined) return;
  const problem = rules.taskProblem === undefined ? 'tracked tasks are switched off. Leave it out.' : rules.taskProblem(taskId);
  if (problem !== undefined) report('task_id', problem);
}

/** Which task of the call was the first with this work, this tracked task, this run. */
interface FirstUses {
  readonly work: Map<string, number>;
  readonly taskId: Map<string, number>;
  readonly resume: Map<string, number>;
}

/** The same work twice is a slip; the same prompt under another name is meant. */
function checkRepeats({ task }: ValidTask, index: number, first: FirstUses, report: Report): void {
  const work = JSON.stringify([task.display_name, task.subagent_type, task.prompt.trim(), task.model, task.task_id, task.resume]);
  const same = firstUse(first.work, work, index);
  if (same !== undefined) return report('task', `is identical to task ${same + 1}. Drop one of them, or say what is different.`);
  const taken = firstUse(first.taskId, task.task_id, index);
  if (taken !== undefined) report('task_id', `is taken by task ${taken + 1} of this call.`);
  const resumed = firstUse(first.resume, task.resume, index);
  if (resumed !== undefined) report('resume', `is continued by task ${resumed + 1} of this call already. Put both into one prompt.`);
}

/** The earlier task with that value; nothing where this is the first, or there is no value. */
function firstUse(uses: Map<string, number>, value: string | undefined, index: number): number | undefined {
  if (value === undefined) return undefined;
  const first = uses.get(value);
  if (first === undefined) uses.set(value, index);
  return first;
}

function taskName(item: unknown, index: number): string {
  const name = isRecord(item) && typeof item['display_name'] === 'string' ? oneLine(item['display_name']) : '';
  return name === '' ? `Task ${index + 1}` : `Task ${index + 1} (${quoted(name)})`;
}

function requiredText(item: Readonly<Record<string, unknown>>, field: string, report: Report): string {
  const value = item[field];
  if (typeof value === 'string') return value;
  report(field, value === undefined || value === null ? 'is required.' : 'must be a text.');
  return '';
}

/** Models fill optional fields with `null` or `""` when they mean to leave them out. */
function optionalText(item: Readonly<Record<string, unknown>>, field: string, report: Report): string | undefined {
  const value = item[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value.trim() || undefined;
  report(field, 'must be a text.');
  return undefined;
}

function unknownFields(record: Readonly<Record<string, unknown>>, known: readonly string[]): readonly string[] {
  return Object.keys(record).filter((field) => !known.includes(field)).map((field) => truncate(oneLine(field), NAME_LENGTH));
}

function quoted(text: string): string {
  return `"${truncate(oneLine(text), NAME_LENGTH)}"`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
