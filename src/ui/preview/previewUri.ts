import { fileSegment } from '../review/uris.ts';

/** Which agent a document previews. `file`: the definition file that was asked for, where one was. */
export interface PreviewKey {
  readonly name: string;
  readonly file?: string;
}

/** The path of a document; its last part is what the tab shows. */
export function previewPath(title: string): string {
  return `/${fileSegment(title)}.md`;
}

export function previewQuery({ name, file }: PreviewKey): string {
  return JSON.stringify({ name, ...(file !== undefined && { file }) });
}

/** The key in a document's query; nothing for one that isn't ours. */
export function previewKey(query: string): PreviewKey | undefined {
  try {
    const { name, file } = JSON.parse(query) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || name === '') return undefined;
    return { name, ...(typeof file === 'string' && { file }) };
  } catch {
    // Somebody else made it.
    return undefined;
  }
}
