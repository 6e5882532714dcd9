import type { SheetClient } from './sheet-client.ts';

/** Opens a spreadsheet with the credentials that were connected. Asks nothing of the service yet. */
export type OpenSheet = (sheet: {
  readonly spreadsheetId: string;
  readonly credentials: SheetCredentials;
  /** The demo keeps a spreadsheet for each account; the service knows no accounts of ours. */
  readonly accountId: string;
  /** Told of every access token that was renewed, so that it can be kept. */
  readonly onRefresh?: ((tokens: RenewedTokens) => Promise<void>) | undefined;
}) => SheetClient | Promise<SheetClient>;

/**
 * Tokens of a person, or the key of a service account that the spreadsheet is shared with. An access token lives for an
 * hour; only with a refresh token, and the client that both were made for, is it renewed.
 */
export type SheetCredentials =
  | {
      readonly accessToken: string;
      readonly refreshToken?: string | undefined;
      readonly clientId?: string | undefined;
      readonly clientSecret?: string | undefined;
    }
  | { readonly serviceAccount: { readonly client_email: string; readonly private_key: string } };

export type RenewedTokens = { readonly accessToken: string; readonly expiresAt: Date };

const ID = /^[A-Za-z0-9_-]{1,200}$/;

/** The id in what a person pastes: the id itself, or the spreadsheet's address. Undefined where there is none. */
export function parseSpreadsheetId(text: string): string | undefined {
  const given = text.trim();
  if (ID.test(given)) return given;
  const url = URL.parse(given);
  if (url?.protocol !== 'https:' || url.host !== 'docs.google.com') return undefined;
  const [, id = ''] = /^\/(?:a\/[^/]+\/)?spreadsheets\/(?:u\/\d+\/)?d\/([^/]+)/.exec(url.pathname) ?? [];
  return id !== 'e' && ID.test(id) ? id : undefined;
}
