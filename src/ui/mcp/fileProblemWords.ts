import { faultWords } from '../../host/mcp/faultWords.ts';
import type { McpFileProblem } from '../../host/mcp/mcpFile.ts';
import type { L10n } from '../l10n.ts';

/** What is wrong with a file of servers, and what to do. */
export function fileProblemWords(problem: McpFileProblem, l10n: L10n): string {
  switch (problem.kind) {
    case 'unreadable':
      return l10n.t('This file can’t be read, so none of its MCP servers is used: {0}', problem.why);
    case 'syntax':
      return l10n.t('This is no JSON from here on, so none of the MCP servers of this file is used.');
    case 'no_object':
      return l10n.t('The file must hold an object with “servers”.');
    case 'bad_servers':
      return l10n.t('“servers” must be an object with MCP servers by their names.');
    case 'no_servers':
      return l10n.t('In this file the MCP servers belong under “servers”.');
    case 'bad_inputs':
      return l10n.t('“inputs” must be a list.');
    case 'bad_input':
      return l10n.t('An input needs an “id” and the “type” “promptString”, or “pickString” with “options”.');
    case 'bad_server':
      return l10n.t('The server {0} is left out. {1}', problem.name, faultWords(problem.fault, l10n));
    case 'unknown_variable':
      return l10n.t('{0} means nothing to Subagent Panel, so it can’t start the server {1}.', problem.variable, problem.name);
    case 'undeclared_input':
      return l10n.t('The input “{0}” is not declared in “inputs”, so Subagent Panel can’t start the server {1}.', problem.id, problem.name);
    case 'command_input':
      return l10n.t('The input “{0}” would run a command, which Subagent Panel doesn’t do, so it can’t start the server {1}.', problem.id, problem.name);
  }
}
