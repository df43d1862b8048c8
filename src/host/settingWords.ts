import type { L10n } from '../l10n.ts';
import { faultWords } from './mcp/faultWords.ts';
import type { SettingProblem } from './settingProblems.ts';
import { tierFaultWords } from './tierFaultWords.ts';

/** What is wrong with a setting, and what counts in its place. The setting's own name stands before it. */
export function settingWords(problem: SettingProblem, l10n: L10n): string {
  switch (problem.problem) {
    case 'not_a_number':
      return l10n.t('This must be a whole number; it is ignored.');
    case 'not_an_amount':
      return l10n.t('This must be a number that is not negative; it is ignored.');
    case 'out_of_range':
      return l10n.t('This number is too small or too large; it is ignored.');
    case 'not_a_list':
      return l10n.t('This must be a list of texts; what is not is ignored.');
    case 'not_text':
      return l10n.t('This must be text; it is ignored.');
    case 'not_a_switch':
      return l10n.t('This must be true or false; it is ignored.');
    case 'not_an_object':
      return l10n.t('This must be an object with the lists allow, ask and deny; it is ignored.');
    case 'not_a_choice':
      return l10n.t('This is none of the choices; it is ignored.');
    case 'not_an_address':
      return l10n.t('This must be an address that starts with http:// or https://. Until it is, the offline demo answers.');
    case 'secret_in_address':
      return l10n.t('An address must not hold a user name or password; give the key by the command “Set API Key…”. Until then, the offline demo answers.');
    case 'no_model':
      return l10n.t('Enter the id of the model, as its provider writes it. Until then, the offline demo answers.');
    case 'no_vendor':
      return l10n.t('A model of the editor is written as vendor/id, such as copilot/gpt-4.1. Until it is, the offline demo answers.');
    case 'not_a_price':
      return l10n.t('A price must be an object with the numbers “input” and “output”, and perhaps “cacheRead” and “cacheWrite”; it is ignored.');
    case 'effort_not_sent':
      return l10n.t('The editor’s models can’t be told this; it is not sent.');
    case 'beside_catalog':
      return l10n.t('This is ignored, because the setting subagents.models is there. Remove one of the two.');
    case 'not_a_catalog':
      return l10n.t('This must be an object with the models “simple”, “medium” and “complex”, or some of them. Until it is, the offline demo answers.');
    case 'not_a_tier':
      return l10n.t('This model is not configured in subagents.models; it is ignored.');
    case 'bad_tier':
      return l10n.t('The model “{0}” is left out. {1}', problem.tier, tierFaultWords(problem.fault, l10n));
    case 'tier_effort_not_sent':
      return l10n.t('The model “{0}” is one of the editor’s, which can’t be told a “reasoningEffort”; it is not sent.', problem.tier);
    case 'not_servers':
      return l10n.t('This must be an object with MCP servers by their names; it is ignored.');
    case 'not_a_host':
      return l10n.t('This must be a list of hosts, such as localhost:3000 or *.corp.example; what is not is ignored.');
    case 'no_search_address':
      return l10n.t('SearXNG needs the address of a server. Until it is entered, the web can’t be searched.');
    case 'not_a_search_address':
      return l10n.t('This must be an address that starts with http:// or https://. Until it is, the web can’t be searched.');
    case 'secret_in_search_address':
      return l10n.t('An address must not hold a user name or password; give the key by the command “Set API Key…”. Until then, the web can’t be searched.');
    case 'bad_server':
      return l10n.t('The server {0} is left out. {1}', problem.server, faultWords(problem.fault, l10n));
  }
}
