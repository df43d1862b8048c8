import type { PlannedChild } from '../../runtime/domain/agents.ts';
import { inert } from '../chat/markdown.ts';
import type { L10n } from '../l10n.ts';
import { modelWords } from '../models/modelWords.ts';
import { joined } from '../tree/presentation.ts';

/** Of a prompt, in code points. */
const MAX_PROMPT = 240;

/** What a delegation by a model would start. */
export interface Planned {
  readonly children: readonly PlannedChild[];
  /** The folder to work in, where there are several. */
  readonly folder?: string;
  /** Rules are only recorded. */
  readonly isDryRun: boolean;
}

/** The question before a model's delegation starts, as a title in plain text and Markdown in which nothing that a model wrote means anything. */
export function confirmation({ children, folder, isDryRun }: Planned, l10n: L10n): { readonly title: string; readonly message: string } {
  return {
    title: children.length === 1 ? l10n.t('Start a subagent?') : l10n.t('Start {0} subagents?', children.length),
    message: [
      ...(folder === undefined ? [] : [l10n.t('In the folder {0}:', inert(folder))]),
      ...children.map((child) => [`**${inert(child.displayName)}** · ${inert(facts(child, isDryRun, l10n), Infinity)}`, inert(child.prompt, MAX_PROMPT)].join('  \n')),
    ].join('\n\n'),
  };
}

function facts(child: PlannedChild, isDryRun: boolean, l10n: L10n): string {
  const { definition, model, resume } = child;
  return joined(resume === undefined ? undefined : l10n.t('goes on'), definition.name, modelWords(model, l10n), mayDo(child, isDryRun, l10n));
}

/** What a child may do, in a few words. */
export function mayDo({ definition, tools }: Pick<PlannedChild, 'definition' | 'tools'>, isDryRun: boolean, l10n: L10n): string {
  const { readOnly = false, permission, servers = [], isolation } = definition;
  const writes = !readOnly && (tools.includes('Edit') || tools.includes('Write'));
  const runs = !readOnly && tools.includes('Bash');
  const can = writes && runs ? l10n.t('may change files and run commands') : writes ? l10n.t('may change files') : runs ? l10n.t('may run commands') : l10n.t('only reads');
  const asks = isDryRun ? l10n.t('asks nothing in the dry run') : permission?.onAsk === 'deny' ? l10n.t('never asks, and does only what your rules allow') : l10n.t('asks first, unless your rules allow it');
  return joined(
    writes || runs ? `${can}, ${asks}` : can,
    isolation === 'worktree' ? l10n.t('in a git worktree of its own') : undefined,
    servers.length === 0 ? undefined : l10n.t('MCP servers: {0}', servers.map(({ server }) => server).join(', ')),
  );
}
