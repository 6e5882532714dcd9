import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Blobs } from '../../platform/blobs/blobs.ts';
import type { Composition, CompositionAsset } from './composition.ts';

const Spoken = z.object({ start: z.number(), end: z.number(), text: z.string() });

/** A composition without the bytes of its assets; their media types by key. */
const Document = z.object({
  width: z.int(),
  height: z.int(),
  fps: z.number(),
  frames: z.int(),
  html: z.string(),
  scripts: z.boolean(),
  tracks: z.array(
    z.object({
      source: z.string(),
      start: z.number(),
      volume: z.number(),
      fadeIn: z.number(),
      fadeOut: z.number(),
      loop: z.boolean(),
      duck: z.boolean(),
      from: z.number().optional(),
      to: z.number().optional(),
      speed: z.number().optional(),
      until: z.number().optional(),
      clip: z.object({ delay: z.number(), duration: z.number(), zero: z.number() }).optional(),
    }),
  ),
  loudness: z.number().optional(),
  captions: z.array(Spoken.extend({ words: z.array(Spoken).optional() })),
  transparent: z.literal(true).optional(),
  assets: z.record(z.string(), z.string()),
});

const BLOB_CONCURRENCY = 8;

/** Stores compositions as blobs under a key prefix: one per asset, and a document that names them. */
export function createStoredCompositions(blobs: Blobs) {
  return {
    /** @throws Fault as `Blobs.put` */
    async keep(prefix: string, composition: Composition): Promise<void> {
      const { assets, ...page } = composition;
      await forEachBounded([...assets], ([key, { bytes }]) => blobs.put(`${prefix}/${key}`, bytes));
      const types = Object.fromEntries([...assets].map(([key, { mediaType }]) => [key, mediaType]));
      // Written last: when the document exists, all assets do.
      await blobs.put(documentOf(prefix), Buffer.from(JSON.stringify({ ...page, assets: types })));
    },

    /** Returns undefined when it is missing or incomplete. @throws Fault as `Blobs.open` */
    async load(prefix: string): Promise<Composition | undefined> {
      const document = await readDocument(prefix);
      if (!document) return undefined;
      const { assets: types, ...page } = document;
      const found = new Map<string, CompositionAsset>();
      await forEachBounded(Object.entries(types), async ([key, mediaType]) => {
        const bytes = await read(`${prefix}/${key}`);
        if (bytes) found.set(key, { bytes, mediaType });
      });
      // In document order, whichever was read first.
      const assets = new Map(Object.keys(types).flatMap((key) => entry(key, found.get(key))));
      return assets.size === Object.keys(types).length ? { ...page, assets } : undefined;
    },

    async remove(prefix: string): Promise<void> {
      const document = await readDocument(prefix);
      await forEachBounded(Object.keys(document?.assets ?? {}), (key) => blobs.delete(`${prefix}/${key}`));
      await blobs.delete(documentOf(prefix));
    },
  };

  async function readDocument(prefix: string): Promise<z.output<typeof Document> | undefined> {
    const bytes = await read(documentOf(prefix));
    return bytes && Document.parse(JSON.parse(bytes.toString()));
  }

  async function read(key: string): Promise<Buffer | undefined> {
    const blob = await blobs.open(key);
    return blob && buffer(blob.stream);
  }
}

function documentOf(prefix: string): string {
  return `${prefix}/composition.json`;
}

function entry(key: string, asset: CompositionAsset | undefined): [string, CompositionAsset][] {
  return asset ? [[key, asset]] : [];
}

async function forEachBounded<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += BLOB_CONCURRENCY)
    await Promise.all(items.slice(at, at + BLOB_CONCURRENCY).map(work));
}
