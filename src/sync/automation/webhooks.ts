import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import { isSameSecret } from '../../platform/is-same-secret.ts';
import type { Log } from '../../platform/log.ts';
import type { Stores } from '../connections/stores.ts';

/** The headers of a delivery, and its body as it was received. */
type StoreDelivery = {
  /** X-Shopify-Webhook-Id: the same for every attempt at one delivery. */
  readonly id: string;
  readonly topic: string;
  readonly domain: string;
  /** X-Shopify-Hmac-Sha256, base64. */
  readonly signature: string;
  /** X-Shopify-Triggered-At: when it happened, however late the webhook arrives. */
  readonly triggeredAt?: Date | undefined;
  readonly body: Buffer;
};

type WebhooksDeps = {
  readonly sql: Sql;
  readonly stores: Pick<Stores, 'listeners' | 'markDisconnected' | 'redact'>;
  /** Makes the realtime configurations of the store due at the moment, with the items that it names; absent: all. */
  readonly makeStoreDue: (storeId: string, at: Date, items?: readonly string[]) => Promise<void>;
  /** The store takes part in no more automatic runs. */
  readonly storePaused?: (accountId: string, storeId: string) => Promise<void>;
  /** The app was uninstalled, so its access has ended. */
  readonly endGrant?: (accountId: string, grantId: string) => Promise<void>;
  /** Signs the webhooks of the operator's app, also about stores that are not connected any more. */
  readonly appSecret?: string | undefined;
  readonly log?: Pick<Log, 'info'>;
  readonly now: () => number;
};

type Listener = Awaited<ReturnType<Stores['listeners']>>[number];

export type StoreWebhooks = {
  /** Records a delivery; one that was recorded before changes nothing. @throws Fault unauthenticated.webhook */
  receive(delivery: StoreDelivery): Promise<void>;
  /** Deletes deliveries that cannot be repeated any more. */
  sweep(): Promise<void>;
};

/** Changes that follow each other within this time become one run. */
const GATHER_MS = 1_000;
/** What Shopify asks of every app that others install. */
const COMPLIANCE_TOPICS: ReadonlySet<string> = new Set([
  'customers/data_request',
  'customers/redact',
  'shop/redact',
]);
const CHANGE_TOPICS = /^(?:products|inventory_levels|inventory_items)\//;
/** Shopify retries a delivery for four hours. */
const DELIVERY_TTL_MS = 7 * 86_400_000;

/** Receives the webhooks of stores. A delivery counts only for connections whose secret has signed it. */
export function createStoreWebhooks({
  sql,
  stores,
  makeStoreDue,
  storePaused,
  endGrant,
  appSecret,
  log,
  now,
}: WebhooksDeps): StoreWebhooks {
  return {
    async receive(delivery) {
      const { domain, topic, signature, body } = delivery;
      const listeners = await stores.listeners(domain);
      const authenticated = listeners.filter(
        ({ webhookSecret }) => webhookSecret !== null && isSigned(body, signature, webhookSecret),
      );
      const isOfApp = appSecret !== undefined && isSigned(body, signature, appSecret);
      if (authenticated.length === 0 && !isOfApp) throw new Fault('unauthenticated.webhook');
      if (isOfApp && COMPLIANCE_TOPICS.has(topic)) await comply(delivery);
      for (const listener of authenticated) await record(delivery, listener);
    },

    async sweep() {
      const before = new Date(now() - DELIVERY_TTL_MS);
      await sql`delete from sync_webhook_events where received_at < ${before}`;
    },
  };

  /**
   * No data of a store's customers is kept here, so there is none to return or delete. The data of a store that
   * has uninstalled the app is deleted when Shopify asks for it, unless the store has installed the app again
   * by then.
   */
  async function comply({ topic, body, domain }: StoreDelivery): Promise<void> {
    log?.info({ topic, store: domain }, 'a request for customer or store data');
    // Only the body is signed.
    const isOfShop = parsedAs(RedactedShop, body)?.shop_domain === domain;
    if (topic === 'shop/redact' && isOfShop) await stores.redact(domain);
  }

  async function record(delivery: StoreDelivery, listener: Listener): Promise<void> {
    const { storeId } = listener;
    const { id, topic } = delivery;
    if (await isRecorded(sql, storeId, id)) return;
    await handle(delivery, listener);
    // Last: a delivery that fails before is repeated, and handling it twice is the same as once.
    await insertEvent(sql, { id, storeId, topic });
  }

  async function handle(
    { topic, body, domain, triggeredAt }: StoreDelivery,
    { accountId, storeId, grantId, consentedAt }: Listener,
  ): Promise<void> {
    // Told late, after the app was installed again: what it ended is over, and the new consent stays.
    const isPast = triggeredAt !== undefined && consentedAt !== null && triggeredAt < consentedAt;
    // Only the body is signed: this topic could have been sent with the body of another event.
    if (topic === 'app/uninstalled' && isOfStore(body, domain) && !isPast) {
      await stores.markDisconnected(accountId, storeId);
      if (grantId !== null) await endGrant?.(accountId, grantId);
      await storePaused?.(accountId, storeId);
    }
    if (!CHANGE_TOPICS.test(topic)) return;
    await makeStoreDue(storeId, new Date(now() + GATHER_MS), itemsOf(topic, body));
    await notifyDue(sql, GATHER_MS);
  }
}

