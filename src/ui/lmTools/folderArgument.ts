import type { WorkFolder } from '../anywhere/folders.ts';
import { AppError } from '../../runtime/base/errors.ts';

/** The folder that a call names, by its name or path, or the only one. Throws `invalid_input` that tells a model which there are: which of several is meant is never guessed. */
export function folderFor(asked: unknown, folders: readonly WorkFolder[]): WorkFolder {
  const names = folders.map(({ name, path }) => `${name} (${path})`).join(', ');
  const [first] = folders;
  if (asked === undefined) {
    if (first !== undefined && folders.length === 1) return first;
    throw new AppError('invalid_input', `Nothing was started: this window has several folders. Name the one to work in as \`folder\`: ${names}.`);
  }
  const found = folders.filter(({ name, path }) => asked === path || asked === name);
  const [folder] = found;
  if (folder !== undefined && (found.length === 1 || folder.path === asked)) return folder;
  throw new AppError('invalid_input', `Nothing was started: \`folder\` must name one folder of this window, by its name or absolute path: ${names}.`);
}
