import type { AgentDefinition } from '../domain/definitions.ts';
import type { ReadContext } from './context.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import type { Entry } from '../frontmatter/values.ts';

/** What the frontmatter says, before the file adds its place, its hash and its body. */
export type DefinitionFields = Omit<AgentDefinition, 'prompt' | 'source' | 'path' | 'hash'>;

/** The fields that have been read so far. */
export type Draft = { -readonly [K in keyof DefinitionFields]?: DefinitionFields[K] };

/** Takes one field over into the draft, or says what is wrong with it. */
export type Reader = (entry: Entry, draft: Draft, problems: Problem[], context: ReadContext) => void;
