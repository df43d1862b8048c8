import * as vscode from 'vscode';
import type { Endpoint } from './endpoints.ts';
import { endpointWords } from './endpointWords.ts';

/** What people call an endpoint, in the language of the window. */
export function endpointName(endpoint: Endpoint): string {
  return endpointWords(endpoint, vscode.l10n);
}
