import { toDisposable, type Disposable } from '../base/lifecycle.ts';
import type { OnProcess } from '../domain/mcp.ts';

/** Who has been told of a server's process, so that it can be ended should this host die: each once, for as long as the process lives. */
export class ProcessNotes {
  readonly #told = new Map<OnProcess, Disposable | undefined>();
  #pid: number | undefined;

  /** From here on these are told, and nobody else. */
  answer(answering: ReadonlySet<OnProcess>): void {
    for (const [onProcess, note] of this.#told) {
      if (answering.has(onProcess)) continue;
      note?.dispose();
      this.#told.delete(onProcess);
    }
    for (const onProcess of answering) {
      if (!this.#told.has(onProcess)) this.#told.set(onProcess, this.#pid === undefined ? undefined : onProcess(this.#pid));
    }
  }

  /** A process has started; to be disposed of when it has ended. */
  started(pid: number): Disposable {
    this.#pid = pid;
    for (const onProcess of [...this.#told.keys()]) this.#told.set(onProcess, onProcess(pid));
    return toDisposable(() => {
      this.#pid = undefined;
      for (const [onProcess, note] of this.#told) {
        note?.dispose();
        this.#told.set(onProcess, undefined);
      }
    });
  }
}
