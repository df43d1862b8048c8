import * as vscode from 'vscode';
import type { Log } from '../runtime/domain/ports.ts';

/** The one output channel of the extension; its level is the user's choice. */
export function createLogChannel(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel('Subagents', { log: true });
}

/** A log whose lines start with the component's name. */
export function componentLog(channel: Log, component: string): Log {
  const line = (message: string): string => `[${component}] ${message}`;
  return {
    trace: (message) => channel.trace(line(message)),
    debug: (message) => channel.debug(line(message)),
    info: (message) => channel.info(line(message)),
    warn: (message) => channel.warn(line(message)),
    error: (message) => channel.error(line(message)),
  };
}
