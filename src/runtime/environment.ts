import type { RuntimeEnvironment, RuntimeOptions } from './domain/environment.ts';
import { serviceTools } from './serviceTools.ts';
import { createSkillTool } from './skills/skillTool.ts';
import { limitOutput } from './tools/output.ts';
import { createBuiltinTools } from './tools/registry.ts';
import { withToldSchema } from './tools/toldSchema.ts';
import { shellEnvironment, withExplicitBareRepositories } from './tools/shellEnv.ts';

/**
 * Makes what agents work in. The root, all its children, and any number of agents share the very object by reference:
 * provider, model and credentials, folders, the environment of shell commands, files, storage, log, services, and the
 * built-in tools, which are the runtime's own for what the options offer, and the host's `builtinTools`. Nothing that is
 * one agent's alone (prompts, custom tools, connections, skills, lists) belongs in here. Starts and opens nothing.
 *
 * @param options paths absolute; credentials are the provider's own and never in `env`
 */
export function createRuntimeEnvironment(options: RuntimeOptions): RuntimeEnvironment {
  const { ripgrep, shell = true, env = {}, shellEnv, builtinTools = [] } = options;
  const own = [
    ...createBuiltinTools({ ...(ripgrep && { ripgrep }), ...(shell && { shell: { env: withExplicitBareRepositories(shellEnvironment(env, shellEnv)) } }) }),
    createSkillTool(limitOutput),
    ...serviceTools(options),
  ].map(withToldSchema);
  return { ...options, builtinTools: [...new Map([...own, ...builtinTools].map((tool) => [tool.name, tool])).values()] };
}
