import { mapLimited } from '../base/async.ts';
import { compareText, nameKey } from '../base/names.ts';
import type { DefinitionDiagnostic, DiagnosticSeverity } from '../domain/definitions.ts';
import { readSkill, type LoadedSkill, type ParsedSkill } from './parse.ts';
import type { SkillScan } from './scan.ts';

export interface LoadedSkills {
  /** The winner of each name, sorted by name; also those that no model may load. */
  readonly skills: readonly LoadedSkill[];
  /** Those that don't load, in the order of precedence. */
  readonly broken: readonly ParsedSkill[];
  readonly diagnostics: readonly DefinitionDiagnostic[];
}

const PARALLEL_READS = 8;

/** Reads what a scan found: of one name the later source counts, and in one folder the first path. Never throws. */
export async function loadSkills(scans: readonly SkillScan[]): Promise<LoadedSkills> {
  const winners = new Map<string, LoadedSkill>();
  const broken: ParsedSkill[] = [];
  const diagnostics: DefinitionDiagnostic[] = [];
  for (const { source, skills, problems } of scans) {
    const parsed = await mapLimited(skills, PARALLEL_READS, (found) => readSkill(found, source));
    diagnostics.push(...problems, ...parsed.flatMap((each) => each.diagnostics));
    broken.push(...parsed.filter(({ skill }) => !skill));
    for (const { skill } of parsed) {
      if (!skill) continue;
      const key = nameKey(skill.definition.name);
      const other = winners.get(key);
      if (other?.source === source) {
        diagnostics.push(mark(skill, 'warning', 'duplicate', `Another skill of this folder has the same name and is used instead: ${other.path}.`));
        continue;
      }
      if (other) diagnostics.push(mark(other, 'information', 'shadowed', `Not used: "${skill.definition.name}" is also in ${skill.path}, which wins.`));
      winners.set(key, skill);
    }
  }
  diagnostics.push(...broken.flatMap((each) => fallback(each, winners.get(nameKey(each.name)))));
  return { skills: [...winners.values()].sort((a, b) => compareText(nameKey(a.definition.name), nameKey(b.definition.name))), broken, diagnostics };
}

/** Says so where another skill is used while one of its name doesn't load. */
function fallback({ diagnostics }: ParsedSkill, winner: LoadedSkill | undefined): readonly DefinitionDiagnostic[] {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (!winner || !error) return [];
  return [{ ...error, severity: 'warning', code: 'fallback', message: `While this file doesn't load, "${winner.definition.name}" means the skill in ${winner.path}.` }];
}

function mark({ path }: LoadedSkill, severity: DiagnosticSeverity, code: string, message: string): DefinitionDiagnostic {
  return { severity, code, message, path, line: 1, column: 1 };
}
