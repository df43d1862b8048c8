/** What a request refers to, in plain data. Lines start at 1; `to` is included. */
export type PlainReference =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'range'; readonly path: string; readonly from: number; readonly to: number }
  | { readonly kind: 'text'; readonly label: string; readonly text: string };

/** Appends the references to a prompt, for the model. */
export function withReferences(prompt: string, references: readonly PlainReference[]): string {
  if (references.length === 0) return prompt;
  const lines = [...new Set(references.map(line))];
  return `${prompt}\n\nReferences given with this message:\n${lines.join('\n')}`.trim();
}

function line(reference: PlainReference): string {
  switch (reference.kind) {
    case 'file':
      return `- ${reference.path}`;
    case 'range':
      return reference.from === reference.to ? `- ${reference.path}, line ${reference.from}` : `- ${reference.path}, lines ${reference.from}-${reference.to}`;
    case 'text':
      return `- ${reference.label}:\n${reference.text.replace(/^/gm, '  ')}`;
  }
}
