import type { Direction, Mapping, SyncOptions } from '../config.ts';
import type { ConfigRow } from './config-store.ts';

/** A configuration as its account sees it; the moments are ISO 8601. */
export type SyncConfig = SyncOptions & {
  readonly id: string;
  readonly store_id: string;
  readonly sheet_id: string;
  readonly direction: Direction;
  readonly mappings: readonly Mapping[];
  /** Made by a run that named only a store and a sheet. */
  readonly implicit: boolean;
  readonly schedule: { readonly every_minutes: number } | null;
  readonly realtime: boolean;
  readonly enabled: boolean;
  /** One more with every change. */
  readonly version: number;
  readonly next_run_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export function syncConfig(row: ConfigRow): SyncConfig {
  const { id, store_id, sheet_id, direction, mappings, options, implicit, realtime, enabled, version } = row;
  return {
    ...options,
    ...{ id, store_id, sheet_id, direction, mappings, implicit, realtime, enabled, version },
    schedule: row.every_minutes === null ? null : { every_minutes: row.every_minutes },
    next_run_at: row.next_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
