import { Fault, type FaultKey } from '../../errors.ts';
import type { Sheets } from '../connections/sheets.ts';
import type { Stores } from '../connections/stores.ts';
import { DEMO_DOMAIN, DEMO_SPREADSHEET } from './demo.ts';

const DEMO_TAB = 'Sheet1';
const DEMO_NAME = 'Demo';

type DemoDeps = { readonly stores: Stores; readonly sheets: Sheets };

/**
 * Connects the demo store and the demo spreadsheet of an account, or finds them where they are connected.
 * @throws Fault not_configured.sync_demo, plan_limit
 */
export function createConnectDemo({ stores, sheets }: DemoDeps) {
  return async (accountId: string, signal: AbortSignal) => {
    const store = await connected('conflict.store_connected', {
      connect: () => stores.connect(accountId, { domain: DEMO_DOMAIN }, signal),
      get: (id) => stores.get(accountId, id),
    });
    const request = { spreadsheet: DEMO_SPREADSHEET, name: DEMO_NAME, sheetName: DEMO_TAB, secrets: {} };
    const sheet = await connected('conflict.sheet_connected', {
      connect: () => sheets.connect(accountId, request, signal),
      get: (id) => sheets.get(accountId, id),
    });
    return { store: store.side, sheet: sheet.side, created: store.created || sheet.created };
  };
}

/** What `connect` makes, or the one whose id its fault names. */
async function connected<Side>(
  taken: FaultKey,
  { connect, get }: { connect: () => Promise<Side>; get: (id: string) => Promise<Side> },
): Promise<{ readonly side: Side; readonly created: boolean }> {
  try {
    return { side: await connect(), created: true };
  } catch (error) {
    if (!(error instanceof Fault && error.key === taken)) throw error;
    return { side: await get(String(error.params['id'])), created: false };
  }
}
