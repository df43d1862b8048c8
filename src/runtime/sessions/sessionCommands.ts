import { join } from 'node:path';
import { errorText } from '../base/errors.ts';
import type { BackgroundCommand, BackgroundCommands } from '../domain/tools.ts';
import { JsonlFile } from '../store/jsonl.ts';
import type { OwnedCommands } from '../tools/backgroundCommands.ts';

/** A command that a conversation believes to run, and that doesn't. */
export type LostCommand = Pick<BackgroundCommand, 'id' | 'command'>;

/** `told`: the conversation has heard that it runs no more. */
type CommandNote = { readonly started: LostCommand } | { readonly told: string };

/** The background commands of a session. What it was told of them is noted, so that it hears of those that ended with an earlier window. */
export class SessionCommands implements BackgroundCommands {
  readonly #commands: OwnedCommands;
  readonly #notes: JsonlFile<CommandNote>;
  readonly #report: (problem: string) => void;
  #hasAsked = false;

  /** @param folder absolute path of the session's own output folder */
  constructor(commands: OwnedCommands, folder: string, report: (problem: string) => void) {
    this.#commands = commands;
    this.#notes = new JsonlFile(join(folder, 'background-commands.jsonl'));
    this.#report = report;
  }

  async start(command: Parameters<BackgroundCommands['start']>[0]): Promise<BackgroundCommand> {
    const started = await this.#commands.start(command);
    await this.#note({ started: { id: started.id, command: started.command } });
    return started;
  }

  list(): readonly BackgroundCommand[] {
    return this.#commands.list();
  }

  async output(...of: Parameters<BackgroundCommands['output']>): ReturnType<BackgroundCommands['output']> {
    const output = await this.#commands.output(...of);
    await this.#tell(output.command);
    return output;
  }

  async kill(id: string): Promise<BackgroundCommand> {
    const command = await this.#commands.kill(id);
    await this.#tell(command);
    return command;
  }

  async close(): Promise<void> {
    await this.#commands.close();
  }

  /** The commands of earlier processes of which the conversation hasn't heard that they ended. It has from now on. Never rejects. */
  async takeLost(): Promise<readonly LostCommand[]> {
    if (this.#hasAsked) return [];
    // The first turn asks before this process has started any.
    this.#hasAsked = true;
    const lost = new Map<string, LostCommand>();
    for (const note of await this.#earlierNotes()) {
      if ('told' in note) lost.delete(note.told);
      else lost.set(note.started.id, note.started);
    }
    for (const id of lost.keys()) await this.#note({ told: id });
    return [...lost.values()];
  }

  async #earlierNotes(): Promise<readonly CommandNote[]> {
    try {
      return await this.#notes.read();
    } catch (error) {
      this.#report(`Which commands ran in the background before is not known: ${errorText(error)}`);
      return [];
    }
  }

  async #tell({ id, status }: BackgroundCommand): Promise<void> {
    if (status !== 'running') await this.#note({ told: id });
  }

  /** Without the note only a later window says less. */
  async #note(note: CommandNote): Promise<void> {
    await this.#notes.append(note).catch((error: unknown) => this.#report(`A background command could not be noted: ${errorText(error)}`));
  }
}
