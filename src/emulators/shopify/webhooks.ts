import { createHmac, randomUUID } from 'node:crypto';
import type { Call } from './access.ts';
import { numberIn, type PageArgs, pageOf } from './admin-api.ts';
import { userError } from './faults.ts';
import type { ItemRecord, ProductRecord } from './records.ts';
import type { Shop, ShopChange } from './shop.ts';

/** One delivery, signed as the shop signs it. */
export type WebhookDelivery = {
  /** Where it is to go. */
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  /** To be sent as it stands: the signature is of these very bytes. */
  readonly body: string;
};

type Options = {
  readonly shop: Shop;
  readonly domain: string;
  readonly secret: string;
  readonly version: string;
  readonly now: () => number;
  readonly onDelivery: (delivery: WebhookDelivery) => void;
};
type SubscribeArgs = {
  readonly topic: string;
  readonly webhookSubscription: { readonly uri?: string | null };
};

const TOPICS: Readonly<Record<ShopChange['kind'], string>> = {
  level: 'inventory_levels/update',
  item: 'inventory_items/update',
  product: 'products/update',
  new_product: 'products/create',
  lost_product: 'products/delete',
};

/** Whom the shop tells of changes, and what it says. */
export function createWebhooks({ shop, domain, secret, version, now, onDelivery }: Options) {
  const time = () => new Date(now()).toISOString();

  /** What the shop would send to `uri` of this topic, such as `inventory_levels/update`. */
  function deliveryOf(topic: string, payload: object, uri = ''): WebhookDelivery {
    const body = JSON.stringify(payload);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Shopify-Captain-Hook',
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': domain,
      'x-shopify-api-version': version,
      'x-shopify-webhook-id': randomUUID(),
      'x-shopify-event-id': randomUUID(),
      'x-shopify-triggered-at': time(),
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
    };
    return { uri, headers, body };
  }

  /** Tells those who subscribed to it. */
  function tell(topic: string, payload: () => object): void {
    const name = topic.replace('/', '_').toUpperCase();
    for (const subscription of shop.subscriptions()) {
      if (subscription.topic === name) onDelivery(deliveryOf(topic, payload(), subscription.uri));
    }
  }

  function payloadOf(change: ShopChange): object {
    switch (change.kind) {
      case 'level':
        return levelPayload(change.item, change.locationId);
      case 'item':
        return itemPayload(change.item);
      case 'lost_product':
        return { id: numberIn(change.product.id) };
      default:
        return productPayload(change.product);
    }
  }

  function levelPayload({ id, levels }: ItemRecord, locationId: string): object {
    const available = levels[locationId]?.available ?? null;
    const ids = { inventory_item_id: numberIn(id), location_id: numberIn(locationId) };
    return { ...ids, available, updated_at: time() };
  }

  function itemPayload({ id, sku, requiresShipping }: ItemRecord): object {
    return { ...restIds(id), sku, requires_shipping: requiresShipping, updated_at: time() };
  }

  function productPayload({ id, title, handle }: ProductRecord): object {
    const variants = shop.variantsOf(id).map((variant) => {
      const { id: itemId, sku, requiresShipping, levels } = shop.itemOf(variant);
      const { price, barcode, taxable } = variant;
      return {
        ...restIds(variant.id),
        product_id: numberIn(id),
        sku,
        price,
        barcode,
        taxable,
        requires_shipping: requiresShipping,
        inventory_item_id: numberIn(itemId),
        inventory_quantity: Object.values(levels).reduce((sum, { available }) => sum + available, 0),
      };
    });
    return { ...restIds(id), title, handle, updated_at: time(), variants };
  }

  return {
    deliveryOf,
    changed(change: ShopChange): void {
      tell(TOPICS[change.kind], () => payloadOf(change));
    },

    bulkEnded({ id, status, kind }: { id: string; status: string; kind: string }): void {
      const payload = {
        admin_graphql_api_id: id,
        status: status.toLowerCase(),
        type: kind,
        error_code: null,
      };
      tell('bulk_operations/finish', () => ({ ...payload, completed_at: time() }));
    },

    queries: {
      webhookSubscriptions(args: PageArgs, call: Call) {
        const view = ({ id, topic, uri }: { id: string; topic: string; uri: string }) => ({ id, topic, uri });
        return pageOf(shop.subscriptions(), { rank: ({ id }) => numberIn(id), view }, args, call);
      },
    },

    mutations: {
      webhookSubscriptionCreate({ topic, webhookSubscription }: SubscribeArgs) {
        const uri = webhookSubscription.uri ?? '';
        const isTaken = shop.subscriptions().some((other) => other.topic === topic && other.uri === uri);
        const message = isTaken ? 'Address for this topic has already been taken' : addressFault(uri);
        if (message === undefined) {
          return { webhookSubscription: shop.subscribe(topic, uri), userErrors: [] };
        }
        const userErrors = [userError(['webhookSubscription', 'uri'], null, message)];
        return { webhookSubscription: null, userErrors };
      },
    },
  };
}

function addressFault(uri: string): string | undefined {
  if (uri === '') return "Address can't be blank";
  if (!URL.canParse(uri)) return 'Address is invalid';
  const { protocol, hostname } = new URL(uri);
  if (protocol !== 'https:') return `Address protocol ${protocol}// is not supported`;
  return /(^localhost$|\.myshopify\.com$)/.test(hostname) ? 'Address is not allowed' : undefined;
}

function restIds(id: string) {
  return { id: numberIn(id), admin_graphql_api_id: id };
}
