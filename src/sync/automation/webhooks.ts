import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { StoreAccess } from '../connections/store-access.ts';
import type { WebhookStore } from './webhook-store.ts';

/** What a delivery says of itself, and its body as it came. */
type StoreDelivery = {
  /** X-Shopify-Webhook-Id: the same for every try of one delivery. */
  readonly id: string;
  readonly topic: string;
  readonly domain: string;
  /** X-Shopify-Hmac-Sha256, base64. */
  readonly signature: string;
  readonly body: Buffer;
};

type Parts = {
  readonly events: WebhookStore;
  readonly stores: Pick<StoreAccess, 'listeners' | 'markDisconnected'>;
  /** Realtime configurations of the store are due at the moment. */
  readonly touch: (storeId: string, at: Date) => Promise<void>;
  readonly now?: () => number;
};

export type StoreWebhooks = {
  /** Notes a delivery; one that was noted before changes nothing. @throws Fault unauthenticated.webhook */
  receive(delivery: StoreDelivery): Promise<void>;
  /** Forgets deliveries that cannot come again. */
  sweep(): Promise<void>;
};

/** Changes that follow each other become one run. */
const GATHER_MS = 2_000;
const CHANGES = /^(?:products|inventory_levels|inventory_items)\//;
/** The store tries again for four hours. */
const KEPT_MS = 7 * 86_400_000;

/** What stores tell us. Only whoever knows the secret of a connected store is believed. */
export function createStoreWebhooks({ events, stores, touch, now = Date.now }: Parts): StoreWebhooks {
  return {
    async receive(delivery) {
      const { domain, signature, body } = delivery;
      const listeners = await stores.listeners(domain);
      const believers = listeners.filter(
        ({ webhookSecret }) => webhookSecret !== null && isSigned(body, signature, webhookSecret),
      );
      if (believers.length === 0) throw new Fault('unauthenticated.webhook');
      for (const { accountId, storeId } of believers) await note(delivery, accountId, storeId);
    },

    sweep: () => events.sweep(new Date(now() - KEPT_MS)),
  };

  async function note(delivery: StoreDelivery, accountId: string, storeId: string): Promise<void> {
    const { id, topic } = delivery;
    if (await events.has(storeId, id)) return;
    await heed(delivery, accountId, storeId);
    // Last: whoever is lost before is told again, and heeding twice is heeding once.
    await events.add({ id, storeId, topic });
  }

  async function heed(
    { topic, body, domain }: StoreDelivery,
    accountId: string,
    storeId: string,
  ): Promise<void> {
    // Only the body is signed: the topic alone could have been put before one that tells of something else.
    if (topic === 'app/uninstalled' && isOfStore(body, domain))
      await stores.markDisconnected(accountId, storeId);
    if (!CHANGES.test(topic)) return;
    const at = new Date(now() + GATHER_MS);
    await touch(storeId, at);
    await events.wake(at);
  }
}

const Shop = z.object({ myshopify_domain: z.string() });

/** Whether the body describes the store itself, as only the news of its app's removal does among those we ask for. */
function isOfStore(body: Buffer, domain: string): boolean {
  try {
    return Shop.parse(JSON.parse(body.toString())).myshopify_domain === domain;
  } catch {
    return false;
  }
}

function isSigned(body: Buffer, signature: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
