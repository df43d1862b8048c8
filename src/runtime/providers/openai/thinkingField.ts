import { isObject } from '../json.ts';

/** Names under which servers of the Chat wire send thinking, none of which OpenAI has. */
const FIELDS = ['reasoning_content', 'reasoning'] as const;

/** Under which name an answer's thinking came. The thinking itself stands in the message. */
export interface ThinkingField {
  readonly field: (typeof FIELDS)[number];
}

export function isThinkingField(value: unknown): value is ThinkingField {
  return isObject(value) && FIELDS.some((field) => field === value['field']);
}

/** The thinking in a delta, with the name that it came under. Where both are there, they say the same. */
export function thinkingIn(delta: Readonly<Record<string, unknown>>): { readonly field: ThinkingField['field']; readonly text: string } | undefined {
  for (const field of FIELDS) {
    const text = delta[field];
    if (typeof text === 'string' && text !== '') return { field, text };
  }
  return undefined;
}
