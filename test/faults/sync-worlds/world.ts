import { createShopifyEmulator } from '../../../src/emulators/shopify/shopify.ts';
import { type Direction, SyncSettings } from '../../../src/sync/config.ts';
import type { Cell } from '../../../src/sync/ports/sheet-client.ts';
import type { StoreVariant } from '../../../src/sync/ports/store-client.ts';
import type { StoreField } from '../../../src/sync/values/field.ts';
import { cellValue, sheetCell, storeValue } from '../../../src/sync/values/value.ts';
import type { Chance } from './chance.ts';
import type { Pair } from './engine.ts';
import { METAFIELD_TYPES, OTHER_FIELDS, PLACES, someProducts, type Values } from './goods.ts';
import type { Lane } from './lane.ts';

export const TAB = 'Sheet1';
const STATUS = 'Sync';

/** What a column of the sheet has; nothing: a person has just inserted it. */
type Column = StoreField | 'Note' | typeof STATUS | '';

const WRITING = { locale: 'en_US', scale: 2 };
const UNTROUBLED = { changed_percent: 100, zeroed_percent: 100, shrunk_percent: 100, price_percent: 100 };

export type World = ReturnType<typeof createWorld>;

export type WorldOptions = {
  readonly id: string;
  readonly direction: Direction;
  readonly most: number;
  /** Rows have a status; its column is there from the start, or made by the first run. */
  readonly status?: boolean;
  /** Fields that may be mapped, beside SKU and quantities; all unless given. */
  readonly others?: readonly StoreField[];
  /** Rows that the store never had become products. */
  readonly creates?: boolean;
};

/** A small shop and a spreadsheet that has most of it, with what a person keeps there beside it. */
export function createWorld(
  lane: Lane,
  chance: Chance,
  { id, direction, most, status = false, others = OTHER_FIELDS, creates = false }: WorldOptions,
) {
  const products = someProducts(chance.between(20, chance.pick([30, 50, most])), chance);
  lane.shop.restore(
    createShopifyEmulator({
      shop: { currency: 'EUR', locations: PLACES, products, metafieldTypes: METAFIELD_TYPES },
    }).snapshot(),
  );
  const mapped = mappedFields(chance, others, lane.shop.locations()[1]?.id ?? '');
  // A new product needs a title.
  const fields = creates && !mapped.includes('title') ? [...mapped, 'title' as const] : mapped;
  const hasStatus = status && (direction === 'sheet_to_store' || chance.happens(0.5));
  const columns: Column[] = shuffled<Column>(
    hasStatus ? ['sku', ...fields, 'Note', STATUS] : ['sku', ...fields, 'Note'],
    chance,
  );
  const known = shuffled(lane.shop.variantsWith(fields), chance).filter(() => chance.happens(0.95));
  const above = chance.pick([0, 0, 2]);
  const book = lane.google.book(id, {
    tabs: [
      {
        title: TAB,
        rows: [
          ...Array.from({ length: above }, () => ['Stock list']),
          columns,
          ...known.map((variant) => rowOf(variant)),
          ['mine', 'not', 'in', 'store'].slice(0, columns.length),
        ],
      },
    ],
  });
  book.type(TAB, `${letter(columns.indexOf('sku'))}${above + known.length + 2}`, 'MINE');
  if (creates) book.type(TAB, `${letter(columns.indexOf('title'))}${above + known.length + 2}`, '');

  const world = {
    id,
    direction,
    creates,
    fields,
    columns,
    lane,
    book,
    chance,
    header: above + 1,
    settings: SyncSettings.parse({
      direction,
      mappings: ['sku', ...fields].map((field) => ({ sheet_column: field, store_field: field })),
      options: {
        safety_limits: UNTROUBLED,
        create_products: creates,
        ...(status && { status_column: STATUS }),
      },
    }),
    /** What the store has, by SKU. */
    store: (): Map<string, Values> =>
      new Map(lane.shop.variantsWith(fields).map((variant) => [variant.sku ?? '', storeValues(variant)])),
    /** What each row of the sheet says. */
    sheet: (): (Values & { readonly note: Cell })[] =>
      book
        .rows(TAB)
        .slice(world.header)
        .filter((row) =>
          row.some((cell, nth) => cell !== '' && columns[nth] !== STATUS && nth < columns.length),
        )
        .map(rowValues),
    /** The number of the row of a SKU; undefined: it has none. */
    rowOf(sku: string): number | undefined {
      const at = book
        .rows(TAB)
        .findIndex((row, nth) => nth >= world.header && row[columns.indexOf('sku')] === sku);
      return at < 0 ? undefined : at + 1;
    },
    /** Enters a row below all others. */
    append(values: Values): void {
      const row = book.rows(TAB).length + 1;
      for (const [nth, column] of columns.entries())
        if (isField(column))
          book.type(TAB, `${letter(nth)}${row}`, sheetCell(column, values[column] ?? null));
        else if (column === 'Note') book.type(TAB, `${letter(nth)}${row}`, `note of ${values.sku}`);
    },
    noteAt: (row: number): Cell | undefined => book.rows(TAB)[row - 1]?.[columns.indexOf('Note')],
    /** The address of a cell. */
    at: (row: number, field: StoreField) => `${letter(columns.indexOf(field))}${row}`,
  };
  return world;

  function rowOf(variant: StoreVariant): Cell[] {
    const values = storeValues(variant);
    return columns.map((field) =>
      field === 'Note'
        ? `note of ${variant.sku}`
        : isField(field)
          ? sheetCell(field, values[field] ?? null)
          : '',
    );
  }

  function storeValues(variant: StoreVariant): Values {
    const all = ['sku', ...fields] as const;
    return Object.fromEntries(all.map((field) => [field, storeValue(field, variant, WRITING.scale)]));
  }

  function rowValues(row: readonly Cell[]): Values & { note: Cell } {
    const values: Values = {};
    for (const [nth, field] of columns.entries()) {
      if (!isField(field)) continue;
      const read = cellValue(field, row[nth] ?? '', WRITING);
      values[field] = 'value' in read ? read.value : `unreadable: ${row[nth]}`;
    }
    return { ...values, note: row[columns.indexOf('Note')] ?? '' };
  }
}

function isField(column: Column): column is StoreField {
  return column !== 'Note' && column !== STATUS && column !== '';
}

/** The two sides as the engine is given them. */
export function pairOf({ settings, lane, id }: World): Pair {
  return {
    settings,
    sides: async () => ({
      store: await lane.store(),
      sheet: await lane.sheet(id),
      locationId: lane.shop.locations()[0]?.id ?? '',
      currency: 'EUR',
      tab: { title: TAB, id: 0 },
    }),
  };
}

/** Quantities always; of weight and grams one at most, and no unit beside grams. */
function mappedFields(chance: Chance, from: readonly StoreField[], secondPlace: string): StoreField[] {
  const weighed = chance.pick(['weight', 'grams', 'none']);
  const isFit = (field: StoreField) =>
    field === 'weight' || field === 'grams'
      ? field === weighed
      : field !== 'weight_unit' || weighed !== 'grams';
  const others = from.filter((field) => chance.happens(0.6) && isFit(field));
  const placed = `inventory_quantity:${secondPlace.replace(/.*\//, '')}` as const;
  return ['inventory_quantity', ...(chance.happens(0.5) ? [placed] : []), ...others];
}

function shuffled<T>(list: readonly T[], chance: Chance): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(chance.between(0, rest.length - 1), 1)[0] as T);
}

function letter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : `${letter(Math.floor(column / 26) - 1)}${last}`;
}
