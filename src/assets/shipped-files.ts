import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { PublicContent } from './assets.ts';
import { type VariantStore, variantKey } from './variants.ts';

/** A picture that is part of the product. */
export type ShippedPicture = { readonly sha256: string; readonly mediaType: string; readonly file: URL };

/** They belong to no account. */
const OWNER = 'shipped';
/** A variant has a few kilobytes. */
const MAX_VARIANTS = 200;

export const isShipped = ({ accountId }: Pick<PublicContent, 'accountId'>): boolean => accountId === OWNER;

/** Pictures that come with the product: they have public addresses as assets do, and count toward no account's storage. */
export function createShippedFiles(pictures: readonly ShippedPicture[]) {
  const bySha256 = new Map(pictures.map((picture) => [picture.sha256, picture]));
  return {
    async find(sha256: string): Promise<PublicContent | undefined> {
      const picture = bySha256.get(sha256);
      if (!picture) return undefined;
      const { size } = await stat(picture.file);
      return {
        ...{ accountId: OWNER, sha256, type: 'image', media_type: picture.mediaType, bytes: size },
        read: async (range) => ({ size, stream: createReadStream(picture.file, range) }),
      };
    },
  };
}

/** Keeps the latest variants in memory: those of a few small pictures. */
export function createMemoryVariants(): VariantStore {
  const kept = new Map<string, Buffer>();
  return {
    find: async (accountId, name) => kept.get(variantKey(accountId, name)),
    async save(accountId, name, bytes) {
      kept.set(variantKey(accountId, name), bytes);
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size > MAX_VARIANTS) kept.delete(oldest);
    },
  };
}
