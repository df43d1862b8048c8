import type { ReadLedger } from '../domain/tools.ts';

/** An empty ledger for one run, in memory: what a run knows of a file ends with the run. */
export function createReadLedger(): ReadLedger {
  const hashes = new Map<string, string>();
  return {
    seen: (realPath, contentHash) => void hashes.set(realPath, contentHash),
    last: (realPath) => hashes.get(realPath),
  };
}
