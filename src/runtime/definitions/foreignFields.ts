import type { Reader } from './draft.ts';
import { readDuration } from './fields.ts';
import { readFlag, readText } from '../frontmatter/fields.ts';
import type { Problem } from '../frontmatter/frontmatter.ts';
import type { Entry } from '../frontmatter/values.ts';

/** Fields of other products that become one of ours with another meaning of their values. */
export const FOREIGN_READERS: Readonly<Record<string, Reader>> = {
  /** Older word for the opposite of `disable-model-invocation`, which wins where both stand: it can only hide too. */
  infer(entry, draft, problems) {
    if (readFlag('infer', entry.value, problems) !== false) return;
    draft.delegable = false;
    reportMapped(entry, 'delegable: false', problems);
  },
  /** Who may start the agent: what only a person may start is hidden from the model. */
  mode(entry, draft, problems) {
    if (readText('mode', entry.value, problems) === 'primary') {
      draft.delegable = false;
      reportMapped(entry, 'delegable: false', problems);
    } else {
      problems.push({ severity: 'information', code: 'ignored', message: '`mode` is ignored: every agent here is a subagent.', at: entry.at, data: { kind: 'ignored', field: 'mode' } });
    }
  },
  timeout_mins(entry, draft, problems) {
    const limit = readDuration('timeout_mins', entry.value, problems, 'm');
    if (limit === undefined) return;
    draft.maxDurationMs = limit;
    reportMapped(entry, `maxDuration: ${limit / 1000}s`, problems);
  },
};

/** Says which line means the same as the field and its value. */
function reportMapped({ name, at }: Entry, line: string, problems: Problem[]): void {
  problems.push({ severity: 'information', code: 'mapped', message: `\`${name}\` is read as \`${line}\`.`, at, data: { kind: 'mapped_field', field: name, line } });
}
