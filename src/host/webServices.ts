import type { RuntimeServices } from '../runtime/domain/services.ts';
import { createWebSearch } from '../runtime/web/search/webSearch.ts';
import { createWebFetch } from '../runtime/web/webFetch.ts';
import type { ApiKeys } from './apiKeys.ts';
import { endpointAt, isKeyedSearch, type Endpoint } from './endpoints.ts';
import type { WebSettings } from './webSettings.ts';

/** Explicitly nothing where the user wants none: what is left out of changed options stays as it was. */
export type HostedWeb = Required<{ [Name in 'webFetch' | 'webSearch']: RuntimeServices[Name] | undefined }>;

/** The services of the web as the settings want them: the same objects for as long as those are the same. */
export class WebServices {
  readonly #keys: Pick<ApiKeys, 'get'>;
  #made: { readonly key: string; readonly services: HostedWeb } | undefined;

  constructor(keys: Pick<ApiKeys, 'get'>) {
    this.#keys = keys;
  }

  readonly of = ({ webFetch, webSearch }: WebSettings): HostedWeb => {
    const key = JSON.stringify([webFetch, webSearch]);
    if (this.#made?.key !== key) this.#made = { key, services: this.#make({ ...(webFetch && { webFetch }), ...(webSearch && { webSearch }) }) };
    return this.#made.services;
  };

  #make({ webFetch, webSearch }: WebSettings): HostedWeb {
    const endpoint = searchEndpoint({ ...(webSearch && { webSearch }) });
    return {
      webFetch: webFetch && createWebFetch(webFetch),
      webSearch: webSearch && createWebSearch({ ...webSearch, key: async () => endpoint && this.#keys.get(endpoint) }),
    };
  }
}

/** What the key of the configured search is for; nothing where none is wanted, or needs none. */
export function searchEndpoint({ webSearch }: WebSettings): Endpoint | undefined {
  return webSearch && isKeyedSearch(webSearch.backend) ? endpointAt(webSearch.backend, webSearch.baseUrl ?? '') : undefined;
}
