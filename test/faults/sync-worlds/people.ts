import { type Canonical, canBeEmpty, isQuantity, type StoreField } from '../../../src/sync/values/field.ts';
import { sheetCell } from '../../../src/sync/values/value.ts';
import { changed, isOfProduct, PLACES, someValue, type Values } from './goods.ts';
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
  const makesProducts = world.creates && direction !== 'store_to_sheet';
  let created = 0;
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
    create: () => create(chance.between(1, 3)),
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
      const some: readonly (keyof typeof deeds)[] = DEEDS[where];
      const may = makesProducts && where === 'rows' ? [...some, 'create' as const] : some;
      deeds[chance.pick(may)](sku);
    },
  };

  /** A product that the store never had, with a row for each variant and a value in each column. */
  function create(count: number): void {
    const own = fields.filter(isOfProduct).map((field) => [field, someValue(field, chance)] as const);
    for (let nth = 0; nth < count; nth++) {
      created += 1;
      const sku = `N${String(created).padStart(3, '0')}`;
      const others = fields.map((field) => [field, someValue(field, chance)] as const);
      const title = `New ${created - nth}`;
      const values: Values = { ...Object.fromEntries([...others, ...own]), sku, title };
      world.append(values);
      truth.set(sku, values);
      listed.add(sku);
    }
  }

  function isInStore(sku: string): boolean {
    return shop.variants().some((variant) => variant.sku === sku);
  }

  /** Where there is a column for a second place, also there. */
  function sell(sku: string, count: number): void {
    if (!isInStore(sku)) return;
    const field = chance.pick(fields.filter(isQuantity));
    const isFirst = field === 'inventory_quantity';
    shop.sell(sku, count, isFirst ? PLACES[0] : PLACES[1]);
    if (isFirst) sold.set(sku, (sold.get(sku) ?? 0) + count);
    add(store.get(sku), field, -count);
    if (direction !== 'sheet_to_store') add(truth.get(sku), field, -count);
  }

  function editStore(sku: string, field: StoreField): void {
    if (!isInStore(sku) || isQuantity(field) || !owns('store', sku, field)) return;
    // A blank cell says nothing: what the store then has is its own.
    if (direction === 'sheet_to_store' && truth.get(sku)?.[field] === null) return;
    const mayClear = canBeEmpty(field) && direction !== 'sheet_to_store' && chance.happens(0.2);
    const value = mayClear ? null : someValue(field, chance);
    for (const one of isOfProduct(field) ? siblings(sku) : [sku]) {
      set(store.get(one), field, value);
      if (direction !== 'sheet_to_store') set(truth.get(one), field, value);
    }
    shop.restore(changed(shop.snapshot(), sku, field, value));
  }

  function type(sku: string, field: StoreField): void {
    const quantity = isQuantity(field) ? chance.pick(RECEIVED) : undefined;
    if (quantity === undefined && !owns('sheet', sku, field)) return;
    const value = someValue(field, chance);
    const all = isOfProduct(field) ? siblings(sku) : [sku];
    // What has no row, as after it was deleted, takes no typing.
    if (all.every((one) => world.rowOf(one) === undefined)) return;
    for (const one of all) {
      const row = world.rowOf(one);
      // A product has one value, also for a variant that the sheet does not list.
      if (row === undefined && isOfProduct(field) && direction === 'two_way')
        set(truth.get(one), field, value);
      if (row === undefined) continue;
      const at = world.at(row, field);
      const now = Number(book.cell(TAB, at));
      const to =
        quantity === undefined ? value : String(now + quantity < LEAST ? now + LEAST : now + quantity);
      book.type(TAB, at, sheetCell(field, to));
      typed.add(one);
      if (direction === 'two_way' && quantity !== undefined) add(truth.get(one), field, Number(to) - now);
      else if (direction !== 'store_to_sheet') set(truth.get(one), field, to);
    }
  }

  /** Both sides changing one cell is a conflict, which is another test's. */
  function owns(side: 'store' | 'sheet', sku: string, field: StoreField): boolean {
    if (direction !== 'two_way') return true;
    // A weight is written with its unit.
    const written = field === 'weight_unit' ? 'weight' : field;
    const name = `${isOfProduct(field) ? siblings(sku)[0] : sku} ${written}`;
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

function add(values: Values | undefined, field: StoreField, count: number): void {
  if (values) values[field] = String(Number(values[field]) + count);
}

function set(values: Values | undefined, field: StoreField, value: Canonical): void {
  if (values) values[field] = value;
}
