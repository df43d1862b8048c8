/** Lists of rules such as `Read`, `mcp__github__*`, `Bash(git status:*)`, `Edit(src/**)`. An absent list says nothing. */
export interface PermissionLists {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** What a call that would ask comes to. `deny`: the agent never asks, for work that nobody attends. */
export type OnAsk = 'ask' | 'deny';

/** A definition's own limits. */
export interface AgentPermission extends PermissionLists {
  /** Default `ask`. */
  readonly onAsk?: OnAsk;
}

/** `dry-run`: what would have been asked or denied is recorded, and nothing is stopped. */
export type PermissionMode = 'enforce' | 'dry-run';

export type Verdict = 'allow' | 'ask' | 'deny';

/**
 * One voice in a judgement. The `user` layer falls back to the defaults where its lists say nothing; any other
 * abstains, except that its `allow` list, where it has one, is closed: what matches none of it asks.
 */
export interface PermissionLayer {
  readonly name: 'user' | 'workspace' | 'parent' | 'subagentPermission' | 'definition';
  readonly lists: PermissionLists;
  /** `deny`: where all layers together ask, it is denied. */
  readonly onAsk?: OnAsk;
  /** What every part of a command line comes to that isn't known to only read, redirections to files included. */
  readonly readOnlyCommands?: OnAsk;
}

/** The joint verdict of all layers, with the layer and the rule that made it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly layer: PermissionLayer['name'];
  /** The matching rule's text; absent where a default or a closed list decided. */
  readonly rule?: string;
  /** Present where it would have asked, but the agent never asks. */
  readonly neverAsks?: true;
  /** One sentence for the person and the model. */
  readonly why: string;
}
