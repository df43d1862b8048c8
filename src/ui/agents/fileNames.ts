import { basename } from 'node:path';
import { oneLine } from '../../runtime/base/text.ts';

/** Names that Windows keeps for devices, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const MAX_LENGTH = 80;

/** The name of a file for a new definition: small letters, dashes for spaces. */
export function newFileName(name: string): string {
  return fileNameOf(name.trim().toLowerCase().replace(/\s+/g, '-'));
}

/** The name of a file for a definition that has none: its own, without what no file system takes. */
export function fileNameOf(name: string): string {
  const clean = oneLine(name).replace(/[/\\:*?"<>|#%\s]+/g, ' ').replace(/^[. ]+|[. ]+$/g, '');
  const short = Array.from(clean).slice(0, MAX_LENGTH).join('').trim();
  return `${short === '' ? 'agent' : short.replace(DEVICE, 'agent-$&')}.md`;
}

/** What a file is called where definitions of our own format lie: its base name may be the definition's. */
export function ownFileName(path: string): string {
  return `${basename(path).replace(/(?:\.agent)?\.md$/i, '')}.md`;
}
