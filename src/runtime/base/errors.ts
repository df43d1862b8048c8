/** Why something failed, for code to branch on. Message text is for readers only. */
export type ErrorReason =
  | 'aborted'
  | 'invalid_input'
  | 'not_found'
  | 'conflict'
  | 'denied'
  | 'unavailable'
  | 'closed'
  | 'timeout'
  | 'corrupt'
  | 'internal';

/** The one error class of the product. `message` is a sentence that tells its reader what to do next. */
export class AppError extends Error {
  readonly reason: ErrorReason;

  constructor(reason: ErrorReason, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'AppError';
    this.reason = reason;
  }
}

/** True for an `AppError`, with that reason where one is given. Told by its name: what is loaded on first use has a class of its own. */
export function isAppError(error: unknown, reason?: ErrorReason): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'reason' in error && (reason === undefined || error.reason === reason);
}

/** The text of whatever was thrown, without its stack. */
export function errorText(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : error;
    return String(message);
  } catch {
    // An object without a prototype, or with a broken `toString`.
    return 'It failed with something that is no error.';
  }
}

/** The `code` of a Node system error such as `ENOENT`; nothing for any other value. */
export function systemCode(error: unknown): string | undefined {
  const code = fieldOf(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** A field of whatever was thrown; nothing where it has none, or one that throws as it is read. */
export function fieldOf(error: unknown, name: string): unknown {
  try {
    return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  } catch {
    return undefined;
  }
}

/** Makes a forgotten case of a union a type error; reaching it at run time is a defect. */
export function unreachable(value: never): never {
  throw new AppError('internal', `Unexpected value: ${JSON.stringify(value)}`);
}
