/** Built-in tools that only read files: free inside the workspace where no rule says otherwise. */
export const READERS: readonly string[] = ['Read', 'Grep', 'Glob'];

/** Built-in tools that change files. */
export const WRITERS: readonly string[] = ['Edit', 'Write'];

/** A rule for the first name binds all of these tools. */
export const FAMILIES: Readonly<Record<string, readonly string[]>> = { Read: READERS, Edit: WRITERS };

/** Tools whose rules may hold a pattern, and what the pattern is compared with. */
export const PATTERN_KINDS: Readonly<Record<string, 'path' | 'command' | 'host'>> = {
  Read: 'path',
  Grep: 'path',
  Glob: 'path',
  Edit: 'path',
  Write: 'path',
  Bash: 'command',
  WebFetch: 'host',
};

/** Files that hold secrets: reading and writing them asks. */
const SECRETS = [
  '**/.env*', '**/.envrc', '**/*.pem', '**/*.key', '**/*.p12', '**/*.pfx', '**/*.jks', '**/*.keystore', '**/*.kdbx', '**/*.ppk',
  '**/id_rsa*', '**/id_dsa*', '**/id_ecdsa*', '**/id_ed25519*', '**/.ssh/**', '**/.gnupg/**', '**/.aws/**', '**/.azure/**', '**/.kube/**',
  '**/.docker/config.json', '**/.netrc', '**/.npmrc', '**/.pypirc', '**/.git-credentials', '**/.pgpass',
];

/** Files that instruct or start agents, editors or programs: writing them asks. */
const INSTRUCTIONS = [
  '**/.lite-agent/**', '**/.claude/**', '**/.agents/**', '**/.codex/**', '**/.cursor/**', '**/.gemini/**', '**/.opencode/**', '**/.windsurf/**',
  '**/.github/{agents,chatmodes,instructions,prompts,skills,workflows}/**', '**/.github/copilot-instructions.md',
  '**/AGENTS.md', '**/AGENTS.*.md', '**/CLAUDE.md', '**/CLAUDE.*.md', '**/GEMINI.md', '**/SKILL.md', '**/.cursorrules', '**/.windsurfrules', '**/.clinerules/**',
  '**/.mcp.json', '**/mcp.json', '**/.vscode/**', '**/*.code-workspace', '**/.devcontainer/**', '**/.devcontainer.json', '**/.git/**', '**/.gitmodules', '**/.husky/**',
];

/** Ready-made `ask` rules, in force for everybody and over every `allow` rule. */
export const READY_MADE_ASKS: readonly string[] = [
  ...SECRETS.flatMap((glob) => [`Read(${glob})`, `Edit(${glob})`]),
  ...INSTRUCTIONS.map((glob) => `Edit(${glob})`),
];
