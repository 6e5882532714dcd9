import type { ShopSnapshot } from '../../../src/emulators/shopify/records.ts';
import type { Canonical, StoreField } from '../../../src/sync/values/field.ts';
import { sheetCell } from '../../../src/sync/values/value.ts';
import { someValue, type Values } from './goods.ts';
import { TAB, type World } from './world.ts';

/**
 * What buyers, the merchant and the keeper of the sheet do, and the values both sides must end with:
 * quantities add up, every other field changes on one side only.
 */
export function createPeople(world: World) {
  const { lane, book, chance, direction, fields } = world;
  const { shop } = lane;
  /** What the store would have if nothing was ever synced. */
  const store = world.store();
  const listed = new Set(world.sheet().map(({ sku }) => sku));
  /** What a SKU is to have on both sides. */
  const truth = new Map([...store].map(([sku, values]) => [sku, { ...values }]));
  /** Units sold in the store, by SKU, since a reader last cleared this map. */
  const sold = new Map<string, number>();
  const owners = new Map<string, 'store' | 'sheet'>();
  /** Rows in which people have typed. */
  const typed = new Set<string>();

  const deeds = {
    sell: (sku: string) => sell(sku, chance.between(1, 9)),
    restock: (sku: string) => sell(sku, -chance.between(1, 90)),
    edit: (sku: string) => editStore(sku, chance.pick(fields)),
    type: (sku: string) => type(sku, chance.pick(fields)),
    sort: () => {
      const how = { from: world.header + 1, descending: chance.happens(0.5) };
      book.sortRows(TAB, world.columns.indexOf('sku'), how);
    },
    insert: () => book.insertRow(TAB, world.header + chance.between(1, 5)),
  };

  return {
    truth,
    sold,
    store,
    /** Whether the sheet had it at the beginning. */
    isListed: (sku: string) => listed.has(sku),
    /**
     * Deletes a row in which no one has typed: the next run appends it again, without its note. Not where the sheet is
     * right: what the store then has depends on whether its row was read before.
     */
    deleteRow(): void {
      if (direction === 'sheet_to_store') return;
      const sku = chance.pick([...truth.keys()]);
      const row = world.rowOf(sku);
      if (row === undefined || typed.has(sku) || world.noteAt(row) !== `note of ${sku}`) return;
      book.deleteRow(TAB, row);
      listed.delete(sku);
    },
    /** One thing that somebody does. */
    act(where: keyof typeof DEEDS): void {
      const sku = chance.pick([...truth.keys()]);
      deeds[chance.pick(DEEDS[where])](sku);
    },
  };

  function sell(sku: string, count: number): void {
    shop.sell(sku, count);
    sold.set(sku, (sold.get(sku) ?? 0) + count);
    add(store.get(sku), -count);
    if (direction !== 'sheet_to_store') add(truth.get(sku), -count);
  }

  function editStore(sku: string, field: StoreField): void {
    if (field === 'inventory_quantity' || !owns('store', sku, field)) return;
    const mayClear = field === 'barcode' && direction !== 'sheet_to_store' && chance.happens(0.2);
    const value = mayClear ? null : someValue(field, chance);
    for (const one of field === 'title' ? siblings(sku) : [sku]) {
      set(store.get(one), field, value);
      if (direction !== 'sheet_to_store') set(truth.get(one), field, value);
    }
    shop.restore(changed(shop.snapshot(), sku, field, value));
  }

  function type(sku: string, field: StoreField): void {
    const quantity = field === 'inventory_quantity' ? chance.pick(RECEIVED) : undefined;
    if (quantity === undefined && !owns('sheet', sku, field)) return;
    const value = someValue(field, chance);
    for (const one of field === 'title' ? siblings(sku) : [sku]) {
      const row = world.rowOf(one);
      // A product has one title, also for a variant that the sheet does not list.
      if (row === undefined && field === 'title' && direction === 'two_way')
        set(truth.get(one), field, value);
      if (row === undefined) continue;
      const at = world.at(row, field);
      const now = Number(book.cell(TAB, at));
      const to =
        quantity === undefined ? value : String(now + quantity < LEAST ? now + LEAST : now + quantity);
      book.type(TAB, at, sheetCell(field, to));
      typed.add(one);
      if (direction === 'two_way' && quantity !== undefined) add(truth.get(one), Number(to) - now);
      else if (direction !== 'store_to_sheet') set(truth.get(one), field, to);
    }
  }

  /** Both sides changing one cell is a conflict, which is another test's. */
  function owns(side: 'store' | 'sheet', sku: string, field: StoreField): boolean {
    if (direction !== 'two_way') return true;
    const name = `${field === 'title' ? siblings(sku)[0] : sku} ${field}`;
    const owner = owners.get(name) ?? chance.pick(['store', 'sheet'] as const);
    owners.set(name, owner);
    return owner === side;
  }

  function siblings(sku: string): string[] {
    const all = shop.variants();
    const product = all.find((variant) => variant.sku === sku)?.productId;
    return all.filter(({ productId }) => productId === product).map((variant) => variant.sku ?? '');
  }
}

/**
 * Quantities received in the sheet: thousands, more than the sales ever add up to. If both sides changed a
 * quantity by the same amount, the two changes would look like one.
 */
const RECEIVED = [1_000, 2_000, 3_000, -1_000] as const;
const LEAST = 2_000;

const IN_STORE = ['sell', 'sell', 'sell', 'restock', 'edit'] as const;
const IN_CELLS = [...IN_STORE, 'type', 'type', 'type', 'type'] as const;

/** What is done where, the more often the more times it stands here. `rows`: the rows of the sheet are moved, too. */
const DEEDS = {
  sales: ['sell'],
  store: IN_STORE,
  cells: IN_CELLS,
  rows: [...IN_CELLS, 'sort', 'insert'],
} as const;

function add(values: Values | undefined, count: number): void {
  if (values) values.inventory_quantity = String(Number(values.inventory_quantity) + count);
}

function set(values: Values | undefined, field: StoreField, value: Canonical): void {
  if (values) values[field] = value;
}

function changed(snapshot: ShopSnapshot, sku: string, field: StoreField, value: Canonical): ShopSnapshot {
  const item = snapshot.items.find((one) => one.sku === sku);
  const variant = snapshot.variants.find(({ itemId }) => itemId === item?.id);
  const product = snapshot.products.find(({ id }) => id === variant?.productId);
  if (!item || !variant || !product) throw new Error(`no SKU ${sku}`);
  const edits: Partial<Record<StoreField, () => void>> = {
    title: () => (product.title = value ?? ''),
    price: () => (variant.price = value ?? ''),
    barcode: () => (variant.barcode = value),
    taxable: () => (variant.taxable = value === 'true'),
    requires_shipping: () => (item.requiresShipping = value === 'true'),
    weight: () => (item.weight = { value: Number(value), unit: item.weight?.unit ?? 'GRAMS' }),
    grams: () => (item.weight = { value: Number(value), unit: 'GRAMS' }),
  };
  edits[field]?.();
  return snapshot;
}
