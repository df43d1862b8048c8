import { errorText } from '../base/errors.ts';
import type { ToolContext } from '../domain/tools.ts';

/** Longest output of one call, in characters, that a model gets as it is, unless its tool says otherwise. */
export const OUTPUT_LIMIT = 30_000;
/** The end says more than the middle: errors and totals stand there. */
const TAIL_SHARE = 0.4;

/**
 * The output itself, or its beginning and end with a pointer to a file that holds all of it.
 * @param name makes the file recognisable, such as `bash`.
 * @returns at most `limit` characters plus the pointer. Never rejects: output that can't be kept is cut all the same.
 */
export async function limitOutput(text: string, name: string, context: Pick<ToolContext, 'spill'>, limit = OUTPUT_LIMIT): Promise<string> {
  if (text.length <= limit) return text.toWellFormed();
  const tailLength = Math.floor(limit * TAIL_SHARE);
  const head = headLines(text, limit - tailLength);
  const tail = tailLines(text, tailLength);
  const left = text.length - head.length - tail.length;
  const kept = await context.spill(name, text.toWellFormed()).then(
    (path) => `All of the output is in ${path}: Read it with offset and limit, or Grep it.`,
    (error: unknown) => `The rest could not be kept (${errorText(error)}); ask for less output.`,
  );
  return `${head.toWellFormed()}\n[… ${left} characters left out here. ${kept} …]\n${tail.toWellFormed()}`;
}

/** The first characters up to the last line end among them, where that doesn't lose most of them. */
function headLines(text: string, max: number): string {
  const end = text.lastIndexOf('\n', max);
  return text.slice(0, end > max / 2 ? end : max);
}

function tailLines(text: string, max: number): string {
  const start = text.indexOf('\n', text.length - max);
  return text.slice(start !== -1 && start < text.length - max / 2 ? start + 1 : text.length - max);
}
