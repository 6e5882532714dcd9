import type { Log } from '../../platform/log.ts';
import type { Stores } from '../connections/stores.ts';

type SubscriptionsDeps = {
  readonly stores: Pick<Stores, 'claimUnsubscribed' | 'openFor'>;
  /** The URL at which stores reach this server; undefined if they can't. */
  readonly publicUrl: string | undefined;
  readonly log: Log;
  readonly now: () => number;
};

const BATCH_SIZE = 20;
const TIMEOUT_MS = 60_000;

/**
 * Subscribes to the webhooks of stores with a realtime configuration. Shopify removes a subscription that failed for some
 * hours, so each is renewed once a day.
 */
export function createSubscriptions({ stores, publicUrl, log, now }: SubscriptionsDeps) {
  return {
    async renew(): Promise<void> {
      if (!publicUrl?.startsWith('https://')) return;
      const address = `${publicUrl.replace(/\/$/, '')}/webhooks/shopify`;
      for (let found = BATCH_SIZE; found === BATCH_SIZE; ) {
        const claimed = await stores.claimUnsubscribed(new Date(now()), BATCH_SIZE);
        for (const { accountId, storeId } of claimed) await subscribe(accountId, storeId, address);
        found = claimed.length;
      }
    },
  };

  async function subscribe(accountId: string, storeId: string, address: string): Promise<void> {
    try {
      const { client } = await stores.openFor(accountId, storeId);
      await client.subscribe(address, AbortSignal.timeout(TIMEOUT_MS));
    } catch (error) {
      log.warn(
        { err: error, store: storeId },
        'webhooks of a store were not subscribed; its schedule remains',
      );
    }
  }
}
