import type { ApprovalRequest } from '../domain/approvals.ts';
import { matches } from './matching.ts';
import { parseRule } from './rules.ts';
import { unitsOf, type CallSubject } from './subject.ts';

/** True when every part of the call is allowed by one of the rules. */
export function covered(rules: readonly string[], subject: CallSubject): boolean {
  const readable = rules.map(parseRule).filter((each) => each.ok);
  return unitsOf(subject).every((unit) => readable.some(({ rule }) => matches(rule, subject.tool, unit, 'allow', subject.input)));
}

/** True when a rule that a person allowed also answers a waiting request. Without the call's subject only the request's own rule does. */
export function covers(rule: string, request: Pick<ApprovalRequest, 'rule'>, subject?: CallSubject): boolean {
  return subject ? covered([rule], subject) : request.rule === rule;
}
