import { createNotifiedCache } from '../platform/notified-cache.ts';
import type { Asset } from './asset.ts';

type AssetAddress = { readonly url: string; readonly bytes: number };
type Known = Map<string, AssetAddress | undefined>;

type AddressesDeps = {
  readonly resolve: (accountId: string, references: readonly string[]) => Promise<ReadonlyMap<string, Asset>>;
  /** Where people reach the server, without a slash at the end. */
  readonly origin: string;
};

const MAX_REFERENCES = 5_000;

/**
 * The public addresses that references stand for, of assets that an account has. They are remembered until its assets change,
 * so that the next rendering asks no database.
 */
export function createAddresses({ resolve, origin }: AddressesDeps) {
  const cache = createNotifiedCache<Known>({
    max: 1_000,
    ttlMs: 60_000,
    channels: ['assets'],
    payloadIsKey: true,
  });

  return {
    listeners: cache.listeners,
    forget: cache.invalidate,

    /** Undefined for a reference that names nothing. */
    async of(
      accountId: string,
      references: readonly string[],
    ): Promise<ReadonlyMap<string, AssetAddress | undefined>> {
      if ((await cache.get(accountId, async (): Promise<Known> => new Map())).size > MAX_REFERENCES)
        cache.invalidate(accountId);
      const known = await cache.get(accountId, async (): Promise<Known> => new Map());
      const unknown = references.filter((reference) => !known.has(reference));
      if (unknown.length === 0) return known;
      const found = await resolve(accountId, unknown);
      for (const reference of unknown) {
        const asset = found.get(reference);
        known.set(reference, asset && { url: `${origin}${asset.public_path}`, bytes: asset.bytes });
      }
      return known;
    },
  };
}
