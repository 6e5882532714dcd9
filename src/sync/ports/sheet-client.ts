import type { Away } from './away.ts';

/** Opens a spreadsheet with the credentials that were connected. Sends no request yet. */
export type OpenSheet = (sheet: {
  readonly spreadsheetId: string;
  readonly credentials: SheetCredentials;
  /** The demo keeps a spreadsheet for each account; the service knows no accounts of ours. */
  readonly accountId: string;
  /** Called with every refreshed access token, so that it can be saved. */
  readonly onRefresh?: ((tokens: RenewedTokens) => Promise<void>) | undefined;
  /** Of a run: how it waits for the service. */
  readonly away?: Away | undefined;
}) => SheetClient | Promise<SheetClient>;

/**
 * Tokens of a person, the key of a service account that the spreadsheet is shared with, or what a person has granted by
 * consent. An access token lives for an hour; only with a refresh token, and the client that both were made for, is it renewed.
 */
export type SheetCredentials =
  | {
      readonly accessToken: string;
      readonly refreshToken?: string | undefined;
      readonly clientId?: string | undefined;
      readonly clientSecret?: string | undefined;
    }
  | { readonly serviceAccount: { readonly client_email: string; readonly private_key: string } }
  | { readonly grant: string };

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

/**
 * A connected spreadsheet, as the sync engine needs it. An adapter waits out quotas and retries what may be retried,
 * within the signal. Every function throws Fault sheet_unauthorized, sheet_forbidden, sheet_not_found, sheet_unavailable, or
 * sheet_refused with what the service says.
 */
export type SheetClient = {
  describe(signal: AbortSignal): Promise<SheetDescription>;
  /** Changes nothing. @throws Fault sheet_forbidden.viewer where the account may only look */
  requireEditor(signal: AbortSignal): Promise<void>;
  /** How people write numbers there, such as `es_ES`: one call, the first time. */
  locale(signal: AbortSignal): Promise<string>;
  /** The values of a whole tab, in one call. By its id it is the same however it is called. */
  read(tab: TabName, signal: AbortSignal): Promise<SheetReading>;
  /** A whole tab as it was entered, in one call. */
  readAllEntered(tab: TabName, signal: AbortSignal): Promise<SheetRows>;
  /** The cells of these rows as they were entered, formulas as text that begins with `=`. Rows count from 1. */
  readEntered(
    tab: TabName,
    rows: readonly number[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, readonly Cell[]>>;
  /**
   * Writes cells, all or nothing: in one call where it is small enough, else through a hidden tab whose content is moved
   * in one call. Text stays text whatever it begins with. Grows the tab where it must. Writing the same again changes
   * nothing more.
   */
  write(tab: TabName, cells: readonly CellWrite[], write: SheetWrite): Promise<void>;
  /** Requests of this client since it was opened. */
  readonly calls: () => SheetCalls;
};

export type SheetCalls = { readonly reads: number; readonly writes: number };

/** `id` is null until the tab was found once. */
export type TabName = { readonly title: string; readonly id: number | null };

export type Tab = {
  readonly id: number;
  readonly title: string;
  readonly rows: number;
  readonly columns: number;
};

export type SheetDescription = {
  readonly title: string;
  /** Such as `es_ES`: how people write numbers there. */
  readonly locale: string;
  readonly tabs: readonly Tab[];
};

/** As the sheet has it: numbers and booleans as such, a formula as its result; an empty cell is an empty text. */
export type Cell = string | number | boolean;

export type SheetReading = {
  /** As it is called now. */
  readonly tab: TabName;
  readonly rows: SheetRows;
};

/**
 * From row 1; empty cells at the end of a row and empty rows at the end are omitted. They may be created while iterating:
 * collecting them holds a whole tab in memory.
 */
export type SheetRows = Iterable<readonly Cell[]> & { readonly length: number };

/** A run of cells in one row; rows count from 1, columns from 0. An empty text empties the cell. */
export type CellWrite = { readonly row: number; readonly column: number; readonly values: readonly Cell[] };

export type SheetWrite = {
  /** Names the write: what an earlier try of it left behind is found by this. */
  readonly key: string;
  readonly signal: AbortSignal;
};
