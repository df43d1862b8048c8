import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * Import direction, as data: each folder of the runtime with the folders it may import from.
 * `src/runtime/*.ts` (index, runtime) may import any of them. Siblings of one layer never meet.
 */
const leaves = ['providers', 'tools', 'permissions', 'definitions', 'mcp', 'skills', 'tasks', 'store', 'watch', 'web', 'cron'];
const mayImport = {
  base: [],
  domain: ['base'],
  // How Markdown files with YAML on top are read, whatever they hold.
  frontmatter: ['base', 'domain'],
  // How git is run, and what stands in work trees.
  git: ['base', 'domain'],
  ...Object.fromEntries(leaves.map((leaf) => [leaf, ['base', 'domain']])),
  watch: ['base', 'domain', 'git'],
  definitions: ['base', 'domain', 'frontmatter'],
  skills: ['base', 'domain', 'frontmatter'],
  // Lists that several processes share.
  tasks: ['base', 'domain', 'store'],
  cron: ['base', 'domain', 'store'],
  // Work trees that children have to themselves.
  worktrees: ['base', 'domain', 'git', 'store'],
  // What children changed, decided on with the help of what is stored of it.
  review: ['base', 'domain', 'store', 'tasks'],
  agent: ['base', 'domain', ...leaves],
  delegation: ['base', 'domain', ...leaves, 'agent'],
  sessions: ['base', 'domain', ...leaves, 'agent', 'delegation'],
};

const zones = Object.entries(mayImport).map(([folder, allowed]) => ({
  target: `./src/runtime/${folder}`,
  from: './src',
  except: [folder, ...allowed].map((name) => `./runtime/${name}`),
  message: `runtime/${folder} may import only: ${[folder, ...allowed].join(', ')}.`,
}));

export default tseslint.config(
  { ignores: ['dist/**', 'out/**', 'node_modules/**', '.vscode-test/**', 'test/fixtures/**', '*.mjs', 'scripts/*.mjs'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-default-export': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      'max-lines': ['error', { max: 500 }],
    },
  },
  {
    files: ['src/runtime/**/*.ts', 'src/ids.ts', 'test/unit/**/*.ts', 'test/contracts/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { paths: [{ name: 'vscode', message: 'Only src/host, src/ui and src/extension.ts know VS Code.' }] }],
    },
  },
  { files: ['src/runtime/**/*.ts'], rules: { 'import-x/no-restricted-paths': ['error', { zones: [...zones, { target: './src/runtime', from: './src', except: ['./runtime'], message: 'The runtime knows nothing of its host.' }] }] } },
  { files: ['src/host/**/*.ts'], rules: { 'import-x/no-restricted-paths': ['error', { zones: [{ target: './src/host', from: './src/ui', message: 'host implements ports; ui uses host, not the reverse.' }] }] } },
  {
    // Texts of models, files and servers can't become links there.
    files: ['src/**/*.ts'],
    ignores: ['src/host/messages.ts'],
    rules: {
      'no-restricted-syntax': ['error', {
        selector: "MemberExpression[object.object.name='vscode'][object.property.name='window'][property.name=/^(show(Information|Warning|Error)Message|withProgress)$/]",
        message: 'Tell it with src/host/messages.ts.',
      }],
    },
  },
  { files: ['test/**/*.ts', 'scripts/**/*.ts', 'examples/**/*.ts'], rules: { 'no-console': 'off', '@typescript-eslint/no-unsafe-assignment': 'off', '@typescript-eslint/no-unsafe-member-access': 'off' } },
);
