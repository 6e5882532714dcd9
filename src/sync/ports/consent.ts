import type { StoreWrites } from './store-scopes.ts';

/** Services that people give access to on the service's own page. */
export const CONSENT_PROVIDERS = ['google', 'shopify'] as const;
export type ConsentProviderName = (typeof CONSENT_PROVIDERS)[number];

export type GrantedTokens = {
  readonly accessToken: string;
  /** Null: it does not end. */
  readonly expiresAt: Date | null;
  /** Null: the access token can't be renewed. */
  readonly refreshToken: string | null;
  readonly refreshExpiresAt: Date | null;
  readonly scopes: readonly string[];
};

/** A request for consent, the same when it is made and when it is answered. */
export type ConsentVisit = {
  readonly redirectUri: string;
  readonly state: string;
  /** 43 characters, as RFC 7636 has it. */
  readonly codeVerifier: string;
  /** The spreadsheet to open, or the domain of the store; undefined: the person picks a spreadsheet there. */
  readonly target: string | undefined;
  /** What is to be written in the store; all of it by default. */
  readonly writes?: readonly StoreWrites[] | undefined;
};

/** What a person agreed to. */
export type Consent = {
  readonly tokens: GrantedTokens;
  /** The ID of the Google account, the domain of the store. */
  readonly subject: string;
  /** The name by which the person knows it. */
  readonly label: string;
  /** Spreadsheets that were picked on the page of the provider. */
  readonly picked: readonly string[];
};

export type ConsentProvider = {
  /** The address of the page where a person agrees. */
  pageUrl(visit: ConsentVisit): string;
  /**
   * Exchanges the answer that came back in the address. Whether the state is right was checked before.
   * @throws Fault consent_failed, and that the provider is not responding
   */
  exchange(answer: URLSearchParams, visit: ConsentVisit, signal: AbortSignal): Promise<Consent>;
  /** @throws Fault sheet_unauthorized.grant, store_unauthorized.grant where the person or the provider ended it */
  renew(
    subject: string,
    tokens: { readonly refreshToken: string; readonly label: string },
    signal: AbortSignal,
  ): Promise<GrantedTokens>;
  /** Ends the access at the provider, if it can. Does nothing if the access has ended already. */
  revoke?(token: string, signal: AbortSignal): Promise<void>;
  /** The fault of a connection whose access was ended. */
  ended(label: string): Error;
};

/** The access tokens of a grant, which other nodes renew too. */
export type TokenSource = {
  current(signal: AbortSignal): Promise<string>;
  /** A token other than the rejected one. */
  instead(spent: string, signal: AbortSignal): Promise<string>;
};

export type LendTokens = (accountId: string, grantId: string) => TokenSource;
