import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText, systemCode } from '../base/errors.ts';
import type { ApprovalDecision, DecisionRecord } from '../domain/approvals.ts';
import type { EventOf, RuntimeEvent } from '../domain/events.ts';
import { JsonlFile } from './jsonl.ts';

const ENDING = '.jsonl';

/** Keeps what persons and rules decided on calls that weren't simply allowed, in a file for each session, for good. */
export class DecisionLog {
  readonly #folder: string;
  readonly #mask: (value: unknown) => unknown;
  readonly #onProblem: (message: string) => void;
  readonly #files = new Map<string, JsonlFile<DecisionRecord>>();
  readonly #writing = new Set<Promise<void>>();

  /**
   * @param folder absolute path; made on first use
   * @param mask removes secrets from a text
   * @param onProblem hears of every decision that could not be written
   */
  constructor(folder: string, mask: (value: unknown) => unknown, onProblem: (message: string) => void) {
    this.#folder = folder;
    this.#mask = mask;
    this.#onProblem = onProblem;
  }

  /** Keeps an event that is a decision; others do nothing. */
  record(event: RuntimeEvent): void {
    const record = recordOf(event);
    if (!record) return;
    const { sessionId } = record.agent;
    const writing = this.#file(sessionId)
      .append(this.#mask(record) as DecisionRecord)
      .catch((error: unknown) => this.#onProblem(`Could not record a decision of ${sessionId}: ${errorText(error)}`))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** All decisions of this folder, oldest first, also those of other windows. Rejects with the system's error. */
  async read(): Promise<readonly DecisionRecord[]> {
    await this.flush();
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    });
    const files = names.filter((name) => name.endsWith(ENDING)).map((name) => new JsonlFile<DecisionRecord>(join(this.#folder, name)));
    const records = await Promise.all(files.map((file) => file.read()));
    return records.flat().sort((a, b) => a.at - b.at);
  }

  /** Resolves when everything recorded so far is written. */
  async flush(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #file(sessionId: string): JsonlFile<DecisionRecord> {
    const file = this.#files.get(sessionId) ?? new JsonlFile<DecisionRecord>(join(this.#folder, `${sessionId}${ENDING}`));
    this.#files.set(sessionId, file);
    return file;
  }
}

function recordOf(event: RuntimeEvent): DecisionRecord | undefined {
  if (event.type === 'approval.decided') {
    const { at, request, decision, by } = event;
    const { agent, callId, tool, action, why, rule } = request;
    return { at, agent, callId, tool, action, why, by, ...outcomeOf(decision, rule), ...(request.question && { isQuestion: true }) };
  }
  if (event.type !== 'permission.denied' && event.type !== 'permission.granted' && event.type !== 'permission.dry_run') return undefined;
  const { at, agent, callId, tool, action, why, rule } = event;
  return { at, agent, callId, tool, action, why, ...(rule !== undefined && { rule }), ...verdictOf(event) };
}

function verdictOf(event: EventOf<'permission.denied' | 'permission.granted' | 'permission.dry_run'>): Pick<DecisionRecord, 'verdict' | 'by' | 'lasts'> {
  switch (event.type) {
    case 'permission.denied':
      return { verdict: 'deny', by: 'rule' };
    case 'permission.granted':
      return { verdict: 'allow', by: 'person', lasts: 'once' };
    case 'permission.dry_run':
      return { verdict: event.verdict, by: 'dry_run' };
  }
}

function outcomeOf(decision: ApprovalDecision, rule: string | undefined): Pick<DecisionRecord, 'verdict' | 'lasts' | 'rule' | 'message'> {
  const remembered = rule === undefined ? {} : { rule };
  switch (decision.kind) {
    case 'allow_once':
      return { verdict: 'allow', lasts: 'once' };
    case 'allow_group':
      return { verdict: 'allow', lasts: 'group', ...remembered };
    case 'allow_always':
      return { verdict: 'allow', lasts: 'always', ...remembered };
    case 'answer':
      return { verdict: 'allow', message: decision.text };
    case 'deny':
      return { verdict: 'deny', ...(decision.message !== undefined && { message: decision.message }) };
  }
}
