import assert from 'node:assert/strict';
import { connectFailure } from '../../../src/runtime/mcp/failures.ts';
import type { ServerTarget } from '../../../src/runtime/mcp/config.ts';

const failed = (code: string, command: string): string =>
  connectFailure(Object.assign(new Error(`spawn ${command} ${code}`), { code }), { kind: 'stdio', command, args: [], env: {} } as unknown as ServerTarget, (text) => text);

describe('a command of an MCP server that can’t be started', () => {
  it('was not found where the system knows none of that name', () => {
    assert.match(failed('ENOENT', 'no-such-command'), /^Its command no-such-command was not found/);
  });

  it('may be missing too where the system only says that it may not look everywhere', () => {
    assert.match(failed('EACCES', 'no-such-command'), /^Its command no-such-command was not found on the PATH, or may not be run\./);
  });

  it('may not be run where its very file was named', () => {
    assert.match(failed('EACCES', '/opt/server'), /^Its command \/opt\/server may not be run\./);
  });
});
