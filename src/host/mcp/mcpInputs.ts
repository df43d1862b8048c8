import type * as vscode from 'vscode';
import { Serial } from '../../runtime/base/async.ts';
import { AppError } from '../../runtime/base/errors.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import type { L10n } from '../../l10n.ts';
import { changesOf, fingerprintOf, type Destination, type Fingerprint } from './destination.ts';
import { isRecord } from '../records.ts';
import type { AskedInput } from './inputDeclaration.ts';

export interface InputQuestion {
  readonly input: AskedInput;
  /** The server that needs it. */
  readonly destination: Destination;
  /** Fields of the server that have changed since it was last given; none where it never was. */
  readonly changes: readonly string[];
}

/** Asks a person. Nothing: they would not say. Aborted when nobody waits for the answer any more. */
export type AskInput = (question: InputQuestion, signal: AbortSignal) => Promise<string | undefined>;

export interface McpInputsOptions {
  readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'keys'>;
  /** Of the workspace. */
  readonly state: Pick<vscode.Memento, 'get' | 'update' | 'keys'>;
  readonly ask: AskInput;
  readonly l10n: L10n;
}

/** Whose input it is: two owners may use one id for different things. A workspace folder, or the user's settings. */
export type InputOwner = { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'settings' };

/** An answer as it is kept. It is for this destination alone: a file that changes must not send it elsewhere. */
interface KeptAnswer {
  readonly value: string;
  readonly for: Fingerprint;
}

const PREFIX = 'subagents.mcpInput.v1:';

/**
 * The answers to what servers ask for. Each is asked for once for each server, one after the other, and kept until it
 * is forgotten or the server becomes another: secrets in the secret storage, all else with the workspace.
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

  /** The answer that is kept for this server as it is, else the person's. Rejects with `unavailable` where they would not say, `closed` after disposal, and as the storage does. */
  answer(owner: InputOwner, input: AskedInput, destination: Destination): Promise<string> {
    // Whoever waits with the same name but goes elsewhere must not get an answer that wasn't given for that.
    const question = JSON.stringify([keyOf(owner, input, destination), fingerprintOf(destination)]);
    const known = this.#asking.get(question);
    if (known) return known;
    const asking = this.#order.run(() => this.#answer(owner, input, destination, question)).finally(() => this.#asking.delete(question));
    this.#asking.set(question, asking);
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

  async #answer(owner: InputOwner, input: AskedInput, destination: Destination, question: string): Promise<string> {
    const key = keyOf(owner, input, destination);
    const goesTo = fingerprintOf(destination);
    const kept = await this.#kept(key, input);
    const changes = kept === undefined ? [] : changesOf(kept.for, goesTo);
    if (kept !== undefined && changes.length === 0 && isOffered(kept.value, input)) return kept.value;
    const { signal } = this.#end;
    const said = this.#dismissed.has(question) || signal.aborted ? undefined : await this.#options.ask({ input, destination, changes }, signal);
    const { l10n } = this.#options;
    if (signal.aborted) throw new AppError('closed', l10n.t('This window is closing.'));
    if (said === undefined) {
      this.#dismissed.add(question);
      throw new AppError('unavailable', l10n.t('The input “{0}” was not given. To be asked again, restart the server in “Show MCP Servers”.', input.id));
    }
    await this.#keep(key, input, { value: said, for: goesTo });
    return said;
  }

  async #kept(key: string, input: AskedInput): Promise<KeptAnswer | undefined> {
    const text = isSecret(input) ? await this.#options.secrets.get(key) : this.#options.state.get<unknown>(key);
    return typeof text === 'string' ? readKept(text) : undefined;
  }

  async #keep(key: string, input: AskedInput, answer: KeptAnswer): Promise<void> {
    const text = JSON.stringify(answer);
    if (isSecret(input)) await this.#options.secrets.store(key, text);
    else await this.#options.state.update(key, text);
  }
}

/** Nothing for what isn't one, such as an answer that an earlier version kept. */
function readKept(text: string): KeptAnswer | undefined {
  try {
    const kept: unknown = JSON.parse(text);
    if (!isRecord(kept) || typeof kept['value'] !== 'string' || !isRecord(kept['for'])) return undefined;
    return { value: kept['value'], for: Object.fromEntries(Object.entries(kept['for']).map(([name, digest]) => [name, String(digest)])) };
  } catch {
    return undefined;
  }
}

/** What isn't offered any more isn't an answer any more. */
function isOffered(value: string, input: AskedInput): boolean {
  return input.kind !== 'choice' || input.choices.some((choice) => choice.value === value);
}

function isSecret(input: AskedInput): boolean {
  return input.kind === 'text' && input.isSecret;
}

function prefixOf(owner: InputOwner): string {
  return `${PREFIX}${JSON.stringify(owner.kind === 'folder' ? owner.path : '')}:`;
}

function keyOf(owner: InputOwner, { id }: AskedInput, { server }: Destination): string {
  return `${prefixOf(owner)}${JSON.stringify([server, id])}`;
}
