import { DEFINITION_SOURCES, type DefinitionSource, type FoundDefinition } from '../../runtime/domain/definitions.ts';

/** What a row of the Agents view stands for, by ids only: the state is always asked of the agent. Commands find their target in it. */
export type AgentNode =
  | { readonly kind: 'source'; readonly source: DefinitionSource }
  | { readonly kind: 'definition'; readonly source: DefinitionSource; readonly definitionId: string };

/** A stable id of a row, which keeps selection and expansion over refreshes. */
export function nodeId(node: AgentNode): string {
  switch (node.kind) {
    case 'source':
      return `source/${node.source}`;
    case 'definition':
      return node.definitionId;
  }
}

/** Names a definition as long as its file stays where it is; one in code as long as it keeps its name. */
export function definitionId({ source, path, name }: Pick<FoundDefinition, 'source' | 'path' | 'name'>): string {
  return `${source}:${path ?? name}`;
}

/** The definition of that id; nothing for one that is gone. */
export function definitionOf(found: readonly FoundDefinition[], id: string): FoundDefinition | undefined {
  return found.find((one) => definitionId(one) === id);
}

/** The sources that have something, the one that wins over all others first. */
export function sourceNodes(found: readonly FoundDefinition[]): readonly AgentNode[] {
  return DEFINITION_SOURCES.toReversed().filter((source) => found.some((one) => one.source === source)).map((source) => ({ kind: 'source', source }));
}

/** The definitions of a source, in the order in which they were found. */
export function definitionNodes(found: readonly FoundDefinition[], source: DefinitionSource): readonly AgentNode[] {
  return found.filter((one) => one.source === source).map((one) => ({ kind: 'definition', source, definitionId: definitionId(one) }));
}
