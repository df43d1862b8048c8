/** Reading what a server sent: nothing about its shape is certain. */
export type Json = Readonly<Record<string, unknown>>;

const EMPTY: Json = {};

/** The value as an object; an empty one for anything else. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : EMPTY;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an array of objects; an empty one for anything else. */
export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The value if it is text, else `''`. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value if it is a number of tokens, else nothing. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The text parsed; nothing where it is no JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
