/** Its owner may run it. */
export const EXECUTABLE = 0o100;
