import { endpointOf } from '../../host/endpoints.ts';
import { endpointWords } from '../../host/endpointWords.ts';
import { OFFLINE_MODEL } from '../../host/modelSettings.ts';
import type { L10n } from '../../l10n.ts';
import { oneLine, truncate } from '../../runtime/base/text.ts';
import type { ModelRef } from '../../runtime/domain/models.ts';
import { harmless } from '../../host/messageText.ts';
import { withoutIcons } from '../../host/messageText.ts';

const MAX_NAME = 80;
const MAX_QUOTE = 600;

/** What people call a model: its name, and where it comes from. One line; its name may be anything. */
export function modelWords(model: ModelRef, l10n: L10n): string {
  if (model.provider === OFFLINE_MODEL.provider) return l10n.t('Offline demo (not an AI)');
  const endpoint = endpointOf(model);
  const name = truncate(oneLine(model.displayName ?? model.model), MAX_NAME);
  return l10n.t('{0} ({1})', name, endpoint === undefined ? 'VS Code' : endpointWords(endpoint, l10n));
}

/** What a server said, or calls its models, as one line of mere text wherever it is shown: prompts and messages make links and icons of what looks like one. */
export function inert(text: string): string {
  return withoutIcons(harmless(text, MAX_QUOTE));
}
