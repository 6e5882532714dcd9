import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductSeed } from '../../../src/emulators/shopify/records.ts';
import { createShopifyEmulator } from '../../../src/emulators/shopify/shopify.ts';
import { type Direction, SyncSettings } from '../../../src/sync/config.ts';
import type { Cell } from '../../../src/sync/ports/sheet-client.ts';
import { createThrottleStore } from '../../../src/sync/throttle-repo.ts';
import { createVirtualClock } from '../../faults/sync-worlds/clock.ts';
import { caller, type Engine, openEngine } from '../../faults/sync-worlds/engine.ts';
import { createLane, type Lane } from '../../faults/sync-worlds/lane.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let engine: Engine;
let lane: Lane;
beforeAll(async () => {
  const clock = createVirtualClock();
  database = await openTestDatabase();
  engine = await openEngine(database, clock.date);
  lane = createLane(0, clock, createThrottleStore(database.sql, clock.date));
});
afterAll(async () => {
  await engine.close();
  await database.close();
});

const OLD = 'https://cdn.shopify.com/s/files/1/0123/4567/files/old.png?v=1';
const NEW = 'https://pictures.example/catalog/new%20mug.png?size=large';
const COPY =
  /^https:\/\/cdn\.shopify\.com\/s\/files\/1\/0123\/4567\/files\/new-20mug-[0-9a-f]{16}(?:_[0-9a-f-]{36})?\.png\?v=\d+$/;
const MUG: ProductSeed = { title: 'Mug', image: OLD, variants: [{ sku: 'A' }, { sku: 'B' }] };
const ASSETS = new Map([['mug.png', { url: 'https://shop.example/a/0f/mug.png' }]]);

let worlds = 0;

async function open(rows: readonly Cell[][], direction: Direction = 'two_way', products = [MUG]) {
  worlds += 1;
  const id = `images${worlds}`;
  lane.shop.restore(createShopifyEmulator({ shop: { currency: 'EUR', products } }).snapshot());
  const tabs = [{ title: 'Sheet1', rows: [['sku', 'title', 'image'], ...rows] }];
  const book = lane.google.book(id, { tabs });
  const settings = SyncSettings.parse({
    direction,
    mappings: ['sku', 'title', 'image'].map((field) => ({ sheet_column: field, store_field: field })),
    options: {
      create_products: true,
      safety_limits: { changed_percent: 100, zeroed_percent: 100, shrunk_percent: 100, price_percent: 100 },
    },
  });
  const sides = async () => ({
    store: await lane.store(),
    sheet: await lane.sheet(id),
    locationId: lane.shop.locations()[0]?.id ?? '',
    currency: 'EUR',
    tab: { title: 'Sheet1', id: 0 },
    addressesOf: async () => ASSETS,
  });
  await engine.join(id, { settings, sides });
  const run = () => engine.run(id);
  return {
    run,
    type: (cell: string, value: Cell) => book.type('Sheet1', cell, value),
    images: () =>
      book
        .rows('Sheet1')
        .slice(1)
        .map(([, , image]) => image),
    /** A run, and how often it wrote. */
    async writes() {
      const before = lane.made.store + lane.made.sheet;
      const { status, errors } = await run();
      expect([status, errors]).toEqual(['succeeded', []]);
      return lane.made.store + lane.made.sheet - before;
    },
  };
}

const pictures = (sku = 'A') => lane.shop.pictures(sku);

test('an address in a cell becomes the first picture, every row gets the address of the store’s copy, and the next run writes nothing', async () => {
  const { run, type, images, writes } = await open([
    ['A', 'Mug', OLD],
    ['B', 'Mug', OLD],
  ]);
  await run();
  type('C2', NEW);
  type('C3', NEW);
  expect((await run()).errors).toEqual([]);
  expect(pictures()).toEqual([expect.stringMatching(COPY), OLD]);
  expect(images()).toEqual([pictures()[0], pictures()[0]]);
  expect(await writes()).toBe(0);
});

test('where the sheet is right, the cell keeps its address, and the next run writes nothing', async () => {
  const { run, images, writes } = await open([['A', 'Mug', NEW]], 'sheet_to_store');
  expect((await run()).errors).toEqual([]);
  expect(pictures()).toEqual([expect.stringMatching(COPY), OLD]);
  expect(images()).toEqual([NEW]);
  expect(await writes()).toBe(0);
});

test('a picture that the merchant changes comes to the sheet, and is not one of ours', async () => {
  const { run, images, writes } = await open([['A', 'Mug', OLD]]);
  await run();
  const other = OLD.replace('old', 'other');
  lane.shop.setPicture('A', other);
  await run();
  expect(images()).toEqual([other, other]);
  expect(await writes()).toBe(0);
});

test('a reference to a file of the account is sent as its public address', async () => {
  const { run, images, writes } = await open([['A', 'Mug', 'asset:mug.png']], 'sheet_to_store');
  await run();
  expect(pictures()[0]).toMatch(/\/mug-[0-9a-f]{16}\.png\?v=/);
  expect(images()).toEqual(['asset:mug.png']);
  expect(await writes()).toBe(0);
});

