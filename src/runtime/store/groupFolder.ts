import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText, systemCode } from '../base/errors.ts';
import type { GroupView } from '../domain/agents.ts';
import { addUsage, NO_USAGE } from '../domain/usage.ts';
import { GroupTail } from './groupTail.ts';
import { replaceJson } from './replaceJson.ts';
import { isChildSpec, isNumber, isOutcome, isRecord, isText, isTexts, isUsage, optional, withFields } from './shapes.ts';

const LOG = '.jsonl';
const VIEW = '.view.json';
const VERSION = 1;

/** The files of all groups: a log for each, and for those about which nothing is left to do a view, which is quicker to read. */
export class GroupFolder {
  readonly #folder: string;
  readonly #report: (message: string) => void;

  /**
   * @param folder absolute path; made on first use
   * @param report hears of each file that can't be used
   */
  constructor(folder: string, report: (message: string) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  /** The ids of all groups with a file, and of those with a view. Rejects with the system's error. */
  async list(): Promise<{ readonly all: readonly string[]; readonly viewed: ReadonlySet<string> }> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    });
    const ids = (ending: string): string[] => names.flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));
    const viewed = new Set(ids(VIEW));
    return { all: [...new Set([...viewed, ...ids(LOG)])], viewed };
  }

  tail(groupId: string): GroupTail {
    return new GroupTail(join(this.#folder, `${groupId}${LOG}`));
  }

  /** The stored view, or nothing where there is no usable one. Never throws. */
  readView(groupId: string): GroupView | undefined {
    const path = this.#viewPath(groupId);
    try {
      // For very many small files this takes a fraction of what handing each to a thread does.
      const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
      if (isViewFile(file)) return { ...file.view, usage: file.view.usage ?? usedBy(file.view) };
      this.#report(`${path} is damaged; the group is read from its log instead.`);
    } catch (error) {
      this.#report(`${path} can't be read (${errorText(error)}); the group is read from its log instead.`);
    }
    return undefined;
  }

  /** Never rejects: without its view a group is read from its log. */
  async writeView(view: GroupView): Promise<void> {
    try {
      await replaceJson(this.#viewPath(view.groupId), { version: VERSION, view });
    } catch (error) {
      this.#report(`Could not store how group ${view.groupId} ended: ${errorText(error)}`);
    }
  }

  #viewPath(groupId: string): string {
    return join(this.#folder, `${groupId}${VIEW}`);
  }
}

const isChildView = withFields({ groupId: isText, roundGroupId: isText, sessionId: isText, status: isText, lastActivityAt: isNumber, turns: isNumber, toolCalls: isNumber, denials: isNumber, usage: isUsage, changedFiles: isTexts, outcome: optional(isOutcome) });
const isView = withFields({ groupId: isText, sessionId: isText, cwd: isText, status: isText, createdAt: isNumber, usage: optional(isUsage), children: (value) => Array.isArray(value) && value.length > 0 && value.every((child) => isChildSpec(child) && isChildView(child)) });

/** As earlier versions wrote it, it has no sum of its own. */
type StoredView = Omit<GroupView, 'usage'> & { readonly usage?: GroupView['usage'] };

/** The sum of the children that were in no other group: of the others it isn't known what they used in this one. */
function usedBy({ groupId, children }: StoredView): GroupView['usage'] {
  const counted = children.filter((child) => child.groupId === groupId && child.roundGroupId === groupId);
  const sum = counted.map(({ usage }) => usage).reduce(addUsage, NO_USAGE);
  return counted.length < children.length ? { ...sum, isPartial: true } : sum;
}

function isViewFile(value: unknown): value is { readonly view: StoredView } {
  return isRecord(value) && value['version'] === VERSION && isView(value['view']);
}
