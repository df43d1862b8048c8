import { errorText } from '../runtime/base/errors.ts';
import type { MovingCronService } from '../runtime/cron/cronService.ts';
import type { PromptListening } from '../runtime/domain/services.ts';

/** A service whose code is loaded with its first use. A load that failed is tried again with the next. `report` hears where nothing is sent because of that. */
export function loadedLater(load: () => Promise<MovingCronService>, report: (message: string) => void): MovingCronService {
  let loading: Promise<MovingCronService> | undefined;
  const service = (): Promise<MovingCronService> =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  return {
    create: async (prompt) => (await service()).create(prompt),
    list: async (sessionId) => (await service()).list(sessionId),
    remove: async (id, sessionId) => (await service()).remove(id, sessionId),
    move: async (sessionId, to) => (await service()).move(sessionId, to),
    listen(receiver) {
      let listening: PromptListening | undefined;
      let isOver = false;
      const begin = async (): Promise<void> => {
        const loaded = await service();
        if (!isOver) listening = loaded.listen(receiver);
      };
      const begun = begin().catch((error: unknown) => report(`Scheduled prompts are not sent: ${errorText(error)}`));
      return {
        dispose() {
          isOver = true;
          listening?.dispose();
        },
        async idle() {
          await begun;
          await listening?.idle();
        },
      };
    },
  };
}
