import { z } from 'zod';
import { BULK_STATUS, CANCEL_BULK } from './operations.ts';
import type { Shop } from './shop.ts';

/** How a bulk operation ended. There is no file where it found nothing. */
export type BulkEnd =
  | { readonly state: 'done'; readonly url: string | null }
  | { readonly state: 'failed'; readonly about: string };

const POLL_MS = { first: 1000, factor: 1.5, most: 10_000 };
/** What has not ended by then is given up. */
const MOST_MS = 60 * 60_000;
const CANCEL_MS = 5_000;

const Status = z.object({
  bulkOperation: z
    .object({ status: z.string(), errorCode: z.string().nullable(), url: z.string().nullable() })
    .nullable(),
});

/** Waits for a bulk operation. When the waiting ends before it does, it is cancelled in the store. */
export async function awaitBulk(shop: Shop, id: string, signal: AbortSignal): Promise<BulkEnd> {
  let ended: BulkEnd | undefined;
  try {
    ended = await poll(shop, id, signal);
    return ended ?? { state: 'failed', about: 'it takes too long' };
  } finally {
    if (!ended) await cancel(shop, id);
  }
}

async function poll(shop: Shop, id: string, signal: AbortSignal): Promise<BulkEnd | undefined> {
  const giveUpAt = shop.clock.now() + MOST_MS;
  for (let pause = POLL_MS.first; ; pause = Math.min(pause * POLL_MS.factor, POLL_MS.most)) {
    await shop.clock.wait(pause, signal);
    const { bulkOperation } = await shop.ask(
      { query: BULK_STATUS, variables: () => ({ id }), answer: Status },
      signal,
    );
    if (!bulkOperation) return { state: 'failed', about: 'it is gone' };
    const { status, url, errorCode } = bulkOperation;
    if (status === 'COMPLETED') return { state: 'done', url };
    if (status !== 'CREATED' && status !== 'RUNNING')
      return { state: 'failed', about: `${status} ${errorCode ?? ''}` };
    if (shop.clock.now() > giveUpAt) return undefined;
  }
}

/** As far as possible: the signal may have ended, and it ends by itself in any case. */
async function cancel(shop: Shop, id: string): Promise<void> {
  const question = { query: CANCEL_BULK, variables: () => ({ id }), answer: z.unknown() };
  await shop.ask(question, AbortSignal.timeout(CANCEL_MS)).catch(() => {});
}
