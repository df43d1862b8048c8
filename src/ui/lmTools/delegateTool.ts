import * as vscode from 'vscode';
import { AppError } from '../../runtime/base/errors.ts';
import type { GroupResults, StartedGroup } from '../../runtime/domain/agents.ts';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';
import { obstacleForModel } from '../anywhere/obstacle.ts';
import { workFolders } from '../anywhere/folders.ts';
import type { AnywhereContext } from '../anywhere/context.ts';
import { confirmation } from './confirmation.ts';
import { fitted } from './fitted.ts';
import { folderFor } from './folderArgument.ts';

/** As its schema in the manifest has it; what a model really wrote is checked by the runtime, which names all that is wrong. */
type Input = Readonly<Record<string, unknown>>;

const FIELDS = ['tasks', 'folder'];

/** `#delegate`: starts a group in a conversation of its own, waits for it, and gives its results to the agent that called. Cancelling the call cancels the group. */
export class DelegateTool implements vscode.LanguageModelTool<Input> {
  readonly #context: AnywhereContext;

  constructor(context: AnywhereContext) {
    this.#context = context;
  }

  /** Starts nothing. Throws for the model what keeps the call from starting. */
  async prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<Input>): Promise<vscode.PreparedToolInvocation> {
    const { agent, tasks, folder, isOneOfSeveral } = await this.#resolve(input);
    const children = await agent.plan(tasks, { by: 'model' });
    const { title, message } = confirmation({
      children,
      ...(isOneOfSeveral && { folder: folder.name }),
      isDryRun: this.#context.dryRun.isOn(),
    }, vscode.l10n);
    const invocationMessage = children.length === 1 ? vscode.l10n.t('Delegating to a subagent') : vscode.l10n.t('Delegating to {0} subagents', children.length);
    return { invocationMessage, confirmationMessages: { title, message: new vscode.MarkdownString(message) } };
  }

  async invoke({ input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<Input>, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    const { agent, tasks, folder } = await this.#resolve(input);
    const session = await agent.openSession({ cwd: folder.path, answers: false });
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    const results = await untilCancelled(agent, await session.start(tasks, { by: 'model' }), token);
    const text = tokenizationOptions ? await fitted(results.text, { tokens: tokenizationOptions.tokenBudget, count: (part) => tokenizationOptions.countTokens(part) }) : results.text();
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }

  /** What both work on. */
  async #resolve({ tasks, ...others }: Input): Promise<{ readonly agent: LiteAgent; readonly tasks: unknown; readonly folder: ReturnType<typeof folderFor>; readonly isOneOfSeveral: boolean }> {
    const obstacle = this.#context.obstacle();
    if (obstacle !== undefined) throw new AppError('unavailable', obstacleForModel(obstacle));
    const unknown = Object.keys(others).filter((field) => !FIELDS.includes(field));
    if (unknown.length > 0) throw new AppError('invalid_input', `Nothing was started. Unknown: ${unknown.join(', ')}. Allowed: ${FIELDS.join(', ')}.`);
    const folders = workFolders();
    return { agent: await this.#context.access.agent(), tasks, folder: folderFor(others['folder'], folders), isOneOfSeveral: folders.length > 1 };
  }
}

/** What the group came to. A call that is cancelled ends once all its children have really stopped. */
async function untilCancelled(agent: Pick<LiteAgent, 'cancelGroup'>, { group, results }: StartedGroup, token: vscode.CancellationToken): Promise<GroupResults> {
  let cancelling: Promise<void> | undefined;
  const cancel = (): void => {
    cancelling = agent.cancelGroup(group.groupId);
    // What it fails with is told below, once the group has ended.
    cancelling.catch(() => undefined);
  };
  const listening = token.onCancellationRequested(cancel);
  if (token.isCancellationRequested) cancel();
  try {
    const settled = await results;
    await cancelling;
    // What was over before the cancel arrived is still nothing that anybody waits for.
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    return settled;
  } finally {
    listening.dispose();
  }
}
