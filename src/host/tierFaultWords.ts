import type { L10n } from '../l10n.ts';
import type { TierFault } from './tierSettings.ts';

/** Why something is no model of the catalog, in a sentence that says what it must have. */
export function tierFaultWords(fault: TierFault, l10n: L10n): string {
  switch (fault.kind) {
    case 'unknown_tier':
      return l10n.t('The models are called “simple”, “medium” and “complex”.');
    case 'not_an_object':
      return l10n.t('It must be an object with a “provider” and a “model”.');
    case 'unknown_provider':
      return l10n.t('Its “provider” is “anthropic”, “openai”, “vscode” or “offline”.');
    case 'no_model':
      return l10n.t('It needs a “model”: the id, as the provider writes it.');
    case 'no_vendor':
      return l10n.t('A “model” of the editor is written as vendor/id, such as copilot/gpt-4.1.');
    case 'not_a_price':
      return l10n.t('Its “price” must be an object with the numbers “input” and “output”, and perhaps “cacheRead” and “cacheWrite”.');
    case 'not_text':
      return l10n.t('“{0}” must be text.', fault.field);
    case 'not_a_choice':
      return l10n.t('“{0}” is none of the choices.', fault.field);
    case 'not_a_count':
      return l10n.t('“{0}” must be a whole number of at least 1.', fault.field);
    case 'out_of_range':
      return l10n.t('“{0}” must be a number from 0 to {1}.', fault.field, fault.max);
    case 'not_an_address':
      return l10n.t('“{0}” must be an address that starts with http:// or https://.', fault.variable ?? 'baseUrl');
    case 'secret_in_address':
      return l10n.t('“{0}” must not hold a user name or password; give the key by the command “Set API Key…”.', fault.variable ?? 'baseUrl');
    case 'effort_with':
      return l10n.t('“reasoningEffort” can’t be used together with {0}. Remove one or the other.', fault.fields.map((field) => `“${field}”`).join(', '));
  }
}
