import { oneLine } from '../../runtime/base/text.ts';

/** A document about a child. */
export interface DocumentKey {
  readonly kind: 'result' | 'transcript';
  readonly agentId: string;
}

/** The path of a child's document; its last part is what the tab shows. */
export function documentPath({ kind, agentId }: DocumentKey, title: string): string {
  return `/${kind}/${encodeURIComponent(agentId)}/${fileSegment(title)}.md`;
}

/** The key of a document's path, or nothing for a path that isn't one of ours. */
export function documentKey(path: string): DocumentKey | undefined {
  const [, kind, agentId] = path.split('/');
  if ((kind !== 'result' && kind !== 'transcript') || agentId === undefined || agentId === '') return undefined;
  try {
    return { kind, agentId: decodeURIComponent(agentId) };
  } catch {
    // A percent sign that begins no encoded character.
    return undefined;
  }
}

/** A name without the characters that mean something in a path. */
export function fileSegment(name: string): string {
  const clean = oneLine(name).replace(/[/\\:*?"<>|#%]+/g, ' ').replace(/\s+/g, ' ').trim();
  return clean === '' || /^\.+$/.test(clean) ? 'untitled' : clean.slice(0, 80);
}
