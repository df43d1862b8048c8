/** Two names are the same one when they have this in common: no case, one form of Unicode. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Code unit order: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
