/** A line that a search found. */
export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** A part of a file that is worth reading. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

const TOP_FILES = 3;
const DECLARATION = /^\s*(?:export\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|async\s+|default\s+|pub(?:\([a-z]+\))?\s+)*(?:class|interface|type|enum|struct|trait|impl|function\*?|func|fn|def|module|namespace|record)\s+[\p{L}_$([]|^\s*(?:export\s+)(?:const|let|var)\s/u;
const NOISE = /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|[^/]+\.(?:min\.[a-z]+|lock|map|snap))$/u;

/** The lines of the form `path:line:text` in a search's output; any other line is no hit. */
export function parseHits(output: string): readonly Hit[] {
  return output.split('\n').flatMap((row) => {
    const match = /^(.{1,400}?):(\d{1,9}):(.*)$/u.exec(row.trimEnd());
    return match ? [{ path: match[1] ?? '', line: Number(match[2]), text: (match[3] ?? '').trim() }] : [];
  });
}

/** The files that a listing names, one a line. Sentences, such as that nothing was found or more is left out, aren't files. */
export function parsePaths(output: string): readonly string[] {
  return output.split('\n').map((row) => row.trim()).filter((row) => /^(?!\.\.\.)[^\s(<…][^<>|"]{0,399}$/u.test(row) && (!/\s/u.test(row) || (/[./\\]\w/u.test(row) && row.split(/\s/u).length <= 3)));
}

/** The best place of each of the best files: what declares something and what several searches agree on comes first. */
export function topPlaces(searches: readonly (readonly Hit[])[], count = TOP_FILES): readonly Place[] {
  const files = new Map<string, { score: number; best: Hit; bestScore: number }>();
  for (const hits of searches) {
    const seen = new Set<string>();
    for (const hit of hits) {
      const file = files.get(hit.path) ?? { score: NOISE.test(hit.path) ? -50 : 0, best: hit, bestScore: -1 };
      const lineScore = isDeclaration(hit.text) ? 5 : 1;
      if (!seen.has(hit.path)) file.score += 20;
      file.score += lineScore;
      if (lineScore > file.bestScore) Object.assign(file, { best: hit, bestScore: lineScore });
      seen.add(hit.path);
      files.set(hit.path, file);
    }
  }
  const ranked = [...files.values()].sort((a, b) => b.score - a.score || (a.best.path < b.best.path ? -1 : 1));
  return ranked.slice(0, count).map(({ best }) => ({ path: best.path, line: best.line }));
}

export function isDeclaration(text: string): boolean {
  return text.length < 500 && DECLARATION.test(text);
}

/** The declarations in the output of a read, which numbers its lines. */
export function outline(path: string, output: string): readonly Hit[] {
  return numberedLines(output).filter(({ text }) => isDeclaration(text)).map(({ line, text }) => ({ path, line, text: text.trim() }));
}

/** Lines such as `  12→text`, `12\ttext` or `12: text`. Any other is left out. */
export function numberedLines(output: string): readonly { readonly line: number; readonly text: string }[] {
  return output.split('\n').flatMap((row) => {
    const match = /^\s*(\d{1,9})(?:\t|→|[|:] ?)(.*)$/u.exec(row);
    return match ? [{ line: Number(match[1]), text: match[2] ?? '' }] : [];
  });
}
