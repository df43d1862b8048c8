import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mapLimited } from '../base/async.ts';
import { errorText, systemCode } from '../base/errors.ts';
import { DEFINITION_SOURCES, PROJECT_SOURCES, type DefinitionDiagnostic, type DefinitionSource, type FileSource } from '../domain/definitions.ts';
import { lookAt, type FoundFile } from '../frontmatter/look.ts';
import { NESTED_FORMATS, SOURCE_FORMATS } from './interop.ts';
import { compareText } from './names.ts';

/** A folder for each source that has one; all absolute. */
export type DefinitionFolders = Partial<Record<FileSource, string>>;

export interface SourceScan {
  readonly source: DefinitionSource;
  readonly files: readonly FoundFile[];
  /** What keeps folders from being read whole. */
  readonly problems: readonly DefinitionDiagnostic[];
}

const PARALLEL = 8;
const MAX_FILES = 500;
const MAX_DEPTH = 8;

/** Lists the folders of all sources, in the order of precedence, without opening any file. Never throws. */
export async function scanSources(folders: DefinitionFolders): Promise<readonly SourceScan[]> {
  const named = DEFINITION_SOURCES.flatMap((source) => {
    const folder = source === 'builtin' || source === 'code' ? undefined : folders[source];
    return folder === undefined ? [] : [{ source, folder }];
  });
  const found = await mapLimited(named, PARALLEL, async ({ source, folder }) => ({ source, id: (await lookAt(folder)).id, scan: await scanFolder(folder, source) }));
  return found.filter(({ source, id }) => !found.some((other) => id !== undefined && other.id === id && counts(other.source, source))).map(({ scan }) => scan);
}

/** Of two sources with one folder: a project's stays a project's, whoever else names it; otherwise the later counts. */
function counts(a: DefinitionSource, over: DefinitionSource): boolean {
  const [project, overProject] = [PROJECT_SOURCES.includes(a), PROJECT_SOURCES.includes(over)];
  return project === overProject ? DEFINITION_SOURCES.indexOf(a) > DEFINITION_SOURCES.indexOf(over) : project;
}

async function scanFolder(folder: string, source: DefinitionSource): Promise<SourceScan> {
  const walk = new Walk(NESTED_FORMATS.includes(SOURCE_FORMATS[source]));
  await walk.enter(folder, 0);
  const files = walk.files.toSorted((a, b) => compareText(a.path, b.path));
  if (files.length <= MAX_FILES) return { source, files, problems: walk.problems };
  return { source, files: files.slice(0, MAX_FILES), problems: [...walk.problems, warn(folder, 'too_many', `Only the first ${MAX_FILES} of the ${files.length} files of this folder are read.`)] };
}

/** One walk through a folder. */
class Walk {
  readonly files: FoundFile[] = [];
  readonly problems: DefinitionDiagnostic[] = [];
  readonly #nested: boolean;
  /** Folders that were entered: a link can lead back to one. */
  readonly #entered = new Set<string>();

  constructor(nested: boolean) {
    this.#nested = nested;
  }

  /** A missing folder is empty. */
  async enter(folder: string, depth: number): Promise<void> {
    let names: readonly string[];
    try {
      const { id = folder } = await lookAt(folder);
      if (this.#entered.has(id)) return;
      this.#entered.add(id);
      names = (await readdir(folder)).toSorted(compareText);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') this.problems.push({ ...warn(folder, 'unreadable', `The folder can't be read: ${errorText(error)}`), severity: 'error' });
      return;
    }
    const looked = await mapLimited(names.filter((name) => this.#counts(name)), PARALLEL, (name) => lookAt(join(folder, name)));
    for (const { path, stamp, changedAt, isFolder } of looked) {
      if (/\.md$/i.test(path)) this.files.push({ path, stamp, changedAt });
      else if (isFolder) await this.#descend(path, depth + 1);
    }
  }

  async #descend(folder: string, depth: number): Promise<void> {
    if (depth <= MAX_DEPTH) await this.enter(folder, depth);
    else this.problems.push(warn(folder, 'too_deep', `Folders are read ${MAX_DEPTH} levels deep. What is in this one isn't.`));
  }

  /** Hidden folders and installed packages hold other things than agents. */
  #counts(name: string): boolean {
    return /\.md$/i.test(name) || (this.#nested && !name.startsWith('.') && name !== 'node_modules');
  }
}

function warn(path: string, code: string, message: string): DefinitionDiagnostic {
  return { severity: 'warning', code, message, path, line: 1, column: 1 };
}
