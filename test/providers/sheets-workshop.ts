import { onTestFinished } from 'vitest';
import type { NewTab } from '../../src/emulators/sheets/book-handle.ts';
import type { SheetsEmulatorOptions } from '../../src/emulators/sheets/sheets.ts';
import { createGoogleSheets, type GoogleSheetsOptions } from '../../src/providers/sheets/sheets.ts';
import type {
  RenewedTokens,
  SheetClient,
  SheetCredentials,
  TabName,
} from '../../src/sync/ports/sheet-client.ts';
import { startSheetsPeer } from '../peers/sheets.ts';

type Start = {
  readonly tabs?: readonly NewTab[];
  readonly locale?: string;
  readonly peer?: SheetsEmulatorOptions;
  readonly adapter?: GoogleSheetsOptions;
  readonly credentials?: SheetCredentials;
};

export const TOKENS = {
  accessToken: 'ya29.test',
  refreshToken: '1//test',
  clientId: 'client',
  clientSecret: 'secret',
};

/** Time that passes only where somebody sleeps, and then at once. */
export function virtualClock(start = Date.now()) {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      now += milliseconds;
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

/** The spreadsheet `book` behind the peer, and the adapter that opened it. Undocumented calls fail the test. */
export async function openWorkshop({
  tabs,
  locale,
  peer: options,
  adapter,
  credentials = TOKENS,
}: Start = {}) {
  const clock = virtualClock();
  const peer = await startSheetsPeer({ clock, ...options });
  onTestFinished(() => peer.close());
  const book = peer.emulator.book('book', { ...(tabs && { tabs }), ...(locale && { locale }) });
  const renewed: RenewedTokens[] = [];
  const sheets = createGoogleSheets({ baseUrl: peer.url, clock, random: () => 0.5, ...adapter });
  const open = async (spreadsheetId = 'book') =>
    sheets.open({
      spreadsheetId,
      credentials,
      accountId: 'account',
      onRefresh: async (tokens) => {
        renewed.push(tokens);
      },
    });
  return { clock, peer, emulator: peer.emulator, book, open, client: await open(), renewed };
}

export const signal = new AbortController().signal;

/** A reading with its rows kept, to be looked at as a whole. */
export async function readAll(client: SheetClient, tab: TabName, given: AbortSignal) {
  const { rows, ...reading } = await client.read(tab, given);
  return { ...reading, rows: [...rows] };
}
