import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { errorText, isAppError, systemCode } from '../runtime/base/errors.ts';
import type { LiteAgent } from '../runtime/domain/liteAgent.ts';
import type { Log } from '../runtime/domain/ports.ts';

/** Writes a file that is new, with its folders. False where something is there already, which stays as it is. Rejects with the system's error. */
export async function createFile(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Replaces the file's content. Rejects with the system's error. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(vscode.Uri.file(path), Buffer.from(text, 'utf8'));
}

/** The file's text as it lies on the disk. Rejects with the system's error. */
export function readFileText(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

/**
 * Lets a definition be used that the person has just written, without being asked about it: as long as its file says
 * these very words. What somebody has changed meanwhile, or what isn't the one of its name, stays as it is.
 */
export async function admitOwn({ definitions }: Pick<LiteAgent, 'definitions'>, path: string, text: string): Promise<void> {
  await definitions.reload();
  const found = definitions.found().find((one) => one.path === path);
  if (found?.status !== 'unapproved') return;
  try {
    await definitions.approve(found.name, createHash('sha256').update(text, 'utf8').digest('hex'));
  } catch (error) {
    if (!isAppError(error, 'conflict') && !isAppError(error, 'not_found')) throw error;
  }
}

/** Moves the file to the trash; `false` where this machine has none. */
export async function moveToTrash(path: string, log: Log): Promise<boolean> {
  try {
    await vscode.workspace.fs.delete(vscode.Uri.file(path), { useTrash: true });
    return true;
  } catch (error) {
    log.debug(`the trash did not take ${path}: ${errorText(error)}`);
    return false;
  }
}

/** Deletes the file for good. Rejects as VS Code does. */
export async function deleteFile(path: string): Promise<void> {
  await vscode.workspace.fs.delete(vscode.Uri.file(path), { useTrash: false });
}
