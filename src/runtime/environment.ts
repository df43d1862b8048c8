import type { RuntimeEnvironment, RuntimeOptions } from './domain/environment.ts';
import { createSkillTool } from './skills/skillTool.ts';
import { limitOutput } from './tools/output.ts';
import { createBuiltinTools } from './tools/registry.ts';
import { shellEnvironment, withExplicitBareRepositories } from './tools/shellEnv.ts';

/** What the root and all its children work in, with the runtime's own tools and the host's. */
export function createRuntimeEnvironment(options: RuntimeOptions): RuntimeEnvironment {
  const { ripgrep, shell = true, env = {}, shellEnv, builtinTools = [] } = options;
  const own = [
    ...createBuiltinTools({ ...(ripgrep && { ripgrep }), ...(shell && { shell: { env: withExplicitBareRepositories(shellEnvironment(env, shellEnv)) } }) }),
    createSkillTool(limitOutput),
  ];
  return { ...options, builtinTools: [...new Map([...own, ...builtinTools].map((tool) => [tool.name, tool])).values()] };
}
