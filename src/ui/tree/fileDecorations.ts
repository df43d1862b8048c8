import * as vscode from 'vscode';
import { SCHEMES } from '../../ids.ts';
import type { Disposable } from '../../runtime/base/lifecycle.ts';
import type { FileReview } from '../../runtime/domain/reviews.ts';
import { rowMark } from '../review/diff/changeUris.ts';
import { kindWords } from '../review/fileFacts.ts';

/** Marks the rows of changed files as Source Control does, and only these: their addresses are no documents. */
export function registerFileDecorations(): Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration(uri) {
      const mark = uri.scheme === SCHEMES.change ? rowMark(uri.query) : undefined;
      if (mark === undefined) return undefined;
      if (mark.isInConflict) return new vscode.FileDecoration('!', vscode.l10n.t('conflict'), new vscode.ThemeColor('gitDecoration.conflictingResourceForeground'));
      const color = mark.isDone ? 'descriptionForeground' : colorOf(mark.kind);
      // What is decided says so in words: a letter would claim that the change is still there.
      return new vscode.FileDecoration(mark.isDone ? undefined : letterOf(mark.kind), kindWords(mark.kind, vscode.l10n), new vscode.ThemeColor(color));
    },
  });
}

function letterOf(kind: FileReview['kind']): string {
  switch (kind) {
    case 'created':
      return 'A';
    case 'edited':
      return 'M';
    case 'deleted':
      return 'D';
  }
}

function colorOf(kind: FileReview['kind']): string {
  switch (kind) {
    case 'created':
      return 'gitDecoration.addedResourceForeground';
    case 'edited':
      return 'gitDecoration.modifiedResourceForeground';
    case 'deleted':
      return 'gitDecoration.deletedResourceForeground';
  }
}
