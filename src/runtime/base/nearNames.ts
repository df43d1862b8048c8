/** How many are worth naming. */
const MAX_NEAR = 3;

/** Those of the names that a mistyped word may stand for, best first: a few letters apart, or with the word at their start. Case, `-`, `_` and blanks don't count. */
export function nearNames(word: string, names: readonly string[]): readonly string[] {
  const wanted = fold(word);
  if (wanted === '') return [];
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, fold(name)), starts: wanted.length > 1 && fold(name).startsWith(wanted) }))
    .filter(({ distance, starts }) => distance <= limit || starts)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
}

const fold = (text: string): string => text.toLowerCase().replace(/[-_\s]/g, '');

/** Letters to add, drop, replace or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > a.length) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
