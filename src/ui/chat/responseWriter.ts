import * as vscode from 'vscode';
import type { Log } from '../../runtime/domain/ports.ts';
import type { ChatIds } from './chatIds.ts';
import type { ChatOutput } from './turnRenderer.ts';

/**
 * The one hand that writes to a response's stream. The stream throws once its handler has returned, so after `end`,
 * and after a first failure, everything is dropped.
 */
export class ResponseWriter implements ChatOutput {
  readonly #stream: vscode.ChatResponseStream;
  readonly #ids: ChatIds;
  readonly #log: Log;
  readonly #files = new Set<string>();
  #open = true;

  constructor(stream: vscode.ChatResponseStream, ids: ChatIds, log: Log) {
    this.#stream = stream;
    this.#ids = ids;
    this.#log = log;
  }

  text(markdown: string): void {
    this.#write((stream) => stream.markdown(markdown));
  }

  block(markdown: string): void {
    this.trusted(markdown, [this.#ids.showGroup, this.#ids.cancelGroup, this.#ids.resumeGroup]);
  }

  pending(markdown: string): void {
    this.trusted(markdown, [this.#ids.reviewPending]);
  }

  progress(markdown: string): void {
    this.#write((stream) => stream.progress(markdown));
  }

  file(path: string): void {
    if (this.#files.has(path)) return;
    this.#files.add(path);
    this.#write((stream) => stream.reference(vscode.Uri.file(path)));
  }

  button(command: vscode.Command): void {
    this.#write((stream) => stream.button(command));
  }

  /** Writes Markdown whose links may run the commands. Nothing of a model, a file or a child may be in it unless made inert. */
  trusted(markdown: string, enabledCommands: readonly string[]): void {
    const value = new vscode.MarkdownString(markdown, true);
    value.isTrusted = { enabledCommands };
    this.#write((stream) => stream.markdown(value));
  }

  /** The handler is about to return. */
  end(): void {
    this.#open = false;
  }

  #write(write: (stream: vscode.ChatResponseStream) => void): void {
    if (!this.#open) return;
    try {
      write(this.#stream);
    } catch (error) {
      this.#open = false;
      this.#log.warn(`chat: the response was closed while it was written to: ${String(error)}`);
    }
  }
}
