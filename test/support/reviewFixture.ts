import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChildView } from '../../src/runtime/domain/agents.ts';
import type { FileReview } from '../../src/runtime/domain/reviews.ts';
import { isRoot, promptOf, reopenAgent, startAgent, type AgentFixture, type AgentFixtureOptions } from './agentFixture.ts';
import type { Script, ScriptedTurn } from './scriptedModel.ts';

const ALLOWED = { permissions: { user: { allow: ['Edit', 'Write', 'Bash'] } } } as const;

export interface ReviewFixture extends AgentFixture {
  /** Delegates these children as one group and waits until it has been delivered. */
  run(...names: readonly string[]): Promise<readonly ChildView[]>;
  /** Waits until a round has been delivered. */
  delivered(groupId: string): Promise<void>;
  child(agentId: string): ChildView;
  /** Absolute path of a file of the workspace. */
  path(name: string): string;
  /** What stands in a file of the workspace. */
  text(name: string): Promise<string>;
  /** A person saves a file of the workspace. */
  save(name: string, text: string): Promise<void>;
  /** The review of that file among a child's. */
  file(agentId: string, name: string): Promise<FileReview>;
  /** A further runtime on the same folders. */
  again(options?: Partial<AgentFixtureOptions>): Promise<ReviewFixture>;
}

/** A runtime whose children follow turns of their own, by their name, round after round, and may write. */
export async function startReviewing(children: Readonly<Record<string, readonly ScriptedTurn[]>>, options: AgentFixtureOptions = {}): Promise<ReviewFixture> {
  const script = following(children);
  return reviewFixture(await startAgent(script, { ...ALLOWED, ...options }), script, options);
}

/** The same on folders that another one has used or uses. */
export async function reopenReviewing(folders: Pick<AgentFixture, 'cwd' | 'storageDir'>, children: Readonly<Record<string, readonly ScriptedTurn[]>> = {}, options: AgentFixtureOptions = {}): Promise<ReviewFixture> {
  const script = following(children);
  return reviewFixture(await reopenAgent(folders, script, { ...ALLOWED, ...options }), script, options);
}

/** Calls of one turn that write and edit files, then a last word. */
export function changes(...calls: readonly (readonly [name: 'Write' | 'Edit', input: Readonly<Record<string, unknown>>])[]): readonly ScriptedTurn[] {
  return [...calls.map(([name, input]): ScriptedTurn => ({ calls: [{ name, input }] })), { text: 'Done.' }];
}

export function write(file: string, content: string): readonly ['Write', Readonly<Record<string, unknown>>] {
  return ['Write', { file_path: file, content }];
}

export function read(file: string): ScriptedTurn {
  return { calls: [{ name: 'Read', input: { file_path: file } }] };
}

/** Reads a file and puts a text in the place of another, as one turn after the other. */
export function edits(file: string, ...pairs: readonly (readonly [from: string, to: string])[]): readonly ScriptedTurn[] {
  return [read(file), ...pairs.map(([from, to]): ScriptedTurn => ({ calls: [{ name: 'Edit', input: { file_path: file, old_string: from, new_string: to } }] })), { text: 'Done.' }];
}

function following(children: Readonly<Record<string, readonly ScriptedTurn[]>>): Script {
  const turns = new Map(Object.entries(children).map(([name, own]) => [name, [...own]]));
  return (request) => {
    if (isRoot(request)) return { text: 'Noted.' };
    const turn = turns.get(promptOf(request))?.shift();
    if (!turn) throw new Error(`unexpected turn of child ${promptOf(request)}`);
    return turn;
  };
}

function reviewFixture(fixture: AgentFixture, script: Script, options: AgentFixtureOptions): ReviewFixture {
  const { agent, recorder, cwd } = fixture;
  const child = (agentId: string): ChildView => {
    const view = agent.child(agentId);
    assert.ok(view, `no child ${agentId}`);
    return view;
  };
  const delivered = async (groupId: string): Promise<void> => {
    await recorder.until('turn.ended', ({ cause }) => cause.kind === 'completion' && cause.groupId === groupId);
  };
  const path = (name: string): string => join(cwd, name);
  return {
    ...fixture,
    child,
    delivered,
    path,
    async run(...names) {
      const session = await agent.openSession();
      const group = await session.delegate(names.map((name) => ({ display_name: name, prompt: name })));
      await delivered(group.groupId);
      return group.children.map(({ agentId }) => child(agentId));
    },
    text: (name) => readFile(path(name), 'utf8'),
    save: (name, text) => writeFile(path(name), text),
    async file(agentId, name) {
      const found = (await agent.reviews.changes(agentId)).find((file) => file.path === path(name));
      assert.ok(found, `${name} was not changed`);
      return found;
    },
    again: async (more = {}) => reviewFixture(await reopenAgent(fixture, script, { ...ALLOWED, ...options, ...more }), script, { ...options, ...more }),
  };
}
