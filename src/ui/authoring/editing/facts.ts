import type { DefinitionSource } from '../../../runtime/domain/definitions.ts';
import type { ServerStatus } from '../../../runtime/domain/mcp.ts';
import type { ModelRef, Tier } from '../../../runtime/domain/models.ts';
import type { ParseOptions } from '../../../runtime/definitions/parse.ts';

/** An MCP server as far as it is known. */
export interface KnownServer {
  readonly name: string;
  /** Absent: nothing has connected to it yet. */
  readonly status?: ServerStatus;
  /** Names as the server has them. */
  readonly tools: readonly string[];
  /** What is wrong with it, without secrets. */
  readonly error?: string;
}

export interface KnownSkill {
  readonly name: string;
  readonly description: string;
}

/** What can be named in a definition file of this window. Absent means that nobody knows: then nothing of it is offered, and nothing warned of. */
export interface AuthoringFacts {
  readonly servers?: readonly KnownServer[];
  readonly skills?: readonly KnownSkill[];
  /** Without a catalog: absent. */
  readonly tiers?: Readonly<Partial<Record<Tier, ModelRef>>>;
  /** What `inherit` means now. */
  readonly model?: ModelRef;
}

/** One definition file that is edited. */
export interface EditedFile {
  readonly path: string;
  readonly source: DefinitionSource;
}

/** The facts as the loader takes them. */
export function parseOptions({ servers, skills, tiers, model }: AuthoringFacts): ParseOptions {
  return {
    ...(servers && { servers: servers.map(({ name }) => name) }),
    ...(skills && { skills: skills.map(({ name }) => name) }),
    ...(tiers && { tiers: Object.keys(tiers) as Tier[] }),
    // Behind another address stand other models.
    ...(model && model.baseUrl === undefined && { vendor: model.provider }),
  };
}
