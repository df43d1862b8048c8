/** What a prompt names that can be looked for. */
export interface Terms {
  /** Paths and names of files, as written. */
  readonly files: readonly string[];
  readonly words: readonly Term[];
}

export interface Term {
  readonly text: string;
  /** Plain words are searched without case, names as they stand. */
  readonly exact: boolean;
}

const MAX_FILES = 3;
const MAX_TERMS = 5;
/** With fewer names than this, plain words are searched too. */
const ENOUGH_NAMES = 2;
/** A prompt says what it is about at its start; far longer ones are pasted material. */
const LOOKED_AT = 20_000;

const EXTENSIONS = 'astro|bash|bat|c|cc|cfg|conf|cpp|cs|css|csv|cxx|dart|ex|exs|fs|go|gradle|graphql|h|hpp|hs|htm|html|ini|ipynb|java|js|json|jsonc|jsx|kt|kts|less|lock|log|lua|md|mdx|mjs|cjs|ml|mm|mts|cts|php|pl|proto|ps1|py|r|rb|rs|rst|sass|scala|scss|sh|sql|svelte|swift|tex|toml|ts|tsx|txt|vue|xml|yaml|yml|zig';
const URLS = /\bhttps?:\/\/\S+/giu;
const QUOTED = /"([^"\n]{2,80})"|`([^`\n]{2,80})`|“([^”\n]{2,80})”|«([^»\n]{2,80})»|(?<![\p{L}\p{N}])'([^'\n]{2,80})'(?![\p{L}\p{N}])/gu;
const FILE = new RegExp(`(?<![\\p{L}\\p{N}_./\\\\-])(?:\\.{0,2}/)?[\\p{L}\\p{N}_@.-]{1,80}(?:/[\\p{L}\\p{N}_@.-]{1,80})*\\.(?:${EXTENSIONS})(?![\\p{L}\\p{N}_/-])`, 'giu');
const NAMES = /\b(?:[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{1,60})+|[A-Za-z]\w{0,60}_\w{1,60}|_\w{2,60}|[a-z]+[a-z0-9]*[A-Z]\w{0,60}|[A-Z][a-z0-9]+[A-Z]\w{0,60}|[A-Z]{2,}[a-z]\w{0,60}|\w{2,60}(?=\(\)))/gu;
const WORDS = /[\p{L}][\p{L}\p{N}]{1,40}/gu;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const COMMON = new Set(`about above across after again against all also always another answer anything around back because been before being below
best between both bring call called can change changes check code could create describe detail details directory does doing done each either else
every everything example existing explain explore file files find first folder following from function functions give goes good have hello help here
how idea important inside into item items just keep know lines list little look looking made main make many mention might more most much must name
named need never next note nothing number only open other over overview part path please point possible problem program project prompt provide quick read really
repo report repository result results return review right same search see should show side since some something source start still such suggest summarise summarize
summary sure take tell text than thank thanks that their them then there these they thing things this those through time together under understand until update
used uses using very want were what when where whether which while whole will with within without word words work works workspace would write your yours`.split(/\s+/));

/** Reads off what a prompt names: file names, quoted words, identifiers, and plain words where there is little else. Each once, in order. */
export function findTerms(prompt: string): Terms {
  let text = prompt.slice(0, LOOKED_AT).replace(URLS, ' ');
  const files = new Set<string>();
  const terms = new Map<string, Term>();
  const add = (term: string, exact: boolean): void => {
    if (!terms.has(term.toLowerCase())) terms.set(term.toLowerCase(), { text: term, exact });
  };
  const takeFiles = (source: string): string => source.replace(FILE, (file) => {
    files.add(file);
    return ' ';
  });

  text = text.replace(QUOTED, (...match: unknown[]) => {
    const quoted = match.slice(1, 6).find((group): group is string => typeof group === 'string')?.trim() ?? '';
    if (takeFiles(quoted).trim() !== '' && /[\p{L}\p{N}]/u.test(quoted)) add(quoted, true);
    return ' ';
  });
  text = takeFiles(text);
  text = text.replace(NAMES, (name) => {
    if (!/^(?:e\.g|i\.e)$/i.test(name)) add(name, true);
    return ' ';
  });
  if (files.size + terms.size < ENOUGH_NAMES) {
    for (const [word] of text.matchAll(WORDS)) {
      const dense = DENSE.test(word);
      if (dense ? word.length <= 8 : word.length >= 4 && !COMMON.has(word.toLowerCase())) add(word, false);
    }
  }
  return { files: [...files].slice(0, MAX_FILES), words: [...terms.values()].slice(0, MAX_TERMS) };
}

/** A pattern that matches exactly this text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** A glob that matches names containing this text; characters with a meaning in globs become `?`. */
export function nameGlob(text: string): string {
  return `**/*${text.replace(/[*?[\]{}!\\/]/g, '?')}*`;
}
