import { z } from 'zod';
import { Direction, KEYS, Mapping, SafetyLimits, SyncOptions } from '../../src/sync/config.ts';
import type { SyncConfig as Config } from '../../src/sync/configs/configs.ts';

const { conflict_policy, quantity_merge, equal_moves, stale_rows, blank_means } = SyncOptions.shape;
const { activate, create_products, add_columns } = SyncOptions.shape;

/** A configuration in answers. */
export const SyncConfig = z.object({
  id: z.string(),
  store_id: z.string(),
  sheet_id: z.string(),
  direction: Direction,
  mappings: z.array(Mapping),
  key: z.enum(KEYS),
  key_column: z.string().nullable(),
  location_id: z.string().nullable().meta({ description: "Shopify location; null means the store's" }),
  conflict_policy: conflict_policy.unwrap(),
  quantity_merge: quantity_merge.unwrap(),
  equal_moves: equal_moves.unwrap(),
  stale_rows: stale_rows.unwrap(),
  blank_means: blank_means.unwrap(),
  safety_limits: SafetyLimits,
  activate: activate.unwrap(),
  create_products: create_products.unwrap(),
  add_columns: add_columns.unwrap(),
  status_column: z.string().nullable(),
  schedule: z.object({ every_minutes: z.int() }).nullable(),
  realtime: z.boolean(),
  enabled: z.boolean(),
  version: z.int().meta({ description: 'Version for If-Match; increases with every change' }),
  next_run_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export function presentConfig({
  implicit: _made,
  key_column,
  location_id,
  status_column,
  ...config
}: Config) {
  return {
    ...config,
    key_column: key_column ?? null,
    location_id: location_id ?? null,
    status_column: status_column ?? null,
  };
}
