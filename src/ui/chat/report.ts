/** A part of an answer that only tells how things stand, as Markdown; `block` is trusted. */
export interface ReportPart {
  readonly kind: 'text' | 'block';
  readonly markdown: string;
}

export function textPart(markdown: string): ReportPart {
  return { kind: 'text', markdown: `${markdown}\n\n` };
}
