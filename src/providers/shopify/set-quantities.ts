import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Outcome, QuantityChange, StoreWrite } from '../../sync/ports/store-client.ts';
import { locationGid } from './describe-shop.ts';
import { ACTIVATE, SET_QUANTITIES } from './operations.ts';
import { indexAfter, refused, type UserError, UserErrors, unavailable } from './read-reply.ts';
import type { Shop } from './shop-client.ts';
import { persist } from './shop-fetch.ts';

type Write = StoreWrite & { readonly locationId: string };

const Activated = z.object({ inventoryActivate: z.object({ userErrors: UserErrors }) });
const Answer = z.object({ inventorySetQuantities: z.object({ userErrors: UserErrors }) });

const APPLIED: Outcome = { state: 'applied' };
const CONCURRENT_MS = 1000;
/** Each round but these leaves fewer changes. */
const SPARE_ROUNDS = 5;

/**
 * Sets quantities, each only if it still is what the change began from. One error rejects the whole call, so those that
 * are named go out and the rest is sent again, by a key of its own that is the same after a crash.
 */
export async function setQuantities(
  shop: Shop,
  changes: readonly QuantityChange[],
  write: Write,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = changes.map(() => APPLIED);
  let unsure = false;
  let open = await stocked(shop, changes, write, outcomes);
  for (let round = 0; open.length > 0; round += 1) {
    if (round > changes.length + SPARE_ROUNDS) throw unavailable(shop.domain, 'no key is new to it');
    const sent = open.map(({ change }) => change);
    const errors = await send(shop, sent, { ...write, key: keyOf(write.key, round, sent) });
    if (errors.length === 0) return outcomes;
    if (errors.some(({ code }) => code === 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED')) {
      // What an earlier try sent after that may have been set, and then looks as if somebody else had.
      unsure ||= round === 0;
      continue;
    }
    const named = byIndex(shop.domain, errors, open.length);
    for (const [at, { index }] of open.entries()) {
      const error = named.get(at);
      if (error) outcomes[index] = outcomeOf(error, unsure);
    }
    open = open.filter((_, at) => !named.has(at));
  }
  return outcomes;
}

type Comparable = QuantityChange & { readonly from: number };

/** The changes of items that are stocked at the place by now; the outcomes of others are why they are not. */
async function stocked(shop: Shop, changes: readonly QuantityChange[], write: Write, outcomes: Outcome[]) {
  const open: { readonly change: Comparable; readonly index: number }[] = [];
  for (const [index, { from, ...change }] of changes.entries()) {
    const refusal = from === null ? await activate(shop, change, write) : undefined;
    if (refusal) outcomes[index] = refusal;
    // What was not stocked has nothing once it is.
    else open.push({ change: { ...change, from: from ?? 0 }, index });
  }
  return open;
}

/** Stocks an item at the place, where it then has nothing; harmless where it is stocked. Why it was refused, if it was. */
async function activate(
  shop: Shop,
  { itemId: item, locationId }: Pick<QuantityChange, 'itemId' | 'locationId'>,
  { key, signal, ...write }: Write,
): Promise<Outcome | undefined> {
  const location = locationGid(shop.domain, locationId ?? write.locationId);
  const asked = locationId === undefined ? [key, 'activate', item] : [key, 'activate', item, locationId];
  const variables = () => ({ item, location, key: hashOf(asked) });
  const query = { query: ACTIVATE, variables, response: Activated };
  const [error] = (await shop.request(query, signal)).inventoryActivate.userErrors;
  return error && { state: 'refused', code: 'NOT_ACTIVATED', message: error.message };
}

/** Sends once, and while an earlier try of the same key is still under way, again. */
function send(shop: Shop, changes: readonly Comparable[], write: Write): Promise<readonly UserError[]> {
  const { key, reference, signal } = write;
  const input = {
    name: 'available',
    reason: 'correction',
    // The app's name and the run stand in the merchant's history of the stock.
    referenceDocumentUri: `gid://stallhand/SyncRun/${encodeURIComponent(reference)}`,
    quantities: changes.map(({ itemId, from, to, locationId }) => ({
      inventoryItemId: itemId,
      locationId: locationGid(shop.domain, locationId ?? write.locationId),
      quantity: to,
      changeFromQuantity: from,
    })),
  };
  const query = { query: SET_QUANTITIES, variables: () => ({ input, key }), response: Answer };
  return persist({ ...shop, signal }, async () => {
    const { userErrors } = (await shop.request(query, signal)).inventorySetQuantities;
    const isUnderWay = userErrors.some(({ code }) => code === 'IDEMPOTENCY_CONCURRENT_REQUEST');
    return isUnderWay ? { state: 'held', waitMs: CONCURRENT_MS } : { state: 'done', value: userErrors };
  });
}

/** By what is sent, too: what was refused the first time may not be what is refused after a crash. */
function keyOf(key: string, round: number, changes: readonly Comparable[]): string {
  if (round === 0) return key;
  const sent = changes.map(({ itemId, from, to, locationId }) =>
    locationId === undefined ? [itemId, from, to] : [itemId, from, to, locationId],
  );
  return hashOf([key, round, sent]);
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Which of the changes each error is about. One that is about none of them is about the call. */
function byIndex(domain: string, errors: readonly UserError[], count: number): Map<number, UserError> {
  const named = new Map<number, UserError>();
  for (const error of errors) {
    const at = indexAfter('quantities', error.field);
    if (at === undefined || at >= count) throw refused(domain, error.message);
    if (!named.has(at)) named.set(at, error);
  }
  return named;
}

function outcomeOf({ code, message }: UserError, unsure: boolean): Outcome {
  if (code === 'CHANGE_FROM_QUANTITY_STALE') return unsure ? { state: 'stale', unsure } : { state: 'stale' };
  return { state: 'refused', code: code ?? 'UNKNOWN', message };
}
