/** Built-in tools that only read files: free inside the workspace where no rule says otherwise. */
export const READERS: readonly string[] = ['Read', 'Grep', 'Glob'];

/** Built-in tools that change files. */
export const WRITERS: readonly string[] = ['Edit', 'Write'];

/** A rule for the first name binds all of these tools. */
export const FAMILIES: Readonly<Record<string, readonly string[]>> = { Read: READERS, Edit: WRITERS };

/** What the pattern of a rule is compared with. */
export type PatternKind = 'path' | 'command' | 'host' | 'input';

/** Tools whose calls touch something that a pattern can name. For all others it names a field of the input. */
export const PATTERN_KINDS: Readonly<Record<string, Exclude<PatternKind, 'input'>>> = {
  Read: 'path',
  Grep: 'path',
  Glob: 'path',
  Edit: 'path',
  Write: 'path',
  Bash: 'command',
  WebFetch: 'host',
};

/** What a pattern in a rule for that tool name, in any case, is compared with. */
export function patternKind(tool: string): PatternKind {
  const name = tool.toLowerCase();
  return Object.entries(PATTERN_KINDS).find(([known]) => known.toLowerCase() === name)?.[1] ?? 'input';
}

/** Files that hold secrets: reading and writing them asks. */
const SECRETS = [
  '**/.env*', '**/.envrc', '**/*.pem', '**/*.key', '**/*.p8', '**/*.p12', '**/*.pfx', '**/*.jks', '**/*.keystore', '**/*.kdbx', '**/*.ppk',
  '**/id_rsa*', '**/id_dsa*', '**/id_ecdsa*', '**/id_ed25519*', '**/.ssh/**', '**/.gnupg/**', '**/.aws/**', '**/.azure/**', '**/.kube/**', '**/.config/{gcloud,gh}/**',
  '**/.docker/config.json', '**/.netrc', '**/.npmrc', '**/.pypirc', '**/.git-credentials', '**/.pgpass', '**/.my.cnf', '**/.vault-token',
];

/** Files that instruct or start agents, editors or programs: writing them asks. */
const INSTRUCTIONS = [
  // One folder a product: brace lists keep the number of expressions small.
  '**/.{lite-agent,claude,claude-plugin,agents,agent,codex,cursor,gemini,qwen,opencode,windsurf,clinerules,roo,kilocode,continue,junie,augment,amazonq,kiro,trae,factory,goose,zed,idea}/**',
  '**/.github/{agents,chatmodes,copilot,hooks,instructions,prompts,skills,workflows}/**', '**/.github/copilot-*.md',
  '**/{AGENT,AGENTS,CLAUDE,GEMINI,QWEN,CRUSH,WARP,SKILL}.md', '**/{AGENTS,CLAUDE}.*.md', '**/*.{agent,chatmode,instructions,prompt}.md',
  '**/.{cursorrules,windsurfrules,roorules,roomodes,goosehints,rules}', '**/.aider.conf.yml', '**/{opencode,crush,.crush,.claude}.{json,jsonc}',
  '**/{.mcp,mcp,mcp_config,mcp_settings,claude_desktop_config}.{json,jsonc}', '**/.vscode/**', '**/*.code-workspace', '**/.devcontainer/**', '**/.devcontainer.json', '**/.git/**', '**/.gitmodules', '**/.husky/**',
];

/** Ready-made `ask` rules, in force for everybody and over every `allow` rule. */
export const READY_MADE_ASKS: readonly string[] = [
  ...SECRETS.flatMap((glob) => [`Read(${glob})`, `Edit(${glob})`]),
  ...INSTRUCTIONS.map((glob) => `Edit(${glob})`),
];
