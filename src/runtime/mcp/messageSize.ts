import { AppError } from '../base/errors.ts';

const MB = 1024 * 1024;
/** Bytes of one message of a server, or of one answer over HTTP: far above what a model could be given of it. */
export const MAX_MESSAGE = 10 * MB;

export function tooLongMessage(): AppError {
  return new AppError('unavailable', `it sent more than ${MAX_MESSAGE / MB} MB in one message`);
}
