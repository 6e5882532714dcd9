import { z } from 'zod';
import type { StoreField } from './values/field.ts';
import { FieldName } from './values/field-name.ts';

export const DIRECTIONS = ['store_to_sheet', 'sheet_to_store', 'two_way'] as const;
export const Direction = z.enum(DIRECTIONS);
export type Direction = z.output<typeof Direction>;

export const Mapping = z.object({
  sheet_column: z.string().trim().min(1).max(200).meta({ description: 'Column header' }),
  store_field: FieldName,
});
export type Mapping = z.output<typeof Mapping>;

/** Default mappings: the columns of the documented sheet layout. */
export const DEFAULT_MAPPINGS: readonly Mapping[] = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
];

/** The field that matches a row with a variant. */
export const KEYS = ['sku', 'barcode', 'handle', 'variant_id'] as const;
export type SyncKey = (typeof KEYS)[number];

const percent = z.number().min(0).max(100);

/** How much a run may change before it asks. A limit of 100 never asks. */
export const SafetyLimits = z.object({
  changed_percent: percent.default(20).meta({ description: 'Percent of rows changed; counts from 20 rows' }),
  zeroed_percent: percent
    .default(5)
    .meta({ description: 'Percent of quantities that go to zero; counts from 5' }),
  shrunk_percent: percent.default(30).meta({ description: 'Percent of known rows missing from the sheet' }),
  price_percent: percent.default(50).meta({ description: 'Percent by which a price moves' }),
});
export type SafetyLimits = z.output<typeof SafetyLimits>;

/** A configuration's choices beside its mappings, as `sync_configs.options` keeps them. */
export const SyncOptions = z.object({
  key: z.enum(KEYS).default('sku'),
  /** Header of the column with the key, where no mapped field is the key: for handle and variant_id. */
  key_column: z.string().trim().min(1).max(200).optional(),
  location_id: z.string().max(100).optional(),
  conflict_policy: z.enum(['ask', 'store_wins', 'sheet_wins']).default('ask'),
  /** Quantities that both sides changed are added up instead of being a conflict. */
  quantity_merge: z.boolean().default(true),
  /** With `quantity_merge`: equal changes of both sides count twice, or a person decides. */
  equal_moves: z.enum(['add', 'ask']).default('add'),
  /** How to treat a row whose item the store no longer has (store_to_sheet). */
  stale_rows: z.enum(['keep', 'clear', 'mark']).default('keep'),
  /** How to treat an empty cell (toward the store): ignore it, or empty the field where that is possible. */
  blank_means: z.enum(['nothing', 'clear']).default('nothing'),
  safety_limits: SafetyLimits.prefault({}),
  /** Items with a quantity in the sheet that the location does not stock are stocked there. */
  activate: z.boolean().default(false),
  /** Rows whose item the store never had become products, where the sheet writes the store. */
  create_products: z.boolean().default(false),
  /** Columns that a tab with others lacks are added and filled from the store, where the sheet is written. */
  add_columns: z.boolean().default(false),
  /** Header of the column with each row's status. */
  status_column: z.string().trim().min(1).max(200).optional(),
});
export type SyncOptions = z.output<typeof SyncOptions>;

/** All settings of a run; a run keeps its own copy. */
export const SyncSettings = z.object({
  direction: Direction,
  mappings: z.array(Mapping),
  options: SyncOptions,
});
export type SyncSettings = z.output<typeof SyncSettings>;

export function fieldsIn({ mappings }: Pick<SyncSettings, 'mappings'>): StoreField[] {
  return mappings.map(({ store_field }) => store_field);
}
