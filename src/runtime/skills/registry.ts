import { isDeepStrictEqual } from 'node:util';
import { Serial } from '../base/async.ts';
import { nameKey } from '../base/names.ts';
import { oneLine, truncate } from '../base/text.ts';
import type { DefinitionDiagnostic } from '../domain/definitions.ts';
import type { Publish } from '../domain/events.ts';
import type { SkillAccess } from '../domain/liteAgent.ts';
import type { SkillDefinition } from '../domain/skills.ts';
import { loadSkills, type LoadedSkills } from './loader.ts';
import { scanSkills, type SkillFolders, type SkillScan } from './scan.ts';

export interface SkillRegistryOptions {
  /** Asked for at each look. */
  readonly folders: () => SkillFolders;
  readonly publish: Publish;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
}

/** Some of the skills, and what is wrong with the others, a sentence each. */
export interface TakenSkills {
  readonly skills: readonly SkillDefinition[];
  readonly problems: readonly string[];
}

const NOTHING: LoadedSkills = { skills: [], broken: [], diagnostics: [] };
/** File systems count time in steps of up to two seconds: a file changed twice within one may look the same. */
const TIME_STEP_MS = 2000;
/** Of a name in a sentence, in characters. */
const MAX_NAME = 64;

/** The skills that are found in folders. Works without watching any of them. */
export class SkillRegistry implements SkillAccess {
  readonly #options: SkillRegistryOptions;
  /** One look at the folders after the other. */
  readonly #order = new Serial();
  #loaded = NOTHING;
  #offered: readonly SkillDefinition[] = [];
  /** What the present skills were read from; absent while a file is so new that a change of it might not show. */
  #basis: readonly SkillScan[] | undefined;

  constructor(options: SkillRegistryOptions) {
    this.#options = options;
  }

  /** Those that a model may load, by name, as of the last look: the root's default set. */
  list(): readonly SkillDefinition[] {
    return this.#offered;
  }

  diagnostics(): readonly DefinitionDiagnostic[] {
    return this.#loaded.diagnostics;
  }

  /** The skills of those names as their files are now, in that order, each once. Case makes no difference. Never rejects. */
  async take(names: readonly string[]): Promise<TakenSkills> {
    if (names.length === 0) return { skills: [], problems: [] };
    await this.refresh();
    const wanted = [...new Map(names.map((name) => [nameKey(name), name])).values()];
    const taken = wanted.map((name) => this.#take(name));
    return { skills: taken.filter((each) => typeof each !== 'string'), problems: taken.filter((each) => typeof each === 'string') };
  }

  /** Brings the list up to the files' present state, and tells where it changed; reads files only where something seems to have changed. Never rejects. */
  refresh(): Promise<void> {
    return this.#order.run(() => this.#refresh());
  }

  /** Resolves when every look that was asked for has ended. */
  idle(): Promise<void> {
    return this.#order.idle();
  }

  #take(name: string): SkillDefinition | string {
    const shown = truncate(oneLine(name), MAX_NAME);
    const skill = this.#loaded.skills.find(({ definition }) => nameKey(definition.name) === nameKey(name));
    switch (skill?.use) {
      case 'anybody':
        return skill.definition;
      case 'disabled':
        return `The skill ${shown} is disabled.`;
      case 'person_only':
        return `The skill ${shown} can't be invoked by a model (disable-model-invocation).`;
      case undefined: {
        const broken = this.#loaded.broken.findLast((each) => nameKey(each.name) === nameKey(name));
        const error = broken?.diagnostics.find(({ severity }) => severity === 'error');
        return error ? `The skill ${shown} can't be loaded: ${error.message}` : `The skill ${shown} isn't there.`;
      }
    }
  }

  /** The folders are listed before any file is read, so that a change while reading is found at the next look. */
  async #refresh(): Promise<void> {
    const settledBefore = (this.#options.now ?? Date.now)() - TIME_STEP_MS;
    const scans = await scanSkills(this.#options.folders());
    if (this.#basis && isDeepStrictEqual(scans, this.#basis)) return;
    const before = this.#loaded;
    const loaded = await loadSkills(scans);
    const isSettled = scans.every(({ skills }) => skills.every(({ file }) => file.changedAt < settledBefore));
    this.#basis = isSettled ? scans : undefined;
    if (isDeepStrictEqual(loaded, before)) return;
    this.#loaded = loaded;
    this.#offered = loaded.skills.filter(({ use }) => use === 'anybody').map(({ definition }) => definition);
    this.#options.publish({ type: 'skills.reloaded', names: this.list().map(({ name }) => name), diagnostics: this.diagnostics() });
  }
}
