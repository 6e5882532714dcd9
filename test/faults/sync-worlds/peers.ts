import { createSheetsEmulator, type SheetsEmulator } from '../../../src/emulators/sheets/sheets.ts';
import type { Direction } from '../../../src/sync/config.ts';
import { type Fate, headersOf, type Knock, startFront } from './front.ts';
import { type Shelf, stockShelf } from './shelf.ts';

/** Where the process is to be killed: at which of the calls that change something, and whether that one still happens. */
export type Boundary = {
  readonly direction: Direction;
  readonly write: number;
  readonly fate: Exclude<Fate, 'served'>;
};

/** What a run begins with; by default what was the same on both sides and has changed since. */
export type Stocked = {
  readonly direction: Direction;
  readonly stock?: (google: SheetsEmulator, name: string, direction: Direction) => Shelf;
};

export type Held = {
  readonly shelf: Shelf;
  readonly boundary: Boundary | undefined;
  readonly reached: Promise<void>;
  readonly writes: () => readonly string[];
  /** Has what was postponed arrive. */
  readonly arrive: () => Promise<unknown>;
};

type Kept = {
  readonly shelf: Shelf;
  readonly boundary: Boundary | undefined;
  readonly names: string[];
  readonly reach: () => void;
  late: () => Promise<unknown>;
};

export type Peers = Awaited<ReturnType<typeof startPeers>>;

/** Shops and spreadsheets on ports of this machine, which answer everything but the call of each one's boundary. */
export async function startPeers() {
  const google = createSheetsEmulator({ quota: { read: Infinity, write: Infinity } });
  const kept = new Map<string, Kept>();

  const shopify = await startFront({
    knockOf({ headers }, body) {
      const [, kind, name = ''] = /(query|mutation) Stallhand(\w+)/.exec(body) ?? [];
      return {
        pair: String(headers['x-forwarded-host']).split('.')[0] ?? '',
        name,
        isWrite: kind === 'mutation',
      };
    },
    serve(request, body) {
      const domain = String(request.headers['x-forwarded-host']);
      const shelf = kept.get(domain.split('.')[0] ?? '')?.shelf;
      if (!shelf) throw new Error(`no shop ${domain}`);
      const init = {
        method: request.method ?? 'GET',
        headers: headersOf(request),
        ...(body !== '' && { body }),
      };
      return shelf.shop.fetch(`https://${domain}${request.url}`, init);
    },
    fate,
    postpone,
  });
  const sheets = await startFront({
    knockOf({ method, url = '' }, body) {
      const [, pair = '', name = ''] = /spreadsheets\/([^/:?]+)(?:\/values)?[:/]?(\w*)/.exec(url) ?? [];
      // Deleting metadata that does not exist only asks whether the sheet may be written to.
      const isRead = name === 'batchGetByDataFilter' || body.includes('deleteDeveloperMetadata');
      return { pair, name, isWrite: method === 'POST' && !isRead };
    },
    serve(request, body) {
      const url = new URL(request.url ?? '/', 'http://sheets.test');
      return google.fetch(url, {
        method: request.method ?? 'GET',
        headers: headersOf(request),
        ...(body !== '' && { body }),
      });
    },
    fate,
    postpone,
  });

  return {
    settings: { SHOPIFY_BASE_URL: shopify.url, GOOGLE_BASE_URL: sheets.url },

    /** One more pair; without a boundary everything it is asked is answered. */
    add(name: string, { direction, stock = stockShelf }: Stocked, boundary?: Boundary): Held {
      const shelf = stock(google, name, direction);
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      const own: Kept = { shelf, boundary, names: [], reach, late: async () => {} };
      kept.set(name, own);
      return { shelf, boundary, reached, writes: () => own.names, arrive: () => own.late() };
    },

    async close(): Promise<void> {
      await Promise.all([shopify.close(), sheets.close()]);
    },
  };

  function fate({ pair, name, isWrite }: Knock): Fate {
    const own = kept.get(pair);
    if (!own || !isWrite) return 'served';
    own.names.push(name);
    const { boundary, shelf, names } = own;
    if (names.length === 1) shelf.beforeFirst(name);
    if (names.length !== boundary?.write) return 'served';
    own.reach();
    return boundary.fate;
  }

  function postpone({ pair }: Knock, serve: () => Promise<unknown>): void {
    const own = kept.get(pair);
    if (own) own.late = serve;
  }
}
