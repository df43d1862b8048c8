import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { errorText, systemCode } from '../base/errors.ts';

/** A file as it stood when its folder was listed. */
export interface FoundFile {
  readonly path: string;
  /** Differs once the file does; the system's error code where it can't be looked at. */
  readonly stamp: string;
  /** When it was last changed, in milliseconds since the epoch; 0 where that is unknown. */
  readonly changedAt: number;
}

/** What is at a path. */
export interface Look extends FoundFile {
  readonly isFolder: boolean;
  /** The same for every path that leads there; absent where it can't be looked at. */
  readonly id?: string;
}

/** Looks at what a path leads to, through links. Never throws. */
export async function lookAt(path: string): Promise<Look> {
  try {
    const info = await stat(path, { bigint: true });
    const { size, mtimeNs, ctimeNs, mode } = info;
    const changed = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
    const id = identity(info);
    return { path, stamp: [id, size, mtimeNs, ctimeNs, mode].join(' '), changedAt: Number(changed / 1_000_000n), isFolder: info.isDirectory(), id };
  } catch (error) {
    return { path, stamp: systemCode(error) ?? errorText(error), changedAt: 0, isFolder: false };
  }
}

function identity({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
