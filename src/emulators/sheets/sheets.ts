import { setTimeout as wait } from 'node:timers/promises';
import type { Book } from './book.ts';
import { type BookHandle, type NewTab, openBook, sheetOf } from './book-handle.ts';
import {
  apiDisabled,
  createFaultPlan,
  type EmulatedFault,
  type PlannedFault,
  protectedCell,
  Refusal,
  rateLimited,
} from './faults.ts';
import { pickFields } from './metadata.ts';
import {
  type ApiCall,
  type CallKind,
  createQuota,
  isWrite,
  type ReadRequest,
  readRequest,
  runCall,
} from './request.ts';
import { createTokens, type TokenSettings } from './tokens.ts';

export type SheetsEmulatorOptions = {
  readonly tokens?: TokenSettings;
  /** Requests a minute; the service's own figures where absent. */
  readonly quota?: Partial<Record<CallKind, number>>;
  readonly troubles?: { readonly rate?: number; readonly seed?: number };
  readonly clock?: { readonly now: () => number; readonly sleep: (milliseconds: number) => Promise<void> };
};

/** A call of the API as it arrived; calls of the token endpoint are not among them. */
type SheetsCall = {
  readonly method: string;
  readonly path: string;
  readonly kind: CallKind;
  readonly bytes: number;
};

export type SheetsSnapshot = { readonly books: readonly Book[] };

export type SheetsEmulator = {
  /** Takes the place of `fetch`: to sheets.googleapis.com, oauth2.googleapis.com, or any address that stands for them. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Opens a spreadsheet as a person would; makes it where there is none, with one tab Sheet1 unless told otherwise. */
  readonly book: (
    id: string,
    start?: { tabs?: readonly NewTab[]; locale?: string; title?: string },
  ) => BookHandle;
  readonly calls: SheetsCall[];
  readonly troubles: {
    readonly plan: (...troubles: readonly (EmulatedFault | PlannedFault)[]) => void;
    readonly waiting: () => number;
  };
  /** Whether the API is off in the project that the tokens are of. */
  readonly disableApi: (disabled?: boolean) => void;
  readonly tokens: { readonly expire: () => void; readonly revoke: () => void };
  /** All spreadsheets, as plain data that stays as it is while the emulator goes on. */
  readonly snapshot: () => SheetsSnapshot;
  readonly restore: (snapshot: SheetsSnapshot) => void;
};

type Call = SheetsCall & ApiCall;

/** The demo runs for as long as the server does. */
const MOST_CALLS = 10_000;

const REAL_CLOCK = { now: Date.now, sleep: (milliseconds: number) => wait(milliseconds) };

/**
 * Google Sheets v4 as far as this product speaks it, in memory: quotas, grid limits, atomic batches, faults on request.
 *
 * In: requests as to Google. Out: responses as Google sends them. Invariant: nothing leaves the process, and a batch
 * is applied whole or not at all.
 */
export function createSheetsEmulator(options: SheetsEmulatorOptions = {}): SheetsEmulator {
  const { clock = REAL_CLOCK } = options;
  const tokens = createTokens(options.tokens ?? {}, clock.now);
  const quota = createQuota({ read: 60, write: 60, ...options.quota }, clock.now);
  const troubles = createFaultPlan(options.troubles ?? {});
  const books = new Map<string, Book>();
  const calls: SheetsCall[] = [];
  let isDisabled = false;

  return {
    calls,
    disableApi(disabled = true) {
      isDisabled = disabled;
    },
    troubles,
    tokens,
    fetch: async (input, init) => {
      const request = await readRequest(input, init);
      if (request.url.pathname === '/token') {
        const { status, body } = tokens.answer(new URLSearchParams(request.body));
        return Response.json(body, { status });
      }
      return answer(request);
    },
    book(id, { tabs = [{ title: 'Sheet1' }], locale = 'en_US', title = id } = {}) {
      const known = books.get(id);
      if (known) return openBook(known);
      const sheets = tabs.map((tab, index) => sheetOf(tab, index));
      const book: Book = { id, title, locale, forbidden: false, sheets, metadata: [], nextId: 0 };
      books.set(id, book);
      return openBook(book);
    },
    snapshot: () => structuredClone({ books: [...books.values()] }),
    restore(snapshot) {
      books.clear();
      for (const book of structuredClone(snapshot.books)) books.set(book.id, book);
    },
  };

  async function answer({ url, method, authorization, body, signal }: ReadRequest): Promise<Response> {
    const path = decodeURIComponent(url.pathname);
    const kind = isWrite(method, path) ? 'write' : 'read';
    const call: Call = { method, path, kind, bytes: Buffer.byteLength(body), query: url.searchParams, body };
    calls.push({ method, path, kind, bytes: call.bytes });
    if (calls.length > MOST_CALLS) calls.splice(0, MOST_CALLS / 2);
    const trouble = troubles.next(`${method} ${path} ${body}`);
    if (trouble === 'drop_before') throw dropped();
    if (trouble === 'hang') return never(signal);
    if (typeof trouble === 'object') await clock.sleep(trouble.slow);
    const refused = trouble === 'rate_403' ? rateLimited() : refusalOf(trouble);
    const response = respond(call, authorization, refused);
    if (trouble === 'drop_after') throw dropped();
    return response;
  }

  function respond(call: Call, authorization: string | null, refused: Refusal | undefined): Response {
    try {
      if (refused) throw refused;
      const user = tokens.userOf(authorization);
      if (isDisabled) throw apiDisabled();
      quota.take(user, call.kind);
      return Response.json(pickFields(runCall(books, call), call.query.get('fields')));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return Response.json(error.body, { status: error.status });
    }
  }
}

function refusalOf(trouble: EmulatedFault | undefined): Refusal | undefined {
  if (trouble === 400) return protectedCell();
  if (typeof trouble !== 'number') return undefined;
  return new Refusal(trouble, 'The service is currently unavailable.');
}

/** What `fetch` says of a connection that broke. */
function dropped(): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
  });
}

async function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
