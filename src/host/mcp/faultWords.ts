import type { L10n } from '../../l10n.ts';
import type { ServerFault } from './serverConfig.ts';

/** Why something is no server, in a sentence that says what it must have. */
export function faultWords(fault: ServerFault, l10n: L10n): string {
  switch (fault.kind) {
    case 'not_an_object':
      return l10n.t('A server must be an object with a “command” or a “url”.');
    case 'no_command':
      return l10n.t('A server of the type “stdio” needs a “command”.');
    case 'no_url':
      return l10n.t('A server of the type “http” or “sse” needs a “url”.');
    case 'neither':
      return l10n.t('A server needs a “command”, or a “url”.');
    case 'unknown_type':
      return l10n.t('The “type” of a server is “stdio”, “http” or “sse”.');
    case 'not_text':
      return l10n.t('“{0}” must be text.', fault.field);
    case 'not_texts':
      return l10n.t('“{0}” must be a list of texts.', fault.field);
    case 'not_pairs':
      return l10n.t('“{0}” must be an object with a text for each name.', fault.field);
  }
}
