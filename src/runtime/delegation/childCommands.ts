import { onAbort } from '../base/abort.ts';
import { oneLine, plural, truncate } from '../base/text.ts';
import type { BackgroundCommand } from '../domain/tools.ts';
import { maskSecrets } from '../permissions/record.ts';
import type { OwnedCommands } from '../tools/backgroundCommands.ts';

/** More would only make the note long. */
const MAX_NAMED = 3;
const LENGTH = 80;

/**
 * Settles as the run does, once nothing that it left in the background runs any more.
 * @param note hears, in a sentence, what was ended that way.
 */
export async function withCommands<T>(commands: OwnedCommands, run: () => Promise<T>, note: (text: string) => Promise<void>, signal: AbortSignal): Promise<T> {
  // A run that is stopped doesn't end one thing after the other.
  const stopping = onAbort(signal, () => void commands.close());
  try {
    return await run();
  } finally {
    stopping.dispose();
    const ended = await commands.close();
    if (ended.length > 0) await note(endedText(ended));
  }
}

function endedText(ended: readonly BackgroundCommand[]): string {
  // Masked between cleaning and cutting: half of a secret isn't known as one.
  const named = ended.slice(0, MAX_NAMED).map(({ command }) => truncate(String(maskSecrets(oneLine(command))), LENGTH));
  const more = ended.length - named.length;
  return `${plural(ended.length, 'command')} still ran in the background and ended with it: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
