import { prefixOrWildcard } from './wildcards.ts';

/** What a rule says about one field of a call's input, for tools that touch nothing which a rule could name better. */
export interface InputPattern {
  readonly kind: 'input';
  /** Exactly: the field stands at the top of the input, and all that it holds matches. */
  allows(input: unknown): boolean;
  /** Broadly: any text in or below a field of that name, however deep, matches in any case. */
  restricts(input: unknown): boolean;
}

const MAX_DEPTH = 40;

/** Reads `field:text`, such as `repo:acme/*`; or says what is wrong with it. */
export function inputPattern(text: string): InputPattern | string {
  const [, field, value = ''] = /^([A-Za-z_$][\w$-]*)\s*:\s*([^]+)$/.exec(text) ?? [];
  if (field === undefined) return 'write the name of an input field before its text, such as "repo:acme/*"';
  const matches = prefixOrWildcard(value);
  if (matches === undefined) return 'the prefix is empty; use "*" for any text';
  const wanted = field.toLowerCase();
  return {
    kind: 'input',
    allows: (input) => {
      const texts = isRecord(input) && Object.hasOwn(input, field) ? plainTexts(input[field]) : [];
      return texts !== undefined && texts.length > 0 && texts.every((each) => matches(each, false));
    },
    restricts: (input) => textsBelow(input, wanted, false, 0).some((each) => matches(each, true)),
  };
}

/** The texts of a value, or of a list of them; nothing where there is more to it, so that it can't be told. */
function plainTexts(value: unknown): readonly string[] | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.every((item) => typeof item !== 'object' || item === null) ? items.map(String) : undefined;
}

function textsBelow(value: unknown, field: string, isIn: boolean, depth: number): readonly string[] {
  if (typeof value !== 'object' || value === null) return isIn ? [String(value)] : [];
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsBelow(item, field, isIn, depth + 1));
  return Object.entries(value).flatMap(([name, item]) => textsBelow(item, field, isIn || name.toLowerCase() === field, depth + 1));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
