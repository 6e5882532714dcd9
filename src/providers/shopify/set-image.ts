import { z } from 'zod';
import type { ImageOutcome, Refusal } from '../../sync/ports/store-client.ts';
import { copyName, isCopyOf, type ProductImage } from '../../sync/ports/store-images.ts';
import { LIST_MEDIA, SET_MEDIA } from './operations.ts';
import { UserErrors } from './read-reply.ts';
import type { Shop } from './shop-client.ts';

const Media = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      mediaErrors: z.array(z.object({ code: z.string(), message: z.string() })),
      preview: z.object({ image: z.object({ url: z.string() }).nullable() }).nullable(),
    }),
  ),
});
type Picture = z.output<typeof Media>['nodes'][number];

const Listed = z.object({ productByIdentifier: z.object({ media: Media }).nullable() });
const Answer = z.object({ productSet: z.object({ userErrors: UserErrors }) });

/** How long the store may process a picture, asked after each of these; a run then goes on without its address. */
const PROCESSING_MS = [250, 500, 1000, 2000, 4000, 8000, 15_000];

/**
 * Makes a picture the first of a product; those that it had stay behind it. The store fetches it from its address and keeps a
 * copy, which takes it a moment. A picture that the product has already only moves to the front: an earlier attempt has sent
 * it, or an undo wants it back. One that the store cannot process is taken off again, and no other.
 *
 * `productSet` has no key, but repeating it repeats nothing: it says which files there are.
 */
export async function setImage(
  shop: Shop,
  productId: string,
  image: ProductImage,
  signal: AbortSignal,
): Promise<ImageOutcome> {
  const before = await settled(shop, productId, signal);
  const known = before.find(({ preview }) => isSame(preview?.image?.url, image));
  const others = before.filter(({ id }) => id !== known?.id).map(({ id }) => ({ id }));
  if (known && known === before[0]) return { url: known.preview?.image?.url ?? null };
  const own = known ? { id: known.id } : fileInput(image);
  const refusal = await setFiles(shop, productId, [own, ...others], signal);
  if (refusal) return { refusal };
  const after = await settled(shop, productId, signal);
  const ours = known ? after.find(({ id }) => id === known.id) : addedIn(after, before, image);
  return ours ? processed(shop, productId, { ours, after, signal }) : { url: null };
}

/** A picture that the store is to fetch. */
export function fileInput(image: ProductImage) {
  const filename = copyName(image);
  return { originalSource: image.source, contentType: 'IMAGE', ...(filename && { filename }) };
}

/** How the picture fared that a product was created with. Undefined: it is no longer there. */
export async function createdImage(
  shop: Shop,
  productId: string,
  image: ProductImage,
  signal: AbortSignal,
): Promise<ImageOutcome | undefined> {
  const after = await settled(shop, productId, signal);
  const ours = addedIn(after, [], image);
  return ours && processed(shop, productId, { ours, after, signal });
}

type Processed = {
  readonly ours: Picture;
  /** All that the product has. */
  readonly after: readonly Picture[];
  readonly signal: AbortSignal;
};

/** Takes a picture off again that the store could not process. */
async function processed(
  shop: Shop,
  productId: string,
  { ours, after, signal }: Processed,
): Promise<ImageOutcome> {
  if (ours.status !== 'FAILED') return { url: ours.preview?.image?.url ?? null };
  // Not those from before ours: processing takes a while, in which the merchant may have added pictures.
  const kept = after.filter(({ id }) => id !== ours.id).map(({ id }) => ({ id }));
  await setFiles(shop, productId, kept, signal);
  const [error] = ours.mediaErrors;
  return { refusal: error ?? { code: 'UNKNOWN', message: 'The image could not be processed.' } };
}

/**
 * The picture that was sent. The merchant may have added pictures too, or put another first: ours has the address of its copy
 * or, while it has none, is the first of the new ones. Undefined: it is no longer there.
 */
function addedIn(
  after: readonly Picture[],
  before: readonly Picture[],
  image: ProductImage,
): Picture | undefined {
  const known = new Set(before.map(({ id }) => id));
  const added = after.filter(({ id }) => !known.has(id));
  const isOurs = ({ preview }: Picture) => isSame(preview?.image?.url, image);
  return added.find(isOurs) ?? added.find(({ preview }) => !preview?.image);
}

/** The address of the picture, if it is the first of the product; null where the store still processes it. */
export async function findImage(
  shop: Shop,
  productId: string,
  image: ProductImage,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  const [first] = await listMedia(shop, productId, signal);
  if (first && isPending(first)) return null;
  const url = first?.preview?.image?.url;
  return isSame(url, image) ? url : undefined;
}

function isSame(url: string | undefined, { text, source }: ProductImage): boolean {
  return url !== undefined && (url === source || isCopyOf(url, text));
}

/** The pictures of a product once the store is done with them, or long after it should be. */
async function settled(shop: Shop, productId: string, signal: AbortSignal): Promise<readonly Picture[]> {
  for (const waitMs of PROCESSING_MS) {
    const pictures = await listMedia(shop, productId, signal);
    if (!pictures.some(isPending)) return pictures;
    await shop.clock.wait(waitMs, signal);
  }
  return listMedia(shop, productId, signal);
}

function isPending({ status }: Picture): boolean {
  return status === 'UPLOADED' || status === 'PROCESSING';
}

async function listMedia(shop: Shop, productId: string, signal: AbortSignal): Promise<readonly Picture[]> {
  const variables = () => ({ identifier: { id: productId } });
  const { productByIdentifier } = await shop.request(
    { query: LIST_MEDIA, variables, response: Listed },
    signal,
  );
  return productByIdentifier?.media.nodes ?? [];
}

async function setFiles(
  shop: Shop,
  productId: string,
  files: readonly object[],
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const variables = () => ({ identifier: { id: productId }, input: { files } });
  const query = { query: SET_MEDIA, variables, response: Answer };
  const [error] = (await shop.request(query, signal)).productSet.userErrors;
  return error && { code: error.code ?? 'UNKNOWN', message: error.message };
}
