import { SETTINGS } from '../ids.ts';
import type { SearchBackend } from '../runtime/web/search/backends.ts';
import { isHostEntry } from '../runtime/web/listedHosts.ts';
import { isKeyedSearch, readAddress } from './endpoints.ts';
import type { SettingValues } from './settingValue.ts';

/** What the user alone says of the web: pages of the own network and servers for searches are named here. */
export interface WebSettings {
  /** Absent: no pages are fetched. */
  readonly webFetch?: { readonly allowPrivate: readonly string[] };
  /** Absent: nothing is searched. Without `baseUrl` at the backend's own address. */
  readonly webSearch?: { readonly backend: SearchBackend; readonly baseUrl?: string };
}

/** @param privateHosts the user's list, as it is written */
export function readWeb(values: SettingValues, privateHosts: readonly string[]): WebSettings {
  const allowPrivate = privateHosts.filter(isHostEntry);
  if (allowPrivate.length < privateHosts.length) values.problems.add(SETTINGS.privateHosts, 'not_a_host');
  const webSearch = readSearch(values);
  return { ...(values.toggle(SETTINGS.webFetchEnabled, 'user', true) && { webFetch: { allowPrivate } }), ...(webSearch && { webSearch }) };
}

function readSearch(values: SettingValues): WebSettings['webSearch'] {
  const backend = values.choice(SETTINGS.searchBackend, 'user', ['none', 'searxng', 'brave', 'tavily']);
  if (backend === 'none') return undefined;
  const address = readAddress(isKeyedSearch(backend) ? backend : undefined, values.text(SETTINGS.searchAddress, 'user'));
  switch (address.kind) {
    case 'own':
      if (isKeyedSearch(backend)) return { backend };
      values.problems.add(SETTINGS.searchAddress, 'no_search_address');
      return undefined;
    case 'other':
      return { backend, baseUrl: address.baseUrl };
    case 'bad':
      values.problems.add(SETTINGS.searchAddress, address.problem === 'not_an_address' ? 'not_a_search_address' : 'secret_in_search_address');
      return undefined;
  }
}
