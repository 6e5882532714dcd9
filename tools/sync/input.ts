import { z } from 'zod';
import { DEFAULT_MAPPINGS, Direction, KEYS, Mapping } from '../../src/sync/config.ts';

export const StoreId = z.string().max(64).meta({ description: 'Store ID from list_stores' });
export const SheetId = z.string().max(64).meta({ description: 'Sheet ID from list_sheets' });
export const ConfigId = z.string().max(64).meta({ description: 'Configuration ID from list_sync_configs' });

const Secret = z.string().trim().min(1).max(10_000);

/** Credentials of a store: an Admin API token, or an app's client ID and secret. Only over REST. */
export const storeSecrets = {
  store_access_token: Secret.meta({ description: 'Admin API access token' }),
  access_token: Secret.meta({ description: 'Alias of store_access_token' }),
  client_id: Secret.meta({ description: 'Client ID of a Shopify app, instead of a token' }),
  client_secret: Secret,
  webhook_secret: Secret.meta({ description: 'Webhook signing secret; defaults to client_secret' }),
};

/** Credentials of a spreadsheet: OAuth tokens, or the key of a service account. Only over REST. */
export const sheetSecrets = {
  access_token: Secret,
  refresh_token: Secret.meta({ description: 'OAuth refresh token; without it the connection lasts an hour' }),
  client_id: Secret.meta({
    description: "OAuth client of the tokens; defaults to this server's",
  }),
  client_secret: Secret,
  service_account: z
    .union([Secret, z.looseObject({ client_email: z.string(), private_key: z.string() })])
    .meta({ description: 'Key file of a service account, instead of tokens' }),
};

/** Whether an input carries any of these fields. */
export function hasAny(fields: object): (input: object) => boolean {
  return (input) => Object.keys(fields).some((field) => Reflect.get(input, field) !== undefined);
}

export const LocationId = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ description: 'Stock location ID from list_store_locations' });

export const Cascade = z
  .boolean()
  .default(false)
  .meta({ description: 'Also delete its configurations and their run history' });

export const SheetName = z.string().trim().min(1).max(200);
export const TabTitle = z.string().trim().min(1).max(100).meta({ description: 'Tab title' });

/** As many columns as a person may still follow; a tab has up to 18,278. */
const MAX_MAPPINGS = 60;

const Mappings = z
  .array(Mapping)
  .min(1)
  .max(MAX_MAPPINGS)
  .meta({ description: 'Column for each store field; default SKU and Stock' });

const Header = z.string().trim().min(1).max(200);

const Schedule = z
  .object({ every_minutes: z.int().min(1).max(44_640) })
  .nullable()
  .meta({ description: 'Interval of automatic runs; requires the Pro plan' });

const Percent = z.number().min(0).max(100).optional();

const SafetyLimitChanges = z.object({
  changed_percent: Percent.meta({ description: 'Percent of rows changed, counted from 20 rows; default 20' }),
  zeroed_percent: Percent.meta({
    description: 'Percent of quantities that go to zero, counted from 5; default 5',
  }),
  shrunk_percent: Percent.meta({ description: 'Percent of known rows missing from the sheet; default 30' }),
  price_percent: Percent.meta({ description: 'Percent by which a price moves; default 50' }),
});

// Without defaults: in a change, omitted fields stay as they are.
const { shape: choices } = z
  .object({
    key: z.enum(KEYS).meta({ description: 'Field that matches sheet rows with store variants' }),
    key_column: Header.nullable().meta({ description: 'Column of the key, if no mapping has it' }),
    location_id: LocationId.nullable().meta({ description: "Stock location ID; defaults to the store's" }),
    conflict_policy: z
      .enum(['ask', 'store_wins', 'sheet_wins'])
      .meta({ description: 'How to treat a cell that both sides changed (two_way)' }),
    quantity_merge: z
      .boolean()
      .meta({ description: 'Add up quantity changes of both sides instead of a conflict' }),
    equal_moves: z.enum(['add', 'ask']).meta({
      description: 'With quantity_merge: count equal changes of both sides twice, or ask',
    }),
    stale_rows: z
      .enum(['keep', 'clear', 'mark'])
      .meta({ description: 'How to treat rows without an item in the store (store_to_sheet)' }),
    blank_means: z
      .enum(['nothing', 'clear'])
      .meta({ description: 'How to treat an empty cell: ignore it or clear the field' }),
    safety_limits: SafetyLimitChanges.meta({
      description: 'How much a run may change without confirmation; 100 turns a limit off',
    }),
    activate: z.boolean().meta({
      description: 'Stock items at the location that have a quantity in the sheet; default false',
    }),
    create_products: z.boolean().meta({
      description:
        'Create draft products from rows that were never in the store; undo archives them; default false',
    }),
    add_columns: z.boolean().meta({
      description: 'Add mapped columns that the tab lacks, filled from the store; default false',
    }),
    status_column: Header.nullable().meta({ description: "Column where the sync writes each row's status" }),
    schedule: Schedule,
    realtime: z
      .boolean()
      .meta({ description: 'Automatic runs when the store changes; requires the Pro plan' }),
    enabled: z.boolean().meta({ description: 'False pauses this configuration' }),
  })
  .partial();

/** Fields of a new configuration; omitted ones get their defaults. */
export const configFields = {
  store_id: StoreId,
  sheet_id: SheetId,
  direction: Direction,
  mappings: Mappings.default([...DEFAULT_MAPPINGS]),
  ...choices,
};

/** Fields that may change; omitted ones stay as they are. */
export const configChanges = {
  store_id: StoreId.optional(),
  sheet_id: SheetId.optional(),
  direction: Direction.optional(),
  mappings: Mappings.optional(),
  ...choices,
};
