/** Lists of rules such as `Read`, `mcp__github__*`, `Bash(git status:*)`, `Edit(src/**)`. An absent list says nothing. */
export interface PermissionLists {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export type Verdict = 'allow' | 'ask' | 'deny';

/**
 * One voice in a judgement. The `user` layer falls back to the defaults where its lists say nothing; any other
 * abstains, except that its `allow` list, where it has one, is closed: what matches none of it asks.
 */
export interface PermissionLayer {
  readonly name: 'user' | 'workspace' | 'parent' | 'subagentPermission' | 'definition';
  readonly lists: PermissionLists;
  /** Every part of a command line asks that isn't known to only read, redirections to files included. */
  readonly readOnlyCommands?: boolean;
}

/** The joint verdict of all layers, with the layer and the rule that made it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly layer: PermissionLayer['name'];
  /** The matching rule's text; absent where a default or a closed list decided. */
  readonly rule?: string;
  /** One sentence for the person and the model. */
  readonly why: string;
}
