import { setTimeout as wait } from 'node:timers/promises';
import { pauseAway } from '../../sync/ports/away.ts';
import type { LendTokens } from '../../sync/ports/consent.ts';
import type { OpenSheet } from '../../sync/ports/sheet-client.ts';
import { createAccess, type OwnCredentials } from './access.ts';
import { createApi, sheetsSdk } from './api.ts';
import { type Clock, createPatience } from './retry.ts';
import { createSheetsClient } from './sheets-client.ts';
import { createWire } from './wire.ts';

export type GoogleSheetsOptions = {
  /** Of the client that tokens were made for, where the sheet's own credentials name none. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The tokens of what people have granted by consent. */
  readonly lend?: LendTokens | undefined;
  /** In place of the addresses of the API and of the token endpoint. */
  readonly baseUrl?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds since 1970, the same for all nodes that write to a spreadsheet. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  /** For one request. */
  readonly deadlineMs?: number | undefined;
};

const sleep: Clock['sleep'] = async (milliseconds, signal) => {
  await wait(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
};

/**
 * Google Sheets, version 4 of its API, through Google's own SDK: the port `SheetClient` of sync. In: a spreadsheet and its
 * credentials. Out: rows as they are shown or were entered, and writes of cells. Always: a call that failed is made again
 * only where that cannot write twice, and every refusal is a Fault with a text of its own.
 */
export function createGoogleSheets(options: GoogleSheetsOptions = {}): { readonly open: OpenSheet } {
  const {
    baseUrl,
    fetch: send = fetch,
    now = Date.now,
    clock = { now, sleep },
    random = Math.random,
    deadlineMs = 60_000,
  } = options;
  const wire = createWire({ baseUrl, fetch: send, deadlineMs });

  return {
    open: async ({ spreadsheetId, accountId, credentials, onRefresh, away }) => {
      const sdk = await sheetsSdk();
      const access =
        'grant' in credentials
          ? { isRenewable: true, ...lent(accountId, credentials.grant) }
          : createAccess({ credentials: ofClient(credentials), sdk, wire, clock, onRefresh });
      const api = createApi(spreadsheetId, { sdk, wire, access });
      const patient: Clock = {
        now: clock.now,
        sleep: (ms, signal) => pauseAway(away, ms, () => clock.sleep(ms, signal)),
      };
      const patiently = createPatience(patient, random);
      return createSheetsClient(spreadsheetId, { api, patiently, clock });
    },
  };

  function lent(accountId: string, grant: string) {
    if (!options.lend) throw new Error('no grants are kept here');
    return options.lend(accountId, grant);
  }

  function ofClient(credentials: OwnCredentials): OwnCredentials {
    if ('serviceAccount' in credentials || credentials.clientId) return credentials;
    return { ...credentials, clientId: options.clientId, clientSecret: options.clientSecret };
  }
}
