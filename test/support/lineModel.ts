/** A line that somebody wrote. It stays where it is, also after somebody took it away. */
interface Cell {
  readonly text: string;
  stands: boolean;
  region: Region | undefined;
}

/** Lines side by side that the one author in question had a part in. */
interface Region {
  /** What would stand there without the author. */
  before: Cell[];
  /** What the author left there. */
  own: Cell[];
  isLocked: boolean;
}

/** Lines that stand from `start` to before `end` are replaced by these. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}

/**
 * Follows every line of a file from the edits themselves, never comparing two texts of it: what becomes of the changes
 * of one author, of whom all lines are new ones. A file that is there begins with the line `marker`, one that isn't is
 * empty.
 */
export class LineModel {
  readonly #marker: string;
  #cells: Cell[];

  constructor(texts: readonly string[], marker: string) {
    this.#marker = marker;
    this.#cells = texts.map((text) => ({ text, stands: true, region: undefined }));
  }

  lines(): string[] {
    return textsOf(this.#standing());
  }

  /** Edits made at once, apart from each other, from the top down. */
  edit(edits: readonly Edit[], isOwn: boolean): void {
    const foreign = new Set(this.#cells.filter((cell) => cell.region && this.#isForeign(cell, cell.region)));
    for (const edit of edits.toReversed()) this.#editOne(edit, isOwn, foreign);
    this.#tidy();
  }

  /** The places of what the author has changed, undecided. */
  regions(): { readonly before: string[]; readonly now: string[]; readonly start: number; readonly end: number; readonly isConflict: boolean }[] {
    return this.#regions().map((region) => {
      const start = this.#cells.slice(0, this.#cells.findIndex((cell) => cell.region === region)).filter(({ stands }) => stands).length;
      const now = this.#now(region);
      return { before: textsOf(region.before), now: textsOf(now), start, end: start + now.length, isConflict: this.#isConflict(region) };
    });
  }

  /** The lines after all that can be is taken back, of these regions or of all. */
  undone(chosen: (index: number) => boolean = () => true): string[] {
    return textsOf(this.#without(this.#regions().filter((region, index) => chosen(index) && !this.#isConflict(region))));
  }

  /** Takes them back, and counts them as decided. */
  undo(chosen: (index: number) => boolean): void {
    const regions = this.#regions().filter((region, index) => chosen(index) && !this.#isConflict(region));
    const after = new Set(this.#without(regions));
    for (const cell of this.#cells) {
      cell.stands = after.has(cell);
      if (cell.region && regions.includes(cell.region)) cell.region = undefined;
    }
    this.#tidy();
  }

  /** Counts a region as decided, as it stands. */
  accept(index: number): void {
    const region = this.#regions()[index];
    for (const cell of this.#cells) if (cell.region === region) cell.region = undefined;
    this.#tidy();
  }

  /** Lines that others may have written into a region. */
  #isForeign(cell: Cell, region: Region): boolean {
    return !region.before.includes(cell) && (region.isLocked || (!this.#isAsLeft(region) && !region.own.includes(cell)));
  }

  #editOne({ start, end, texts }: Edit, isOwn: boolean, foreign: ReadonlySet<Cell>): void {
    const standing = this.#standing();
    const isAll = start === 0 && end === standing.length;
    const [above, below] = [standing[start - 1], standing[end]];
    const removed = standing.slice(start, end);
    let first = removed.length > 0 ? this.#cells.indexOf(removed[0]!) : this.#cells.length;
    let last = removed.length > 0 ? this.#cells.indexOf(removed.at(-1)!) : -1;
    const touched = new Set(this.#cells.slice(first, last + 1).map(({ region }) => region));
    if (removed.length === 0 && above?.region && above.region === below?.region) touched.add(above.region);
    if (isAll) for (const region of this.#regions()) touched.add(region);
    touched.delete(undefined);
    const added = texts.map((text): Cell => ({ text, stands: true, region: undefined }));
    // In front of the next line that stands; outside of the region that this line may begin.
    let at = removed.length > 0 ? last + 1 : below ? this.#cells.indexOf(below) : this.#cells.length;
    if (removed.length === 0 && below?.region && !touched.has(below.region)) at = this.#cells.findIndex(({ region }) => region === below.region);
    const wasClean = [...touched].every((region) => region && !region.isLocked && this.#isAsLeft(region));
    this.#cells.splice(at, 0, ...added);
    if (!isOwn && touched.size === 0) {
      for (const cell of removed) cell.stands = false;
      return;
    }
    // Everything between the outermost of what is touched becomes one region.
    const isMember = (cell: Cell): boolean => added.includes(cell) || removed.includes(cell) || (cell.region !== undefined && touched.has(cell.region));
    first = this.#cells.findIndex(isMember);
    last = this.#cells.findLastIndex(isMember);
    const members = this.#cells.slice(first, last + 1);
    const region: Region = { before: this.#partsOf(members, (one) => one.before, added), own: this.#partsOf(members, (one) => one.own, added), isLocked: [...touched].some((one) => one?.isLocked) };
    // What others wrote there and the author takes away is remembered as theirs.
    if (isOwn) region.before.push(...removed.filter((cell) => foreign.has(cell)));
    for (const cell of removed) cell.stands = false;
    for (const cell of members) cell.region = region;
    if (!isOwn) return;
    region.own = members.filter(({ stands }) => stands);
    region.isLocked ||= !wasClean;
  }

  /** Lines of regions, by this side of them, and what stands between them, from the top down. */
  #partsOf(members: readonly Cell[], side: (region: Region) => Cell[], added: readonly Cell[]): Cell[] {
    const seen = new Set<Region>();
    return members.flatMap((cell) => {
      if (!cell.region) return cell.stands && !added.includes(cell) ? [cell] : [];
      if (seen.has(cell.region)) return [];
      seen.add(cell.region);
      return side(cell.region);
    });
  }

  #tidy(): void {
    for (const region of this.#regions()) this.#shrink(region);
    // Regions with no line between them are one, but for those in conflict of which a line stands.
    let last: Region | undefined;
    for (const cell of this.#cells) {
      const { region } = cell;
      if (!region) {
        if (cell.stands) last = undefined;
        continue;
      }
      if (region === last) continue;
      const both = last ? [last, region] : [];
      if (last && (both.every((one) => !one.isLocked && this.#isAsLeft(one)) || both.every((one) => this.#now(one).every(({ text }) => text === this.#marker)))) {
        const joined: Region = { before: [...last.before, ...region.before], own: [...last.own, ...region.own], isLocked: both.some(({ isLocked }) => isLocked) };
        const from = this.#cells.findIndex((one) => one.region === last);
        const to = this.#cells.findLastIndex((one) => one.region === region);
        for (const one of this.#cells.slice(from, to + 1)) one.region = joined;
        last = joined;
        this.#shrink(joined);
        this.#tidy();
        return;
      }
      last = region;
    }
  }

  /** Lines at the ends that are what they would be without the author are none of its; nor is anything where all are. */
  #shrink(region: Region): void {
    for (;;) {
      const now = this.#now(region);
      const sides = region.isLocked ? [region.before, now] : [region.before, region.own, now];
      if (sides[0]!.length === now.length && now.every((cell, index) => cell.text === region.before[index]!.text)) {
        for (const cell of this.#cells) if (cell.region === region) cell.region = undefined;
        return;
      }
      if (sides.some((side) => side.length === 0 || side[0]!.text !== sides[0]![0]!.text)) return;
      // The line that stands goes above the region, whatever of that was taken away stood above it.
      const line = now[0]!;
      const first = this.#cells.findIndex((cell) => cell.region === region);
      this.#cells.splice(this.#cells.indexOf(line), 1);
      this.#cells.splice(first, 0, line);
      line.region = undefined;
      region.before = region.before.slice(1);
      region.own = region.own.slice(1);
    }
  }

  #isAsLeft(region: Region): boolean {
    const now = this.#now(region);
    return now.length === region.own.length && now.every((cell, index) => cell.text === region.own[index]!.text);
  }

  /** Also where taking it back alone would leave no file: without its marker, or with a line in the middle that has no end. */
  #isConflict(region: Region): boolean {
    if (region.isLocked || !this.#isAsLeft(region)) return true;
    const lines = textsOf(this.#without([region]));
    return lines.some((line, index) => (index === 0) !== (line === this.#marker) || (index > 0 && index < lines.length - 1 && !line.endsWith('\n')));
  }

  #without(regions: readonly Region[]): Cell[] {
    const seen = new Set<Region>();
    return this.#cells.flatMap((cell) => {
      if (!cell.region || !regions.includes(cell.region)) return cell.stands ? [cell] : [];
      if (seen.has(cell.region)) return [];
      seen.add(cell.region);
      return cell.region.before;
    });
  }

  #regions(): Region[] {
    return [...new Set(this.#cells.map(({ region }) => region))].filter((region) => region !== undefined);
  }

  #now(region: Region): Cell[] {
    return this.#cells.filter((cell) => cell.region === region && cell.stands);
  }

  #standing(): Cell[] {
    return this.#cells.filter(({ stands }) => stands);
  }
}

function textsOf(cells: readonly Cell[]): string[] {
  return cells.map(({ text }) => text);
}
