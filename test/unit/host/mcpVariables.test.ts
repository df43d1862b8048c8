import assert from 'node:assert/strict';
import { sep } from 'node:path';
import { expandServer, type VariableValues } from '../../../src/host/mcp/variables.ts';
import type { WrittenServer } from '../../../src/host/mcp/serverConfig.ts';

const values: VariableValues = {
  workspaceFolder: '/w/project', userHome: '/home/me', env: { TOKEN: 'from-env', TRICKY: '${userHome}' },
  input: async (id) => `<${id}>`, unknown: (written) => new Error(`unknown ${written}`),
};
const expanded = async (text: string, patch: Partial<VariableValues> = {}): Promise<string> => {
  const server = await expandServer({ url: text }, { ...values, ...patch });
  return 'url' in server ? server.url : '';
};

describe('variables of a server', () => {
  const cases: readonly (readonly [written: string, meant: string])[] = [
    ['${workspaceFolder}/a', '/w/project/a'], ['${workspaceFolderBasename}', 'project'], ['${userHome}', '/home/me'], ['a${pathSeparator}b', `a${sep}b`],
    ['Bearer ${env:TOKEN}!', 'Bearer from-env!'], ['[${env:NOT_SET}]', '[]'], ['${input:a}${input:b c}', '<a><b c>'], ['no variable', 'no variable'],
    ['$HOME $(x) ${ {}', '$HOME $(x) ${ {}'], ['${userHome', '${userHome'], ['${env:TRICKY}', '${userHome}'],
  ];
  for (const [written, meant] of cases) it(`${written} is ${meant}`, async () => assert.equal(await expanded(written), meant));

  for (const written of ['${file}', '${config:a.b}', '${command:a}', '${env:}', '${input:}', '${WORKSPACEFOLDER}', '${TOKEN}', '${}', '${env}', '${workspaceFolder:other}']) {
    it(`${written} is refused`, () => assert.rejects(expanded(`a ${written}`), { message: `unknown ${written}` }));
  }

  it('are replaced in every text of a server, and in no name', async () => {
    const v = '${input:x}';
    const stdio: WrittenServer = { type: 'stdio', command: v, args: [v, 'y'], env: { [v]: v }, envFile: v, cwd: v };
    assert.deepEqual(await expandServer(stdio, values), { type: 'stdio', command: '<x>', args: ['<x>', 'y'], env: { [v]: '<x>' }, envFile: '<x>', cwd: '<x>' });
    assert.deepEqual(await expandServer({ type: 'sse', url: v, headers: { [v]: v } }, values), { type: 'sse', url: '<x>', headers: { [v]: '<x>' } });
  });

  it('are asked for one after the other', async () => {
    let open = 0;
    let most = 0;
    const input = async (): Promise<string> => {
      most = Math.max(most, ++open);
      await Promise.resolve();
      open--;
      return 'x';
    };
    await expandServer({ command: '${input:a}', args: ['${input:b}', '${input:c}'], env: { A: '${input:d}', B: '${input:e}' } }, { ...values, input });
    assert.equal(most, 1);
  });
});
