import { createHash, randomUUID } from 'node:crypto';
import { type UserError, userError } from './faults.ts';
import type { MediaFault, MediaRecord, ProductRecord } from './records.ts';
import type { Shop } from './shop.ts';

/** A file of a product: one that it has, or one to be fetched. */
export type FileInput = {
  readonly id?: string | null;
  readonly originalSource?: string | null;
  readonly filename?: string | null;
};

export type MediaOptions = {
  readonly shop: Shop;
  readonly now: () => number;
  /** How long the shop processes a picture. */
  readonly processingMs: number;
  /** Why a picture cannot be fetched or read; undefined: it can. */
  readonly faultOf: (source: string) => MediaFault | undefined;
  /** The address of the shop's copy, by the name of its file. */
  readonly copyOf: (filename: string, source: string) => string;
  /** Where a picture is served that is kept by another name. */
  readonly addressOf: (kept: string) => string;
};

const MAX_MEDIA = 250;

export type Media = ReturnType<typeof createMedia>;

/** The pictures of products. They are processed for a while before they have an address, or they fail. */
export function createMedia({ shop, now, processingMs, faultOf, copyOf, addressOf }: MediaOptions) {
  const isDone = ({ readyAt }: MediaRecord) => readyAt <= now();
  const hasFailed = (media: MediaRecord) => isDone(media) && media.fault !== undefined;

  function view(media: MediaRecord): object {
    const status = !isDone(media) ? 'PROCESSING' : media.fault ? 'FAILED' : 'READY';
    return {
      __typename: 'MediaImage',
      id: media.id,
      status,
      mediaErrors: hasFailed(media) ? [media.fault] : [],
      preview: { image: status === 'READY' ? { url: addressOf(media.url) } : null },
    };
  }

  function made({ originalSource, filename }: FileInput): MediaRecord {
    const source = originalSource ?? '';
    const fault = faultOf(source);
    const name = unusedName(filename ?? nameIn(source));
    const url = copyOf(name, source);
    return { id: shop.newMediaId(), url, readyAt: now() + processingMs, ...(fault && { fault }) };
  }

  /** A name that is in use gets a UUID, as by APPEND_UUID. */
  function unusedName(name: string): string {
    const isUsed = shop.products().some((product) => mediaOf(product).some(({ url }) => url.includes(name)));
    return isUsed ? name.replace(/(\.\w+)$/, `_${randomUUID()}$1`) : name;
  }

  return {
    view,
    /** What a picture that is asked for by its product shows; null: it has none. */
    featured(product: ProductRecord): object | null {
      const [first] = mediaOf(product);
      return first ? view(first) : null;
    },
    all: (product: ProductRecord) => mediaOf(product).map(view),

    faultOf(product: ProductRecord, files: readonly FileInput[]): UserError | undefined {
      if (files.length > MAX_MEDIA)
        return userError(['input', 'files'], 'INVALID_INPUT', 'The product has too many media.');
      const known = new Set(mediaOf(product).map(({ id }) => id));
      return files.map((file, nth) => fileFault(file, nth, known)).find(Boolean);
    },

    /** The product has these files from now on, in this order. */
    set(product: ProductRecord, files: readonly FileInput[]): void {
      const before = new Map(mediaOf(product).map((media) => [media.id, media]));
      product.media = files.map((file) => before.get(file.id ?? '') ?? made(file));
    },
  };
}

function fileFault(
  { id, ...file }: FileInput,
  nth: number,
  known: ReadonlySet<string>,
): UserError | undefined {
  const at = ['input', 'files', String(nth)];
  if (id)
    return known.has(id) ? undefined : userError([...at, 'id'], 'NOT_FOUND', 'The file does not exist.');
  const { originalSource, filename } = file;
  const source = originalSource ?? '';
  if (!/^https?:\/\//.test(source))
    return userError([...at, 'originalSource'], 'INVALID_INPUT', 'Invalid image source url value provided');
  if (!filename || extensionOf(filename) === extensionOf(nameIn(source))) return undefined;
  const message = 'Cannot create file with custom filename which does not match original source extension.';
  return userError([...at, 'filename'], 'INVALID_INPUT', message);
}

/** The pictures of a product; of a seed, or of a shop that was saved before, its one. */
export function mediaOf({ id, image, media }: ProductRecord): readonly MediaRecord[] {
  if (media) return media;
  const number = id.slice(id.lastIndexOf('/') + 1);
  return image ? [{ id: `gid://shopify/MediaImage/${number}`, url: image, readyAt: 0 }] : [];
}

/** As a shop has it where the file's name is all that is known of it. */
export function cdnAddress(filename: string): string {
  const version = Number.parseInt(createHash('sha256').update(filename).digest('hex').slice(0, 7), 16);
  return `https://cdn.shopify.com/s/files/1/0123/4567/files/${filename}?v=${version}`;
}

function nameIn(source: string): string {
  const path = URL.canParse(source) ? new URL(source).pathname : '';
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
}

function extensionOf(name: string): string {
  return /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}
