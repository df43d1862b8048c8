import { AppError } from '../base/errors.ts';
import type { BackgroundCommands } from '../domain/tools.ts';

/** Background commands of an agent that can have none. */
export function noBackground(): BackgroundCommands {
  const unknown = (id: string): never => {
    throw new AppError('not_found', `There is no background command ${id}.`);
  };
  return {
    start: async () => {
      throw new AppError('unavailable', 'Commands can\'t run in the background here. Run it in the foreground.');
    },
    list: () => [],
    output: async (id) => unknown(id),
    kill: async (id) => unknown(id),
  };
}
