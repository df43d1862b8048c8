/** `Comment 2:` at the start of a line, however the model has dressed it up. */
const HEADING = /^[\s>#*_\-–—[(]*comment[\s#]*(\d{1,4})[\s*_\])]*[:.)\-–—]+[\s*_]*(.*)$/iu;
const FENCE = /^\s*(`{3,}|~{3,})/u;

/**
 * What a child answered to numbered comments: for each number the text after its last heading, up to the next one.
 * @param count how many comments there are; other numbers are no headings
 * @returns the answers by number; none for a comment that has no section or an empty one
 */
export function parseReplies(text: string, count: number): ReadonlyMap<number, string> {
  const sections = new Map<number, string[]>();
  let open: string[] | undefined;
  let fence: string | undefined;
  for (const line of text.split(/\r\n|\n|\r/u)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || (mark.startsWith(fence) && mark.length >= fence.length))) fence = fence === undefined ? mark : undefined;
    const [, digits = '', rest = ''] = (fence === undefined && HEADING.exec(line)) || [];
    const number = Number(digits);
    if (number >= 1 && number <= count) sections.set(number, (open = [rest]));
    else open?.push(line);
  }
  const answers = [...sections].map(([number, lines]) => [number, lines.join('\n').trim()] as const);
  return new Map(answers.filter(([, answer]) => answer !== ''));
}
