import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { send } from '../api/call.ts';
import type { ApiFault } from '../api/fault.ts';
import { language, useLanguage } from '../i18n/language.ts';

/** What the server says of itself to everyone; its labels are in the language of the page. */
export type ServerConfig = {
  readonly auth: { readonly mode: 'open' | 'password' | 'oidc'; readonly issuer?: string };
  readonly providers: readonly {
    readonly id: string;
    readonly label: string;
    /** False where people must bring their own key. */
    readonly server_key: boolean;
    readonly models?: readonly string[];
    readonly own_key_url?: string;
  }[];
  readonly platforms: readonly { readonly id: string; readonly label: string }[];
  readonly styles: readonly { readonly id: string; readonly label: string; readonly free: boolean }[];
  /** Hooks with a person's own key cost no units. */
  readonly own_key_free: boolean;
  readonly billing_enabled: boolean;
  /** What can be connected by consent, and whether there is a demo. */
  readonly connect: { readonly google: boolean; readonly shopify: boolean; readonly demo: boolean };
  readonly version: string;
};

export function useServerConfig(): UseQueryResult<ServerConfig, ApiFault> {
  return useQuery<ServerConfig, ApiFault>({
    queryKey: ['config', useLanguage()],
    queryFn: async ({ signal }) => (await send('GET', '/api/v1/config', undefined, signal)).json(),
    initialData: configInPage,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What the server has written into the page, unless the page has changed to another language since. */
function configInPage(): ServerConfig | undefined {
  const written = document.getElementById('config');
  return written?.lang === language() ? JSON.parse(written.textContent) : undefined;
}
