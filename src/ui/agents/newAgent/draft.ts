import type { FileSource, FoundDefinition } from '../../../runtime/domain/definitions.ts';
import type { ServerView } from '../../../runtime/domain/mcp.ts';
import type { ModelCatalog } from '../../../runtime/domain/models.ts';
import type { L10n } from '../../l10n.ts';
import type { Dialog } from '../../models/dialog.ts';

/** Sources in which a person keeps definitions of their own. */
export const PLACES = ['project', 'user', 'directory'] as const satisfies readonly FileSource[];
export type PlaceSource = (typeof PLACES)[number];

/** Which tools the new agent gets. */
export type ToolChoice = 'reading' | 'all' | 'some';

/** What is answered so far. */
export interface AgentDraft {
  readonly place: PlaceSource;
  readonly name: string;
  readonly description: string;
  readonly toolChoice: ToolChoice;
  /** For `some`: as a file has them. */
  readonly tools: readonly string[];
  /** `inherit`, or a tier. */
  readonly model: string;
}

/** What **New Agent…** asks with. */
export interface NewAgentDeps {
  readonly dialog: Dialog;
  /** Where definitions can be kept, by source; at least one. */
  readonly folders: Partial<Record<PlaceSource, string>>;
  readonly found: () => readonly FoundDefinition[];
  /** The configured servers, with what is known of their tools. */
  readonly servers: () => readonly ServerView[];
  /** The models to choose from, where there is a choice. */
  readonly catalog: () => ModelCatalog | undefined;
  readonly l10n: L10n;
}
