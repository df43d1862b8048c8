import type { AgentAccess } from '../../host/agentHost.ts';
import type { PickedModel } from '../../host/lm/pickerModels.ts';
import type { ModelRef, Tier } from '../../runtime/domain/models.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import type { MovingCronService } from '../../runtime/cron/cronService.ts';
import type { ChatIds } from './chatIds.ts';

/** What the chat is given. */
export interface ChatDeps {
  /** The window's root agent, made on first use. Only asked for when a folder is open. */
  readonly access: AgentAccess;
  /** What the root runs on when this model is picked in the chat view. */
  readonly rootModel: (picked: PickedModel) => Tier | ModelRef;
  /** The scheduled prompts of all conversations. */
  readonly prompts: Pick<MovingCronService, 'list' | 'move'>;
  readonly log: Log;
  readonly ids: ChatIds;
}
