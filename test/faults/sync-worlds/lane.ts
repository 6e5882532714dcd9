import type { EmulatedFault } from '../../../src/emulators/sheets/faults.ts';
import { createSheetsEmulator } from '../../../src/emulators/sheets/sheets.ts';
import type { ShopFault } from '../../../src/emulators/shopify/faults.ts';
import { createShopifyEmulator } from '../../../src/emulators/shopify/shopify.ts';
import { createGoogleSheets } from '../../../src/providers/sheets/sheets.ts';
import { createShopifyStores } from '../../../src/providers/shopify/shopify.ts';
import type { SheetClient } from '../../../src/sync/ports/sheet-client.ts';
import type { StoreClient } from '../../../src/sync/ports/store-client.ts';
import type { Throttles } from '../../../src/sync/ports/throttles.ts';
import type { Chance } from './chance.ts';
import type { VirtualClock } from './clock.ts';

type Side = 'store' | 'sheet';
export type Call = { readonly side: Side; readonly name: string; readonly isWrite: boolean };

/** What goes on around the calls of one trial. */
export type Surroundings = {
  readonly chance: Chance;
  /** How many calls have a fault. */
  readonly faulted: () => number;
  /** No answer of this side comes through, though what is asked is done. */
  readonly outage: (call: Call) => boolean;
  /** Before a call leaves, and when it is over. */
  readonly around: (call: Call, moment: 'before' | 'after') => void;
};

const SHOP_FAULTS: readonly ShopFault[] = [
  'drop_before',
  'drop_after',
  'rate_limited',
  'bad_gateway',
  'throttled',
  { slow: 3_000 },
];
const SHEET_TROUBLES: readonly EmulatedFault[] = [
  'drop_before',
  'drop_after',
  429,
  502,
  503,
  { slow: 3_000 },
];

/** Of addresses with that word. */
const BROKEN = { code: 'IMAGE_DOWNLOAD_FAILURE', message: 'The image could not be downloaded.' } as const;

export type Lane = ReturnType<typeof createLane>;

/** A shop and a service of spreadsheets within this process, with the real adapters; one trial at a time uses them. */
export function createLane(nth: number, clock: VirtualClock, throttles: Throttles) {
  const domain = `lane-${nth}.myshopify.com`;
  const shop = createShopifyEmulator({
    domain,
    clock,
    shop: { currency: 'EUR' },
    media: { processingMs: 2_000, faultOf: (source) => (source.includes('broken') ? BROKEN : undefined) },
  });
  const google = createSheetsEmulator({ clock, quota: { read: Infinity, write: Infinity } });
  let current: Surroundings | undefined;
  const made = { store: 0, sheet: 0, faults: 0, calls: 0 };

  const stores = createShopifyStores({ apiVersion: '2026-10', throttles, clock, fetch: askShop });
  const sheets = createGoogleSheets({
    clock,
    random: () => current?.chance.between(0, 99) ?? 0,
    fetch: askGoogle,
  });

  return {
    shop,
    google,
    /** Writes sent to each side, faults and calls so far. */
    made,
    enter(surroundings: Surroundings): void {
      current = surroundings;
    },
    store: async (): Promise<StoreClient> => stores.open({ domain, credentials: { token: shop.token } }),
    sheet: async (spreadsheetId: string): Promise<SheetClient> =>
      sheets.open({ spreadsheetId, credentials: { accessToken: 'ya29.test' }, accountId: '' }),
  };

  async function askShop(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const [, kind = '', name = ''] = /(query|mutation) Stallhand(\w+)/.exec(String(init?.body)) ?? [];
    const call = { side: 'store', name, isWrite: kind === 'mutation' } as const;
    const fault = faultOf(call, SHOP_FAULTS);
    return around(call, () => {
      if (fault !== undefined) shop.faults.push(fault);
      return shop.fetch(input, init);
    });
  }

  async function askGoogle(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const name = new URL(String(input)).pathname.replace(/.*[/:]/, '');
    const isRead = name === 'batchGetByDataFilter';
    const isEntered = isRead && String(init?.body).includes('"FORMULA"');
    const isWrite = init?.method === 'POST' && !isRead;
    const call = { side: 'sheet', name: isEntered ? 'readEntered' : name, isWrite } as const;
    const trouble = faultOf(call, SHEET_TROUBLES);
    return around(call, () => {
      if (trouble !== undefined) google.troubles.plan(trouble);
      return google.fetch(input, init);
    });
  }

  function faultOf<T>(call: Call, kinds: readonly (T | 'drop_after')[]): T | 'drop_after' | undefined {
    if (!current) return undefined;
    const isOut = current.outage(call);
    const isFaulted = current.chance.happens(current.faulted());
    if (!isOut && !isFaulted) return undefined;
    made.faults += 1;
    return isOut ? 'drop_after' : current.chance.pick(kinds);
  }

  async function around(call: Call, ask: () => Promise<Response>): Promise<Response> {
    current?.around(call, 'before');
    made.calls += 1;
    if (call.isWrite) made[call.side] += 1;
    try {
      return await ask();
    } finally {
      current?.around(call, 'after');
    }
  }
}
