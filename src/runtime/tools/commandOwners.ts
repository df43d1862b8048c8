import type { ToolContext } from '../domain/tools.ts';
import { ShellCommands, type OwnedCommands } from './backgroundCommands.ts';

/** The background commands of all agents of one runtime. */
export class CommandOwners {
  readonly #noteProcess: ToolContext['noteProcess'];
  readonly #owned = new Set<ShellCommands>();

  constructor(noteProcess: ToolContext['noteProcess']) {
    this.#noteProcess = noteProcess;
  }

  /**
   * Those of one more agent. Whoever asks for them closes them.
   * @param folder absolute path of the agent's own output folder
   * @param onChange hears how many run, after each start and each end
   */
  open(folder: string, onChange: (running: number) => void): OwnedCommands {
    const commands = new ShellCommands({ folder, onChange, noteProcess: this.#noteProcess, onClosed: () => this.#owned.delete(commands) });
    this.#owned.add(commands);
    return commands;
  }

  /** Ends all that run, whosever they are. Resolves when they are gone; never rejects. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#owned].map((commands) => commands.endAll()));
  }
}
