import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Fault } from '../errors.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Pictures, VariantRequest } from './pictures.ts';
import type { VariantName } from './variant-repo.ts';
import * as variantRepo from './variant-repo.ts';

/** Sides are rounded up to these, so that a picture has few variants however it is asked for. In pixels. */
const VARIANT_SIDES = [
  16, 32, 48, 64, 96, 128, 160, 200, 256, 320, 400, 480, 600, 640, 750, 828, 960, 1080, 1200, 1440, 1600,
  1920, 2048, 2560,
] as const;

/** How many a content keeps, and how many bytes those of an account have. The oldest give way, and can be made again. */
const MAX_KEPT = { ofContent: 64, bytes: 512 * 1024 * 1024 };

type Pictured = {
  readonly accountId: string;
  readonly sha256: string;
  readonly media_type: string;
  read(): Promise<{ readonly stream: NodeJS.ReadableStream } | undefined>;
};

export type Variant = {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** Changes with the content and with what is asked of it. */
  readonly tag: string;
};

export const variantKey = (accountId: string, { sha256, spec }: VariantName): string =>
  `asset-variants/${accountId}/${sha256}/${spec}`;

/** Where variants are kept. */
export type VariantStore = {
  find(accountId: string, name: VariantName): Promise<Buffer | undefined>;
  save(accountId: string, name: VariantName, bytes: Buffer): Promise<void>;
};

/** Keeps the variants of an account's files as blobs. */
export function createBlobVariants({ sql, blobs }: { sql: Sql; blobs: Blobs }): VariantStore {
  return {
    async find(accountId, name) {
      const opened = await blobs.open(variantKey(accountId, name));
      return opened && buffer(opened.stream);
    },
    async save(accountId, name, bytes) {
      await blobs.put(variantKey(accountId, name), bytes);
      await variantRepo.insertVariant(sql, accountId, name, bytes.length);
      for (const old of await variantRepo.deleteExcess(sql, accountId, MAX_KEPT))
        await blobs.delete(variantKey(accountId, old));
    },
  };
}

/** Other sizes and formats of pictures, made once and kept for a while. */
export function createVariants({ store, pictures }: { store: VariantStore; pictures: Pictures }) {
  const making = new Map<string, Promise<Buffer>>();

  async function make(picture: Pictured, request: VariantRequest, name: VariantName): Promise<Buffer> {
    const { accountId, media_type: mediaType } = picture;
    const opened = await picture.read();
    if (!opened) throw new Fault('not_found.asset_content');
    const whole = await buffer(opened.stream);
    const made = await pictures.resize(whole, { mediaType, path: name.sha256 }, request, { accountId });
    await store.save(accountId, name, made);
    return made;
  }

  return {
    /** `whenNew` is called before one is made, and may throw. The same one is made once at a time. */
    async find(picture: Pictured, asked: VariantRequest, whenNew: () => Promise<void>): Promise<Variant> {
      const request = rounded(asked);
      const { accountId, sha256, media_type } = picture;
      if (!media_type.startsWith('image/')) throw new Fault('validation_failed.asset_variant');
      if (media_type === 'image/svg+xml' && request.format === undefined)
        throw new Fault('validation_failed.asset_svg_variant');
      const name = { sha256, spec: specOf(request) };
      const mediaType = request.format ? `image/${request.format}` : media_type;
      const key = variantKey(accountId, name);
      const kept = await store.find(accountId, name);
      const tag = hash('sha256', key).slice(0, 32);
      if (kept) return { bytes: kept, mediaType, tag };
      let pending = making.get(key);
      if (!pending) {
        await whenNew();
        pending = making.get(key) ?? make(picture, request, name);
        making.set(key, pending);
        const forget = () => making.delete(key);
        pending.then(forget, forget);
      }
      return { bytes: await pending, mediaType, tag };
    },
  };
}

function rounded({ w, h, ...rest }: VariantRequest): VariantRequest {
  return { ...rest, w: step(w), h: step(h) };
}

function step(side: number | undefined): number | undefined {
  return side === undefined ? undefined : (VARIANT_SIDES.find((one) => one >= side) ?? VARIANT_SIDES.at(-1));
}

/** Without both sides nothing is cut, so the fit makes no difference. */
function specOf({ w, h, fit, format }: VariantRequest): string {
  const parts = [w && `w${w}`, h && `h${h}`, w && h ? fit : '', format];
  return parts.filter(Boolean).join('-');
}
