/** Instructions that an agent reads when it needs them. */
export interface SkillDefinition {
  readonly name: string;
  /** What it is for, in a sentence: all that the model sees of it before it loads it. */
  readonly description: string;
  readonly instructions: string;
  /** Absolute path of the folder that holds it and the files beside it; absent for one that is given in code. */
  readonly folder?: string;
}
