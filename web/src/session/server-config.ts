import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { send } from '../api/call.ts';
import type { ApiFault } from '../api/fault.ts';
import { type Language, language, useLanguage } from '../i18n/language.ts';

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

let ahead: { readonly language: Language; readonly config: Promise<ServerConfig> } | undefined;

/** Asks before there is anything to show it in. */
export function readConfigAhead(): void {
  ahead = { language: language(), config: readConfig() };
  // The part that needs it sees the failure.
  ahead.config.catch(() => undefined);
}

async function readConfig(signal?: AbortSignal): Promise<ServerConfig> {
  return (await send('GET', '/api/v1/config', undefined, signal)).json();
}

export function useServerConfig(): UseQueryResult<ServerConfig, ApiFault> {
  return useQuery<ServerConfig, ApiFault>({
    queryKey: ['config', useLanguage()],
    queryFn: ({ signal }) => {
      const first = ahead?.language === language() ? ahead.config : undefined;
      ahead = undefined;
      return first ?? readConfig(signal);
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
