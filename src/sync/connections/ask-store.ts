import { Fault } from '../../errors.ts';
import type { OpenStore } from '../ports/open-store.ts';
import type { StoreClient, StoreDescription } from '../ports/store-client.ts';
import { answerWithin } from './answer-within.ts';

type Shop = Parameters<OpenStore>[0];
type Ask<Answer> = (client: StoreClient, signal: AbortSignal) => Promise<Answer>;

/** Asks a store while somebody waits. @throws Fault store_unavailable.no_answer when it takes too long */
export function askStore<Answer>(openStore: OpenStore, shop: Shop, signal: AbortSignal, ask: Ask<Answer>) {
  const late = () => new Fault('store_unavailable.no_answer', { domain: shop.domain });
  return answerWithin(signal, late, async (within) => ask(await openStore(shop), within));
}

/** The store as it says it is: a secret is only kept once the store has taken it. */
export async function describeStore(
  openStore: OpenStore,
  shop: Shop,
  place: string | undefined,
  signal: AbortSignal,
) {
  const ask: Ask<StoreDescription> = (client, within) => client.describe(place, within);
  const { name, currency, location } = await askStore(openStore, shop, signal, ask);
  return { name, currency, location_id: location.id, location_name: location.name };
}
