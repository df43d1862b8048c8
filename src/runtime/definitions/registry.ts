import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Serial } from '../base/async.ts';
import { AppError } from '../base/errors.ts';
import { oneLine, truncate } from '../base/text.ts';
import { PROJECT_SOURCES, type AgentDefinition, type DefinitionDiagnostic, type FoundDefinition } from '../domain/definitions.ts';
import type { Publish } from '../domain/events.ts';
import type { DefinitionAccess, DefinitionApprovals } from '../domain/liteAgent.ts';
import { foundDefinitions } from './found.ts';
import { AgentLoader, type LoadedDefinitions } from './loader.ts';
import { findDefinition } from './names.ts';
import type { ParseOptions } from './parse.ts';
import { scanSources, type DefinitionFolders, type SourceScan } from './scan.ts';

/** What is loaded, and how. `folders: false`: nothing, not even what is built in. */
export interface DefinitionSettings extends ParseOptions {
  readonly folders: DefinitionFolders | false;
  /** Definitions that are given in code: they win over files. */
  readonly inCode?: readonly AgentDefinition[];
}

export interface DefinitionRegistryOptions {
  /** Asked for at each look at the folders. */
  readonly settings: () => DefinitionSettings;
  readonly publish: Publish;
  /** Absent: every definition is used as it is. */
  readonly approvals?: DefinitionApprovals;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
}

/** What the present definitions were read from. */
interface Basis {
  readonly settings: DefinitionSettings;
  readonly scans: readonly SourceScan[];
  /** True once every file is old enough that any later change gives it another stamp. */
  readonly isSettled: boolean;
}

const NOTHING: LoadedDefinitions = { definitions: [], all: [], refused: [], diagnostics: [] };
/** File systems count time in steps of up to two seconds: a file changed twice within one may look the same. */
const TIME_STEP_MS = 2000;
/** Of a file's name, in characters, where a model reads it. */
const MAX_FILE_NAME = 60;

/** Owns the definitions that are loaded, and what a person has approved of them. Works without watching any folder. */
export class DefinitionRegistry implements DefinitionAccess {
  readonly #options: DefinitionRegistryOptions;
  readonly #loader = new AgentLoader();
  /** One look at the folders after the other, each with the settings of its own moment. */
  readonly #order = new Serial();
  #loaded: LoadedDefinitions = NOTHING;
  #basis: Basis | undefined;
  /** What was last told of. */
  #published: object | undefined;

  constructor(options: DefinitionRegistryOptions) {
    this.#options = options;
  }

  list(): readonly AgentDefinition[] {
    return this.#loaded.definitions;
  }

  /** The winners that may run as they are. */
  usable(): readonly AgentDefinition[] {
    return this.list().filter((definition) => this.#isApproved(definition));
  }

  unapproved(): readonly AgentDefinition[] {
    return this.list().filter((definition) => !this.#isApproved(definition));
  }

  found(): readonly FoundDefinition[] {
    return foundDefinitions(this.#loaded, this.diagnostics(), (definition) => this.#isApproved(definition));
  }

  folders(): DefinitionFolders | undefined {
    const { folders } = this.#options.settings();
    return folders === false ? undefined : folders;
  }

  diagnostics(): readonly DefinitionDiagnostic[] {
    return [...this.#loaded.diagnostics, ...this.unapproved().map(unapprovedFile)];
  }

  /** Why a definition can't be used, in sentences for whoever delegates; nothing when it can. Of the file's path, which the project chose and a model reads, only the name, in one line and cut. */
  refusal(definition: AgentDefinition): string | undefined {
    if (this.#isApproved(definition)) return undefined;
    return `"${definition.name}" is defined by the project in ${fileName(definition)}, which is new or has changed. The user must approve it before it can be used; no other definition stands in for it.`;
  }

  /** Reads everything again and tells of it. */
  reload(): Promise<void> {
    return this.#order.run(async () => {
      await this.#load(await this.#look());
      this.#publish();
    });
  }

  /** Brings the definitions up to the files' present state; reads files only where something seems to have changed. */
  refreshIfChanged(): Promise<void> {
    return this.#order.run(() => this.#refresh());
  }

  approve(name: string, hash: string): Promise<void> {
    return this.#order.run(async () => {
      await this.#refresh();
      const definition = findDefinition(this.list(), name);
      if (!definition) throw new AppError('not_found', `There is no definition called "${name}" any more.`);
      if (this.#isApproved(definition)) return;
      if (definition.hash !== hash) throw new AppError('conflict', `"${definition.name}" has changed since you looked at it. Look at it again before you approve it.`);
      await this.#options.approvals?.approve(definition);
      this.#publishIfChanged();
    });
  }

  /** Resolves when every look that was asked for has ended. */
  idle(): Promise<void> {
    return this.#order.idle();
  }

  async #refresh(): Promise<void> {
    const basis = await this.#look();
    if (!this.#basis?.isSettled || !isDeepStrictEqual([basis.settings, basis.scans], [this.#basis.settings, this.#basis.scans])) await this.#load(basis);
    this.#publishIfChanged();
  }

  /** The folders are listed before any file is read, so that a change while reading is found at the next look. */
  async #look(): Promise<Basis> {
    const settings = this.#options.settings();
    const settledBefore = (this.#options.now ?? Date.now)() - TIME_STEP_MS;
    const scans = settings.folders === false ? [] : await scanSources(settings.folders);
    return { settings, scans, isSettled: scans.every(({ files }) => files.every(({ changedAt }) => changedAt < settledBefore)) };
  }

  async #load(basis: Basis): Promise<void> {
    const { folders, inCode, ...options } = basis.settings;
    this.#loaded = folders === false ? NOTHING : await this.#loader.read(basis.scans, options, inCode);
    this.#basis = basis;
  }

  #publishIfChanged(): void {
    if (!isDeepStrictEqual(this.#state(), this.#published)) this.#publish();
  }

  #publish(): void {
    this.#published = this.#state();
    this.#options.publish({ type: 'definitions.reloaded', names: this.list().map(({ name }) => name), diagnostics: this.diagnostics() });
  }

  #state(): object {
    return { loaded: this.#loaded, unapproved: this.unapproved() };
  }

  #isApproved(definition: AgentDefinition): boolean {
    const { approvals } = this.#options;
    return approvals === undefined || !PROJECT_SOURCES.includes(definition.source) || approvals.isApproved(definition);
  }
}

function fileName({ path = '' }: AgentDefinition): string {
  return truncate(oneLine(basename(path)), MAX_FILE_NAME) || 'a file';
}

function unapprovedFile({ name, path = '' }: AgentDefinition): DefinitionDiagnostic {
  return { severity: 'information', code: 'unapproved', message: `"${name}" is new or has changed. It isn't used until you approve it.`, path, line: 1, column: 1 };
}
