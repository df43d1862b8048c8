/** A part of an answer that only tells how things stand, as Markdown; `block` and `review` are trusted, each with the links that belong there. */
export interface ReportPart {
  readonly kind: 'text' | 'block' | 'review';
  readonly markdown: string;
}

export function textPart(markdown: string): ReportPart {
  return { kind: 'text', markdown: `${markdown}\n\n` };
}
