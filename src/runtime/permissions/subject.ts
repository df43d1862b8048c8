import type { ResolvedPath } from './paths.ts';
import type { ShellReading } from './shell.ts';

/** What a call touches, with paths resolved and commands read: all that rules look at. */
export type SubjectTarget =
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly path: ResolvedPath }
  | { readonly kind: 'command'; readonly command: string; readonly reading: ShellReading; readonly files: readonly ShellFile[] }
  | { readonly kind: 'url'; readonly url: string };

/** A file that the shell opens for a command line: judged like one of `Read` or `Write`. */
export interface ShellFile {
  readonly access: 'read' | 'write';
  readonly path: ResolvedPath;
}

/** A call as it is judged. */
export interface CallSubject {
  readonly tool: string;
  /** The kind of agent whose own tool it is: another's of that name is another tool. Absent: all agents share it. */
  readonly owner?: string;
  readonly isReadOnly: boolean;
  readonly actsOnRun: boolean;
  /** See `ToolDefinition`. Default false. */
  readonly asksPerson?: boolean;
  readonly targets: readonly SubjectTarget[];
  /** The call's input, for rules about its fields. Absent: it has none. */
  readonly input?: unknown;
}

/**
 * The smallest thing that a rule says something about. `path`: `as` is the tool whose rules count, where the call's
 * own doesn't. `opaque`: a command that isn't known in full, of which limits see `words`, which may hold `UNKNOWN`,
 * or just the text where there are none. `call`: a call without targets.
 */
export type Unit =
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly path: ResolvedPath; readonly as?: 'Read' | 'Write' }
  | { readonly kind: 'command'; readonly words: readonly string[] }
  | { readonly kind: 'opaque'; readonly command: string; readonly words: readonly string[]; readonly why: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'call' };

/** The units of a call, at least one; all of them must be allowed for the call to be. */
export function unitsOf(subject: CallSubject): readonly Unit[] {
  const units = subject.targets.flatMap(unitsOfTarget);
  return units.length > 0 ? units : [{ kind: 'call' }];
}

function unitsOfTarget(target: SubjectTarget): readonly Unit[] {
  if (target.kind !== 'command') return [target];
  const { reading, command, files } = target;
  if (!reading.ok) return [{ kind: 'opaque', command, words: [], why: reading.why }];
  const commands = reading.parts.flatMap((part): readonly Unit[] => {
    switch (part.kind) {
      case 'command':
        return [part];
      case 'unclear':
        return [{ kind: 'opaque', command: part.text, words: part.words, why: part.why }];
      case 'file':
        return [];
    }
  });
  return [...commands, ...files.map((file): Unit => ({ kind: 'path', ...file, as: file.access === 'read' ? 'Read' : 'Write' }))];
}
