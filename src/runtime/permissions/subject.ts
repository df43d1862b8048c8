import type { ResolvedPath } from './paths.ts';
import type { ShellReading } from './shell.ts';

/** What a call touches, with paths resolved and commands read: all that rules look at. */
export type SubjectTarget =
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly path: ResolvedPath }
  | { readonly kind: 'command'; readonly command: string; readonly reading: ShellReading }
  | { readonly kind: 'url'; readonly url: string };

/** A call as it is judged. */
export interface CallSubject {
  readonly tool: string;
  readonly isReadOnly: boolean;
  readonly actsOnRun: boolean;
  readonly targets: readonly SubjectTarget[];
  /** The call's input, for rules about its fields. Absent: it has none. */
  readonly input?: unknown;
}

/** The smallest thing that a rule says something about. `opaque` is a command that couldn't be read, `call` a call without targets. */
export type Unit =
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly path: ResolvedPath }
  | { readonly kind: 'command'; readonly words: readonly string[] }
  | { readonly kind: 'opaque'; readonly command: string; readonly why: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'call' };

/** The units of a call, at least one; all of them must be allowed for the call to be. */
export function unitsOf(subject: CallSubject): readonly Unit[] {
  const units = subject.targets.flatMap(unitsOfTarget);
  return units.length > 0 ? units : [{ kind: 'call' }];
}

function unitsOfTarget(target: SubjectTarget): readonly Unit[] {
  if (target.kind !== 'command') return [target];
  const { reading, command } = target;
  if (reading.ok) return reading.commands.map((words) => ({ kind: 'command', words }));
  return [{ kind: 'opaque', command, why: reading.why }];
}