const Shop = z.object({ myshopify_domain: z.string() });
const RedactedShop = z.object({ shop_domain: z.string() });

/** A webhook about a product with more variants may not name them all. */
const MAX_NAMED_VARIANTS = 99;

const Changed = z.object({
  id: z.number().optional(),
  inventory_item_id: z.number().optional(),
  variants: z
    .array(z.object({ id: z.number() }))
    .max(MAX_NAMED_VARIANTS)
    .optional(),
});

/**
 * The product with its variants, or the inventory item, that a webhook names; undefined: what is gone, or cannot be told,
 * needs all to be read.
 */
function itemsOf(topic: string, body: Buffer): readonly string[] | undefined {
  const [resource, event] = topic.split('/');
  const { id, inventory_item_id: itemId, variants } = parsedAs(Changed, body) ?? {};
  if (event === 'delete') return undefined;
  if (resource === 'products' && id && variants)
    return [
      `gid://shopify/Product/${id}`,
      ...variants.map((variant) => `gid://shopify/ProductVariant/${variant.id}`),
    ];
  if (resource === 'inventory_items' && id) return [`gid://shopify/InventoryItem/${id}`];
  if (resource === 'inventory_levels' && itemId) return [`gid://shopify/InventoryItem/${itemId}`];
  return undefined;
}

function parsedAs<T>(schema: z.ZodType<T>, body: Buffer): T | undefined {
  try {
    return schema.parse(JSON.parse(body.toString()));
  } catch {
    return undefined;
  }
}

/** Whether the body describes the store itself: of the topics that we subscribe to, only the uninstallation's does. */
function isOfStore(body: Buffer, domain: string): boolean {
  return parsedAs(Shop, body)?.myshopify_domain === domain;
}

function isSigned(body: Buffer, signature: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  return isSameSecret(Buffer.from(signature, 'base64'), expected);
}

async function isRecorded(sql: Sql, storeId: string, id: string): Promise<boolean> {
  const [event] = await sql`select from sync_webhook_events where store_id = ${storeId} and id = ${id}`;
  return event !== undefined;
}

/** Does nothing where the store was deleted. */
async function insertEvent(sql: Sql, event: { id: string; storeId: string; topic: string }): Promise<void> {
  await sql`
    insert into sync_webhook_events (id, store_id, topic)
    select ${event.id}, id, ${event.topic} from sync_stores where id = ${event.storeId}
    on conflict do nothing`;
}

/** Notifies every node that something is due in so many milliseconds: their clocks may differ. */
async function notifyDue(sql: Sql, waitMs: number): Promise<void> {
  await sql`select pg_notify('sync_due', ${String(waitMs)})`;
}
