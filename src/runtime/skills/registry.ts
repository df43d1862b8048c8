import type { SkillSource } from '../domain/liteAgent.ts';
import type { SkillDefinition } from '../domain/skills.ts';

export interface SkillRegistryOptions {
  /** Absolute folders, asked for at each look. */
  readonly folders: () => Partial<Record<SkillSource, string>>;
}

/** The skills that are found in folders. */
export class SkillRegistry {
  constructor(_options: SkillRegistryOptions) {}

  /** Those that a model may load, by name, as of the last refresh: the root's default set. */
  list(): readonly SkillDefinition[] {
    return [];
  }

  /** The skills of those names, and what is wrong with the others, a sentence each. */
  async take(names: readonly string[]): Promise<{ readonly skills: readonly SkillDefinition[]; readonly problems: readonly string[] }> {
    return { skills: [], problems: names.map((name) => `The skill ${name} isn't there.`) };
  }

  /** Brings the list up to the files' present state. Never rejects. */
  async refresh(): Promise<void> {}
}
