import type { Stripe } from 'stripe';

const CACHE_TTL_MS = 5 * 60_000;
const PAGE_SIZE = 100;
const MAX_ITEMS = 1000;

/** The configurations that `npm run billing -- push` made, by their keys, kept for five minutes. */
export function createPortalConfigurations(now = Date.now) {
  let kept: { readonly ids: Promise<ReadonlyMap<string, string>>; readonly until: number } | undefined;

  async function list({ billingPortal }: Stripe): Promise<ReadonlyMap<string, string>> {
    const found = await billingPortal.configurations
      .list({ active: true, limit: PAGE_SIZE })
      .autoPagingToArray({ limit: MAX_ITEMS });
    return new Map(
      found.flatMap(({ id, metadata }) => {
        const key = metadata?.['catalogue_key'];
        return key === undefined ? [] : [[key, id] as const];
      }),
    );
  }

  return {
    /** Undefined before the first push: the account's default configuration then holds. */
    async find(stripe: Stripe, key: string): Promise<string | undefined> {
      if (!kept || kept.until <= now()) {
        const asked = { ids: list(stripe), until: now() + CACHE_TTL_MS };
        kept = asked;
        // A failure is not kept.
        asked.ids.catch(() => {
          if (kept === asked) kept = undefined;
        });
      }
      return (await kept.ids).get(key);
    },
  };
}
