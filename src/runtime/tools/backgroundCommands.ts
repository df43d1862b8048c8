import { AppError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { BackgroundCommand, BackgroundCommands, ToolContext } from '../domain/tools.ts';
import { BackgroundShell, OUTPUT_LIMITS, type OutputLimits } from './backgroundShell.ts';

/** The background commands of an agent, as their owner has them. */
export interface OwnedCommands extends BackgroundCommands {
  /** Ends all that run; resolves when they are gone, to those that came to no end of their own. Never rejects. */
  endAll(): Promise<readonly BackgroundCommand[]>;
  /** As `endAll`, and none is started any more. Idempotent. */
  close(): Promise<readonly BackgroundCommand[]>;
}

export interface BackgroundOptions {
  /** Absolute path of the agent's own output folder. */
  readonly folder: string;
  readonly noteProcess: ToolContext['noteProcess'];
  /** Hears how many run, after each start and each end. */
  readonly onChange?: (running: number) => void;
  /** Called once, when its owner has closed it and nothing of it runs any more. */
  readonly onClosed?: () => void;
  /** Default `OUTPUT_LIMITS`. */
  readonly limits?: OutputLimits;
}

/** Commands of one agent that run at once. */
const MAX_RUNNING = 10;
/** Ended commands of which the output can still be read. */
const MAX_ENDED = 20;

/** Commands of one agent that run on after the call which started them. */
export class ShellCommands implements OwnedCommands {
  readonly #options: BackgroundOptions;
  /** In the order of their start. */
  readonly #shells = new Map<string, BackgroundShell>();
  /** Those whose end was told. */
  readonly #heard = new Set<string>();
  #closing: Promise<readonly BackgroundCommand[]> | undefined;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  async start(command: Parameters<BackgroundCommands['start']>[0]): Promise<BackgroundCommand> {
    if (this.#closing) throw new AppError('closed', 'Nothing can be started in the background any more: the run is ending.');
    if (this.#running().length >= MAX_RUNNING) throw new AppError('conflict', `${MAX_RUNNING} commands run in the background already (${this.#running().map(({ id }) => id).join(', ')}). End one with KillBackground first.`);
    const { folder, noteProcess, limits = OUTPUT_LIMITS } = this.#options;
    // Never one that an earlier run had: what is asked of that must not be answered with this.
    const id = `shell-${randomId()}`;
    const shell = new BackgroundShell({ ...command, id, folder, limits, noteProcess });
    this.#shells.set(id, shell);
    try {
      await shell.start();
    } catch (error) {
      this.#shells.delete(id);
      throw error;
    }
    this.#forgetOldest();
    const tell = (): void => this.#options.onChange?.(this.#running().length);
    tell();
    // Whoever waits for its end hears of it after those who watch.
    if (shell.isRunning) void shell.over.then(tell);
    return shell.view();
  }

  list(): readonly BackgroundCommand[] {
    return this.#views().filter(({ id, status }) => status === 'running' || !this.#heard.has(id));
  }

  async output(id: string, { wholeLines = false }: { readonly wholeLines?: boolean } = {}): Promise<{ readonly command: BackgroundCommand; readonly text: string }> {
    const shell = this.#find(id);
    // What it writes at its end must not come after the word that it has ended.
    const command = this.#tell(shell);
    const text = await shell.read(wholeLines && command.status === 'running');
    return { command, text };
  }

  async kill(id: string): Promise<BackgroundCommand> {
    const shell = this.#find(id);
    await shell.end();
    return this.#tell(shell);
  }

  async endAll(): Promise<readonly BackgroundCommand[]> {
    const running = [...this.#shells.values()].filter(({ isRunning }) => isRunning);
    await Promise.all(running.map((shell) => shell.end()));
    return running.filter(({ wasEnded }) => wasEnded).map((shell) => shell.view());
  }

  close(): Promise<readonly BackgroundCommand[]> {
    this.#closing ??= this.endAll().finally(() => this.#options.onClosed?.());
    return this.#closing;
  }

  #find(id: string): BackgroundShell {
    const shell = this.#shells.get(id);
    if (shell) return shell;
    const known = this.#views().map((command) => command.id);
    throw new AppError('not_found', `There is no background command ${id}${known.length > 0 ? `; there are ${known.join(', ')}` : ''}. One that an earlier run or window started ended with that.`);
  }

  #tell(shell: BackgroundShell): BackgroundCommand {
    const command = shell.view();
    if (command.status !== 'running') this.#heard.add(command.id);
    return command;
  }

  #views(): readonly BackgroundCommand[] {
    return [...this.#shells.values()].map((shell) => shell.view());
  }

  #running(): readonly BackgroundCommand[] {
    return this.#views().filter(({ status }) => status === 'running');
  }

  #forgetOldest(): void {
    const ended = this.#views().filter(({ status }) => status !== 'running');
    for (const { id } of ended.slice(0, Math.max(ended.length - MAX_ENDED, 0))) {
      this.#shells.delete(id);
      this.#heard.delete(id);
    }
  }
}
