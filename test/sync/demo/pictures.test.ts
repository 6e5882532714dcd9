import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { SCOPES } from '../../../src/identity/caller.ts';
import { DEMO_PICTURES } from '../../../src/sync/demo/pictures.ts';
import { useTools } from '../../support/app.ts';
import { useSyncDemo } from '../../support/sync-demo.ts';
import { DRAWINGS } from './pictures/drawings.ts';

const demo = useSyncDemo();
const MAX_BYTES = 12_000;
const NOT_EXPIRING = 'public, max-age=31536000, immutable';

type Product = { readonly title: string; readonly handle: string; readonly image: string };

async function products(): Promise<{ store: string; items: Product[] }> {
  const { body } = await demo.connectStore();
  const store = String(body['id']);
  const listed = await demo.rest('GET', `/sync/store/${store}/products?limit=50`);
  return { store, items: listed.body['items'] as Product[] };
}

const caller = () => ({
  ...{ accountId: demo.accountId, actor: 'test', scopes: SCOPES },
  via: 'api_key' as const,
});

/** The server of a test listens at another port than its configuration says. */
const served = (address: string) => `${demo.url}${new URL(address).pathname}`;

test('every drawing is a picture of the product, by its hash', async () => {
  expect([...DEMO_PICTURES.keys()]).toEqual(Object.keys(DRAWINGS));
  for (const { file, sha256 } of DEMO_PICTURES.values())
    expect(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ).toBe(sha256);
});

test('every product of the demo store brings a picture of its own, which is cached for a year and is in no library', async () => {
  const { items } = await products();
  const addresses = items.map(({ image }) => image);
  expect([addresses.length, new Set(addresses).size]).toEqual([24, 24]);
  for (const address of addresses) {
    const answer = await fetch(served(address), { headers: { 'sec-fetch-site': 'cross-site' } });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      ...[200, 'image/webp', NOT_EXPIRING],
    ]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBeLessThanOrEqual(MAX_BYTES);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 480, height: 480 });
  }
  const library = await demo.rest('GET', '/v1/assets');
  expect(library.body['items']).toEqual([]);
});

test('a picture has other sizes and formats, ranges and an ETag, as assets have', async () => {
  const { items } = await products();
  const address = served(items[0]?.image ?? '');
  const small = await fetch(`${address}?w=200&format=png`);
  expect(await sharp(Buffer.from(await small.arrayBuffer())).metadata()).toMatchObject({
    ...{ format: 'png', width: 200, height: 200 },
  });
  const whole = await fetch(address);
  const bytes = Buffer.from(await whole.arrayBuffer());
  const part = await fetch(address, { headers: { range: 'bytes=4-11' } });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(4, 12)]);
  const known = await fetch(address, { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } });
  expect(known.status).toBe(304);
});

test('a sync brings the address of the picture to the sheet, as it stands in the store', async () => {
  const { items } = await products();
  await demo.connectSheet();
  await demo.app.sync.start();
  const call = useTools(demo.app, caller());
  const [store] = (await call('list_stores', {}))['items'] as { id: string }[];
  const [sheet] = (await call('list_sheets', {}))['items'] as { id: string }[];
  const mappings = [
    { sheet_column: 'SKU', store_field: 'sku' },
    { sheet_column: 'Picture', store_field: 'image' },
  ];
  const pair = { store_id: store?.id, sheet_id: sheet?.id, direction: 'store_to_sheet' };
  const config = await call('create_sync_config', { ...pair, mappings, add_columns: true });
  const run = await call('run_sync', { config_id: config['id'] });
  expect(run).toMatchObject({ status: 'succeeded', errors: [{ code: 'column_added' }] });
  const { items: changes } = await call('list_sync_changes', { run_id: run['run_id'], limit: 200 });
  const pictures = (changes as { field: string; to: string }[]).filter(({ field }) => field === 'image');
  const [header, ...cells] = new Set(pictures.map(({ to }) => to));
  expect(header).toBe('Picture');
  expect(new Set(cells.map(served))).toEqual(new Set(items.map(({ image }) => image)));
});

test('a video of a product of the demo store shows its picture', { timeout: 120_000 }, async () => {
  const { store } = await products();
  const call = useTools(demo.app, caller());
  const reference = `product:${store}/stoneware-mug`;
  const file = await readFile(DEMO_PICTURES.get('stoneware-mug')?.file ?? '');
  const frameOf = async (image: object) => {
    const data = { name: `${reference}#title`, price: `${reference}#price`, ...image };
    const size = { duration: 2, width: 270, height: 480 };
    const { id } = await call('create_video', { title: 'Mug', template: 'product', ...size, data });
    const moment = { seconds: 1, type: 'png', signal: AbortSignal.timeout(60_000) } as const;
    return Buffer.from(await demo.app.videos.frame(demo.accountId, String(id), moment)).toString('base64');
  };
  const shown = await frameOf({ image: `${reference}#image` });
  expect(shown === (await frameOf({ image: `data:image/webp;base64,${file.toString('base64')}` }))).toBe(
    true,
  );
  expect(shown === (await frameOf({}))).toBe(false);
});
