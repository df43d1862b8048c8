import type * as vscode from 'vscode';
import { Serial } from '../../runtime/base/async.ts';
import { AppError } from '../../runtime/base/errors.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import type { L10n } from '../../l10n.ts';
import type { AskedInput } from './inputDeclaration.ts';

/** Asks a person. Nothing: they would not say. `server` is the one that needs it. Aborted when nobody waits for the answer any more. */
export type AskInput = (input: AskedInput, server: string, signal: AbortSignal) => Promise<string | undefined>;

export interface McpInputsOptions {
  readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'keys'>;
  /** Of the workspace. */
  readonly state: Pick<vscode.Memento, 'get' | 'update' | 'keys'>;
  readonly ask: AskInput;
  readonly l10n: L10n;
}

/** Whose input it is: two owners may use one id for different things. A workspace folder, or the user's settings. */
export type InputOwner = { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'settings' };

const PREFIX = 'subagents.mcpInput.v1:';

/**
 * The answers to what servers ask for. Each is asked for once, one after the other, and kept until it is forgotten:
 * secrets in the secret storage, all else with the workspace.
 */
export class McpInputs implements Disposable {
  readonly #options: McpInputsOptions;
  readonly #order = new Serial();
  readonly #asking = new Map<string, Promise<string>>();
  /** Whoever would not say isn't asked again at each try to connect. */
  readonly #dismissed = new Set<string>();
  readonly #end = new AbortController();

  constructor(options: McpInputsOptions) {
    this.#options = options;
  }

  /** The answer that is kept, else the person's. Rejects with `unavailable` where they would not say, `closed` after disposal, and as the storage does. */
  answer(owner: InputOwner, input: AskedInput, server: string): Promise<string> {
    const key = keyOf(owner, input.id);
    const known = this.#asking.get(key);
    if (known) return known;
    const asking = this.#order.run(() => this.#answer(key, input, server)).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /** From now on, what was not said is asked for again. */
  askAgain(): void {
    this.#dismissed.clear();
  }

  /** Forgets what these owners were told. What runs goes on with what it has. Rejects when it can't be removed. */
  async forget(owners: readonly InputOwner[]): Promise<void> {
    const { secrets, state } = this.#options;
    const prefixes = owners.map(prefixOf);
    const isMeant = (key: string): boolean => prefixes.some((prefix) => key.startsWith(prefix));
    this.askAgain();
    for (const key of (await secrets.keys()).filter(isMeant)) await secrets.delete(key);
    for (const key of state.keys().filter(isMeant)) await state.update(key, undefined);
  }

  /** Takes back what is being asked. */
  dispose(): void {
    this.#end.abort();
  }

  async #answer(key: string, input: AskedInput, server: string): Promise<string> {
    const kept = await this.#kept(key, input);
    if (kept !== undefined) return kept;
    const { signal } = this.#end;
    const said = this.#dismissed.has(key) || signal.aborted ? undefined : await this.#options.ask(input, server, signal);
    const { l10n } = this.#options;
    if (signal.aborted) throw new AppError('closed', l10n.t('This window is closing.'));
    if (said === undefined) {
      this.#dismissed.add(key);
      throw new AppError('unavailable', l10n.t('The input “{0}” was not given. To be asked again, restart the server in “Show MCP Servers”.', input.id));
    }
    await this.#keep(key, input, said);
    return said;
  }

  async #kept(key: string, input: AskedInput): Promise<string | undefined> {
    if (isSecret(input)) return this.#options.secrets.get(key);
    const value = this.#options.state.get<unknown>(key);
    if (typeof value !== 'string') return undefined;
    // What isn't offered any more isn't an answer any more.
    return input.kind === 'choice' && !input.choices.some((choice) => choice.value === value) ? undefined : value;
  }

  async #keep(key: string, input: AskedInput, value: string): Promise<void> {
    if (isSecret(input)) await this.#options.secrets.store(key, value);
    else await this.#options.state.update(key, value);
  }
}

function isSecret(input: AskedInput): boolean {
  return input.kind === 'text' && input.isSecret;
}

function prefixOf(owner: InputOwner): string {
  return `${PREFIX}${JSON.stringify(owner.kind === 'folder' ? owner.path : '')}:`;
}

function keyOf(owner: InputOwner, id: string): string {
  return `${prefixOf(owner)}${id}`;
}
