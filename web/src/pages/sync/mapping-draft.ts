import type { Input, Output } from '../../api/operation.ts';
import type { createSyncConfig, listSyncConfigs } from '../../api/operations.gen.ts';
import type { Direction, Line } from './mapping-check.ts';

export type SyncConfig = Output<typeof listSyncConfigs>['items'][number];

type Create = Input<typeof createSyncConfig>;

export const LIMITS = ['changed_percent', 'zeroed_percent', 'shrunk_percent', 'price_percent'] as const;

/** A configuration as the form holds it: numbers as they are typed, and both ways of a conflict in one choice. */
export type Draft = {
  readonly store_id: string;
  readonly sheet_id: string;
  readonly direction: Direction;
  readonly lines: readonly Line[];
  readonly key: 'sku' | 'barcode' | 'handle' | 'variant_id';
  readonly key_column: string;
  readonly conflicts: 'add' | 'ask' | 'store_wins' | 'sheet_wins';
  /** Minutes; empty where a person starts every run. */
  readonly every: string;
  readonly realtime: boolean;
  readonly limits: Readonly<Record<(typeof LIMITS)[number], string>>;
  readonly stale_rows: 'keep' | 'clear' | 'mark';
  readonly blank_means: 'nothing' | 'clear';
  readonly activate: boolean;
  readonly create_products: boolean;
  readonly add_columns: boolean;
  readonly status_column: string;
  readonly enabled: boolean;
};

/** A new configuration: the documented layout, into the sheet, started by a person. */
export function newDraft(store_id: string, sheet_id: string): Draft {
  return {
    store_id,
    sheet_id,
    direction: 'store_to_sheet',
    lines: [
      { id: 1, column: 'SKU', field: 'sku' },
      { id: 2, column: 'Stock', field: 'inventory_quantity' },
    ],
    key: 'sku',
    key_column: '',
    conflicts: 'add',
    every: '',
    realtime: false,
    limits: { changed_percent: '20', zeroed_percent: '5', shrunk_percent: '30', price_percent: '50' },
    stale_rows: 'keep',
    blank_means: 'nothing',
    activate: false,
    create_products: false,
    add_columns: false,
    status_column: '',
    enabled: true,
  };
}

export function draftOf(config: SyncConfig): Draft {
  const { conflict_policy, quantity_merge, schedule, safety_limits } = config;
  const limit = (name: (typeof LIMITS)[number]) => String(safety_limits[name]);
  return {
    store_id: config.store_id,
    sheet_id: config.sheet_id,
    direction: config.direction,
    lines: config.mappings.map(({ sheet_column: column, store_field: field }, at) => ({
      id: at + 1,
      column,
      field,
    })),
    key: config.key,
    key_column: config.key_column ?? '',
    conflicts: conflict_policy === 'ask' && quantity_merge ? 'add' : conflict_policy,
    every: schedule ? String(schedule.every_minutes) : '',
    realtime: config.realtime,
    limits: {
      changed_percent: limit('changed_percent'),
      zeroed_percent: limit('zeroed_percent'),
      shrunk_percent: limit('shrunk_percent'),
      price_percent: limit('price_percent'),
    },
    stale_rows: config.stale_rows,
    blank_means: config.blank_means,
    activate: config.activate,
    create_products: config.create_products,
    add_columns: config.add_columns,
    status_column: config.status_column ?? '',
    enabled: config.enabled,
  };
}

/** The draft as the API takes it, to create a configuration or to change one. */
export function inputOf(draft: Draft): Create {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return {
    store_id: draft.store_id,
    sheet_id: draft.sheet_id,
    direction: draft.direction,
    mappings: draft.lines.map(({ column, field }) => ({
      sheet_column: column.trim(),
      // The server says which names are no field.
      store_field: field as Create['mappings'] extends readonly (infer M)[] | undefined
        ? M extends { store_field: infer F }
          ? F
          : never
        : never,
    })),
    key: draft.key,
    key_column: orNull(draft.key_column),
    conflict_policy: draft.conflicts === 'add' ? 'ask' : draft.conflicts,
    quantity_merge: draft.conflicts === 'add',
    schedule: draft.every === '' ? null : { every_minutes: Number(draft.every) },
    realtime: draft.realtime,
    safety_limits: Object.fromEntries(LIMITS.map((name) => [name, Number(draft.limits[name])])),
    stale_rows: draft.stale_rows,
    blank_means: draft.blank_means,
    activate: draft.activate,
    create_products: draft.create_products,
    add_columns: draft.add_columns,
    status_column: orNull(draft.status_column),
    enabled: draft.enabled,
  };
}
