import { AppError } from '../../../src/runtime/base/errors.ts';
import { RunProjection } from '../../../src/runtime/store/projection.ts';
import type { TranscriptEntry } from '../../../src/runtime/domain/transcripts.ts';
import type { ChildSpec, RunOutcome } from '../../../src/runtime/domain/agents.ts';
import type { AgentDefinition } from '../../../src/runtime/domain/definitions.ts';
import type { EventOf, Publish, RuntimeEventBody, RuntimeEventType } from '../../../src/runtime/domain/events.ts';
import type { GroupBudget } from '../../../src/runtime/domain/liteAgent.ts';
import { deferred, type Deferred } from '../../../src/runtime/base/async.ts';
import { onAbort } from '../../../src/runtime/base/abort.ts';
import { Delegation } from '../../../src/runtime/delegation/delegation.ts';
import type { DelegationDeps } from '../../../src/runtime/delegation/deps.ts';
import type { Completion } from '../../../src/runtime/delegation/completionText.ts';

export const completed = (text: string): RunOutcome => ({ status: 'completed', text });
export const failed = (reason: 'max_turns' | 'quota' | 'auth' | 'error', message = 'It failed.'): RunOutcome => ({ status: 'failed', reason, message });
export const CANCELLED: RunOutcome = { status: 'cancelled' };

export function definition(name: string, more: Partial<AgentDefinition> = {}): AgentDefinition {
  return { name, description: `Does ${name}`, prompt: 'You help.', tools: 'inherit', disallowedTools: [], delegable: true, source: 'builtin', ...more };
}

export const DEFINITIONS = [definition('general-purpose'), definition('Researcher'), definition('secret', { delegable: false })];

export const task = (display_name: string, more: object = {}): object => ({ display_name, prompt: `Do ${display_name}`, ...more });

/** A child that runs until the test ends it. */
export interface RunningChild {
  readonly spec: ChildSpec;
  readonly signal: AbortSignal;
  readonly end: Deferred<RunOutcome>;
}

/** Lets everything that can happen happen. */
export const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A delegation whose children do what the test says. By default an aborted child ends as cancelled by itself. */
export class Fixture {
  readonly events: RuntimeEventBody[] = [];
  readonly projection = new RunProjection();
  /** By agentId. */
  readonly transcripts = new Map<string, readonly TranscriptEntry[]>();
  /** Models of providers in this list can be reached. */
  reachable = ['main', 'other'];
  readonly delivered: Completion[] = [];
  /** By display name. */
  readonly children = new Map<string, RunningChild>();
  readonly delegation: Delegation;
  maxParallel = 5;
  budget: GroupBudget | undefined;
  stopsOnAbort = true;
  listener: (event: RuntimeEventBody) => void = () => {};

  constructor(deps: Partial<DelegationDeps> = {}) {
    this.delegation = new Delegation({
      hostId: 'host-1',
      publish: this.publish,
      limits: () => ({ maxParallel: this.maxParallel, maxTasksPerCall: 20 }),
      definitions: () => DEFINITIONS,
      resolveChild: (_definition, { model }) =>
        model === 'unknown' ? { ok: false, field: 'model', problem: '"unknown" isn\'t offered. Allowed: small, big.' } : { ok: true, model: { provider: model === 'big' ? 'other' : 'main', model: model ?? 'small' }, maxTurns: 9, tools: ['Read'], notes: [] },
      today: () => ({ definitions: DEFINITIONS, tools: ['Read', 'Bash'], models: { inherited: { provider: 'main', model: 'small' }, isReachable: ({ provider }) => this.reachable.includes(provider) }, maxTurns: 9 }),
      archive: {
        child: (agentId) => this.projection.child(agentId),
        group: (groupId) => this.projection.group(groupId),
        transcript: async (agentId) => {
          const entries = this.transcripts.get(agentId);
          if (!entries) throw new AppError('not_found', 'none');
          return entries;
        },
      },
      budget: () => this.budget,
      claimRound: async () => async () => undefined,
      stored: async () => undefined,
      runChild: ({ spec }, signal) => {
        const end = deferred<RunOutcome>();
        if (this.stopsOnAbort) onAbort(signal, () => end.resolve(CANCELLED));
        this.children.set(spec.displayName, { spec, signal, end });
        return end.promise;
      },
      deliver: async (completion) => this.delivered.push(completion) > 0,
      ...deps,
    });
  }

  readonly publish: Publish = (event) => {
    this.events.push(event);
    this.projection.apply({ at: this.events.length, ...event });
    this.listener(event);
  };

  dispatch(names: readonly string[], sessionId = 's1', more: object = {}) {
    return this.delegation.dispatch({ sessionId, cwd: '/project', tasks: names.map((name) => task(name, more)) });
  }

  end(name: string, outcome: RunOutcome): void {
    this.children.get(name)?.end.resolve(outcome);
  }

  all<T extends RuntimeEventType>(type: T): readonly EventOf<T>[] {
    return this.events.filter((event) => event.type === type) as unknown as EventOf<T>[];
  }

  /** `name: status` of every settled child, in order of settling. */
  settled(): readonly string[] {
    const names = new Map(this.all('group.accepted').flatMap(({ group }) => group.children.map((child) => [child.agentId, child.displayName])));
    return this.all('child.settled').map(({ agentId, outcome }) => `${names.get(agentId)}: ${outcome.status}`);
  }
}
