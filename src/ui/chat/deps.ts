import type { AgentAccess } from '../../host/agentHost.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { ChatIds } from './chatIds.ts';

/** What the chat is given. */
export interface ChatDeps {
  /** The window's root agent, made on first use. Only asked for when a folder is open. */
  readonly access: AgentAccess;
  /** What people call the model that answers. */
  readonly modelName: () => string;
  readonly log: Log;
  readonly ids: ChatIds;
}
