import { isRecord } from '../records.ts';

/** A value that is asked for instead of written down. */
export type InputDeclaration =
  /** `isSecret`: it isn't shown while it is typed, and is kept as a secret. */
  | { readonly kind: 'text'; readonly id: string; readonly description?: string; readonly preset?: string; readonly isSecret: boolean }
  | { readonly kind: 'choice'; readonly id: string; readonly description?: string; readonly choices: readonly InputChoice[]; readonly preset?: string }
  /** Would run a command of VS Code, which a file of the project doesn't get to do. */
  | { readonly kind: 'command'; readonly id: string };

/** Of these a person can be asked. */
export type AskedInput = Exclude<InputDeclaration, { kind: 'command' }>;

export interface InputChoice {
  readonly label: string;
  readonly value: string;
}

/** What an input is where nobody has declared it, as in settings: hidden, since it stands for what is better not written down. */
export function undeclaredInput(id: string): AskedInput {
  return { kind: 'text', id, isSecret: true };
}

/** Reads an item of `inputs`, in VS Code's own form; nothing for what isn't one. */
export function readInput(value: unknown): InputDeclaration | undefined {
  if (!isRecord(value)) return undefined;
  const { type, id, description, options, password } = value;
  if (typeof id !== 'string' || id === '') return undefined;
  const common = { id, ...(typeof description === 'string' && { description }), ...(typeof value['default'] === 'string' && { preset: value['default'] }) };
  switch (type) {
    case 'promptString':
      return { kind: 'text', ...common, isSecret: password === true };
    case 'pickString': {
      const choices = Array.isArray(options) ? options.map(readChoice).filter((choice) => choice !== undefined) : [];
      return choices.length === 0 ? undefined : { kind: 'choice', ...common, choices };
    }
    case 'command':
      return { kind: 'command', id };
    default:
      return undefined;
  }
}

function readChoice(option: unknown): InputChoice | undefined {
  if (typeof option === 'string') return { label: option, value: option };
  if (!isRecord(option)) return undefined;
  const { label, value } = option;
  return typeof label === 'string' && typeof value === 'string' ? { label, value } : undefined;
}
