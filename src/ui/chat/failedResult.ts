import type * as vscode from 'vscode';
import { isAbort } from '../../runtime/base/abort.ts';
import { errorText, isAppError } from '../../runtime/base/errors.ts';
import type { Log } from '../../runtime/domain/ports.ts';
import { thrownMessage } from './errorWords.ts';

/** The result of a response whose work threw. `metadata` says where its conversation stands. */
export function failedResult(error: unknown, metadata: Readonly<Record<string, unknown>> | undefined, log: Log): vscode.ChatResult {
  const result = metadata === undefined ? {} : { metadata };
  if (isAbort(error)) return result;
  // An error of our own is an answer to the user; anything else is a defect.
  if (isAppError(error)) log.info(`chat: ${error.reason}: ${error.message}`);
  else log.error(`chat: ${errorText(error)}`);
  return { ...result, errorDetails: { message: thrownMessage(error) } };
}
