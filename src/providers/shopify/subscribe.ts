import { z } from 'zod';
import { PageInfo } from './describe-shop.ts';
import { LIST_SUBSCRIPTIONS, SUBSCRIBE } from './operations.ts';
import type { Shop } from './shop.ts';
import { refused } from './shop-fault.ts';
import { UserErrors } from './user-errors.ts';

/** What a run must hear of, as deliveries name it (X-Shopify-Topic). */
const TOPICS = [
  'products/create',
  'products/update',
  'products/delete',
  'inventory_levels/update',
  'inventory_items/update',
  'app/uninstalled',
] as const;

const PAGE = 100;

const Listed = z.object({
  webhookSubscriptions: z.object({
    nodes: z.array(z.object({ topic: z.string(), uri: z.string() })),
    pageInfo: PageInfo,
  }),
});
const Created = z.object({ webhookSubscriptionCreate: z.object({ userErrors: UserErrors }) });

/** Has the store tell an address of its changes; what it tells already is left alone. Answers the topics. */
export async function subscribe(
  shop: Shop,
  address: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const told = await topicsTold(shop, address, signal);
  for (const topic of TOPICS) {
    const name = enumOf(topic);
    if (!told.has(name)) await create(shop, { topic: name, subscription: { uri: address } }, signal);
  }
  return TOPICS;
}

/** `PRODUCTS_CREATE` for `products/create`. */
function enumOf(topic: string): string {
  return topic.replace('/', '_').toUpperCase();
}

async function topicsTold(shop: Shop, address: string, signal: AbortSignal): Promise<Set<string>> {
  const told = new Set<string>();
  for (let after: string | null = null; ; ) {
    const variables = (first: number) => ({ first, after });
    const question = { query: LIST_SUBSCRIPTIONS, variables, size: PAGE, answer: Listed };
    const listed: z.output<typeof Listed> = await shop.ask(question, signal);
    const { nodes, pageInfo } = listed.webhookSubscriptions;
    for (const { topic, uri } of nodes) if (uri === address) told.add(topic);
    if (!pageInfo.hasNextPage) return told;
    after = pageInfo.endCursor;
  }
}

async function create(shop: Shop, subscription: Record<string, unknown>, signal: AbortSignal): Promise<void> {
  const question = { query: SUBSCRIBE, variables: () => subscription, answer: Created };
  const { userErrors } = (await shop.ask(question, signal)).webhookSubscriptionCreate;
  const [error] = userErrors;
  // An earlier try may have made it and lost the answer.
  if (error && !/already been taken/i.test(error.message)) throw refused(shop.domain, error.message);
}