test('a picture that the store cannot fetch, a file that is not there and an address without an extension are errors of their rows', async () => {
  const plates = ['C', 'D'].map(
    (sku): ProductSeed => ({ title: `Plate ${sku}`, image: OLD, variants: [{ sku }] }),
  );
  const { run } = await open(
    [
      ['A', 'Mug', 'https://pictures.example/broken.png'],
      ['C', 'Plate C', 'asset:gone.png'],
      ['D', 'Plate D', 'https://pictures.example/latest'],
    ],
    'sheet_to_store',
    [MUG, ...plates],
  );
  const { errors } = await run();
  expect(errors.map(({ key, row, params }) => [key, row, params])).toEqual([
    ['invalid_value', 4, { value: 'https://pictures.example/latest', expected: 'expected.image' }],
    ['image_failed', 2, { reason: 'The image could not be downloaded.' }],
    ['image_not_found', 3, { reference: 'asset:gone.png' }],
  ]);
  expect([pictures(), pictures('C'), pictures('D')]).toEqual([[OLD], [OLD], [OLD]]);
});

test('a picture that cannot be processed is taken off again, and those that the merchant has added since stay', async () => {
  const added = OLD.replace('old', 'added');
  const { run } = await open([['A', 'Mug', 'https://pictures.example/broken.png']], 'sheet_to_store');
  whileProcessing(() => lane.shop.addPicture('A', added));
  const { errors } = await run();
  expect(errors).toMatchObject([{ key: 'image_failed', row: 2 }]);
  expect(pictures()).toEqual([OLD, added]);
});

test('a picture that the merchant put first during the run is not taken for ours, and comes to the sheet', async () => {
  const other = OLD.replace('old', 'other');
  const { run, type, images, writes } = await open([
    ['A', 'Mug', OLD],
    ['B', 'Mug', OLD],
  ]);
  await run();
  type('C2', NEW);
  type('C3', NEW);
  whileProcessing(() => lane.shop.setPicture('A', other));
  await run();
  expect(pictures()).toEqual([other, expect.stringMatching(COPY), OLD]);
  expect(images()).toEqual([pictures()[1], pictures()[1]]);
  await run();
  expect(images()).toEqual([other, other]);
  expect(await writes()).toBe(0);
});

/** Once, when the store is asked for the pictures that it has been sent. */
function whileProcessing(happens: () => void, sentBy = 'SetMedia'): void {
  let isSent = false;
  lane.shop.faults.push(({ operation }) => {
    if (operation === `Stallhand${sentBy}`) isSent = true;
    if (!isSent || operation !== 'StallhandMedia') return undefined;
    happens();
    return { slow: 0 };
  });
}

test('a product is created with its picture, whose cell then has the address of the store’s copy', async () => {
  const { run, images, writes } = await open([
    ['A', 'Mug', OLD],
    ['B', 'Mug', OLD],
    ['N', 'New', NEW],
  ]);
  expect((await run()).errors).toEqual([]);
  expect(pictures('N')).toEqual([expect.stringMatching(COPY)]);
  expect(images()).toEqual([OLD, OLD, pictures('N')[0]]);
  expect(await writes()).toBe(0);
});

test('a picture that the merchant gives a product at the moment it is created stays its first, and comes to the sheet', async () => {
  const other = OLD.replace('old', 'other');
  const { run, images, writes } = await open([['N', 'New', NEW]]);
  whileProcessing(() => lane.shop.setPicture('N', other), 'CreateProduct');
  await run();
  expect(pictures('N')).toEqual([other, expect.stringMatching(COPY)]);
  await run();
  expect(images()).toContain(other);
  expect(await writes()).toBe(0);
});

test('a product is created without a picture that the store cannot fetch, which is an error of its row', async () => {
  const { run } = await open([['N', 'New', 'https://pictures.example/broken.png']]);
  expect((await run()).errors).toMatchObject([{ key: 'image_failed', row: 2 }]);
  expect(pictures('N')).toEqual([]);
});

test('undo puts the old picture first again', async () => {
  const { run, type } = await open([
    ['A', 'Mug', OLD],
    ['B', 'Mug', OLD],
  ]);
  await run();
  type('C2', NEW);
  type('C3', NEW);
  const changed = await run();
  const undone = await engine.ended(await engine.runs.revert(caller, changed.id));
  expect([undone.status, undone.errors]).toEqual(['succeeded', []]);
  expect(pictures()[0]).toBe(OLD);
  const { status } = await run();
  expect([status, pictures()[0]]).toEqual(['succeeded', OLD]);
});

test('an answer that is lost leaves one picture, not two', async () => {
  const { run, type, images, writes } = await open([
    ['A', 'Mug', OLD],
    ['B', 'Mug', OLD],
  ]);
  await run();
  type('C2', NEW);
  type('C3', NEW);
  let lost = 0;
  lane.shop.faults.push(({ operation }) => (operation === 'StallhandSetMedia' ? lose() : undefined));
  function lose() {
    lost += 1;
    return 'drop_after' as const;
  }
  await run();
  expect(lost).toBeGreaterThan(0);
  expect(pictures()).toEqual([expect.stringMatching(COPY), OLD]);
  expect(images()).toEqual([pictures()[0], pictures()[0]]);
  expect(await writes()).toBe(0);
});
