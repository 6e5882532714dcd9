import type { Log } from '../../platform/log.ts';
import type { StoreAccess } from '../connections/store-access.ts';

type Parts = {
  readonly stores: Pick<StoreAccess, 'claimUnheard' | 'openFor'>;
  /** Where stores reach this server; undefined where they cannot. */
  readonly publicUrl: string | undefined;
  readonly log: Log;
  readonly now?: () => number;
};

const AT_ONCE = 20;
const DEADLINE_MS = 60_000;

/**
 * Has stores with a realtime configuration tell us of changes. They forget who did not listen for some hours, so each is
 * asked again once a day.
 */
export function createSubscriptions({ stores, publicUrl, log, now = Date.now }: Parts) {
  return {
    async renew(): Promise<void> {
      if (!publicUrl?.startsWith('https://')) return;
      const address = `${publicUrl.replace(/\/$/, '')}/webhooks/shopify`;
      const claimed = await stores.claimUnheard(new Date(now()), AT_ONCE);
      for (const { accountId, storeId } of claimed) await subscribe(accountId, storeId, address);
    },
  };

  async function subscribe(accountId: string, storeId: string, address: string): Promise<void> {
    try {
      const { client } = await stores.openFor(accountId, storeId);
      await client.subscribe(address, AbortSignal.timeout(DEADLINE_MS));
    } catch (error) {
      log.warn({ err: error, store: storeId }, 'a store was not asked to tell of changes; the pace remains');
    }
  }
}
