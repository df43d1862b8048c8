/** Far more than any real pattern has. Backtracking over many of them would take minutes, and patterns come from workspace files and from models too. */
const MAX_STARS = 8;
const MAX_STARS_IN_NAME = 3;

/** Why a glob with so many stars can't be taken; nothing for any other. */
export function starProblem(glob: string): string | undefined {
  const stars = (text: string): number => text.match(/\*+/g)?.length ?? 0;
  const tooMany = stars(glob) > MAX_STARS || glob.split('/').some((name) => stars(name) > MAX_STARS_IN_NAME);
  return tooMany ? `it has more than ${MAX_STARS_IN_NAME} "*" in a name or ${MAX_STARS} altogether` : undefined;
}
