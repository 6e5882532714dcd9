import { z } from 'zod';
import { DEFAULT_MAPPINGS, Direction, KEYS, Mapping } from '../../src/sync/config.ts';
import { STORE_FIELDS } from '../../src/sync/values/field.ts';

export const StoreId = z.string().max(64).meta({ description: 'As list_stores gives it' });
export const SheetId = z.string().max(64).meta({ description: 'As list_sheets gives it' });
export const ConfigId = z.string().max(64).meta({ description: 'As list_sync_configs gives it' });

const Secret = z.string().trim().min(1).max(10_000);

/** What opens a store: a token of its admin, or the client of an app that gets them. Only over REST. */
export const storeSecrets = {
  store_access_token: Secret.meta({ description: 'Admin API access token' }),
  access_token: Secret.meta({ description: 'The same as store_access_token' }),
  client_id: Secret.meta({ description: 'Of an app of the store, in the place of a token' }),
  client_secret: Secret,
  webhook_secret: Secret.meta({ description: 'By what its webhooks are signed; client_secret unless said' }),
};

/** What opens a spreadsheet: tokens of a person, or the key of a service account. Only over REST. */
export const sheetSecrets = {
  access_token: Secret,
  refresh_token: Secret.meta({ description: 'Without it the connection lasts an hour' }),
  client_id: Secret.meta({
    description: 'Of the client the tokens were made for, unless it is this server’s',
  }),
  client_secret: Secret,
  service_account: z
    .union([Secret, z.looseObject({ client_email: z.string(), private_key: z.string() })])
    .meta({ description: 'Key file of a service account, in the place of tokens' }),
};

export const LocationId = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ description: 'Where stock is counted, as list_store_locations gives it' });

export const Cascade = z
  .boolean()
  .default(false)
  .meta({ description: 'Its configurations and the history of their runs go with it' });

export const SheetName = z.string().trim().min(1).max(200);
export const TabTitle = z.string().trim().min(1).max(100).meta({ description: 'Title of the tab' });

const Mappings = z
  .array(Mapping)
  .min(1)
  .max(STORE_FIELDS.length)
  .meta({ description: 'Which column has which field. SKU and Stock unless said' });

const Header = z.string().trim().min(1).max(200);

const Schedule = z
  .object({ every_minutes: z.int().min(1).max(44_640) })
  .nullable()
  .meta({ description: 'Runs by itself at this pace. From the plan Pro on' });

const Percent = z.number().min(0).max(100).optional();

const BrakeChanges = z.object({
  changed_percent: Percent.meta({ description: 'Rows changed, of at least 20. Usually 20' }),
  zeroed_percent: Percent.meta({ description: 'Quantities that go to zero. Usually 5' }),
  shrunk_percent: Percent.meta({ description: 'Rows the sheet has lost. Usually 30' }),
  price_percent: Percent.meta({ description: 'By how much one price moves. Usually 50' }),
});

// Without defaults: in a change, what is left out stays.
const { shape: choices } = z
  .object({
    key: z.enum(KEYS).meta({ description: 'By what rows and variants are matched' }),
    key_column: Header.nullable().meta({ description: 'Column of the key, where no mapping has it' }),
    location_id: LocationId.nullable().meta({ description: 'Unless said, that of the store' }),
    conflict_policy: z
      .enum(['ask', 'store_wins', 'sheet_wins'])
      .meta({ description: 'When both sides changed a cell (two_way)' }),
    quantity_merge: z.boolean().meta({ description: 'Add up what both sides changed of a quantity' }),
    stale_rows: z
      .enum(['keep', 'clear', 'mark'])
      .meta({ description: 'What becomes of rows the store has no item for (store_to_sheet)' }),
    blank_means: z.enum(['nothing', 'clear']).meta({ description: 'What an empty cell says to the store' }),
    brakes: BrakeChanges.meta({ description: 'How much a run may change before it asks; 100 never asks' }),
    status_column: Header.nullable().meta({ description: 'Column that says how each row fared' }),
    schedule: Schedule,
    realtime: z.boolean().meta({ description: 'Runs when the store changes. From the plan Pro on' }),
    enabled: z.boolean().meta({ description: 'False: rests, and no run of its store and sheet goes by it' }),
  })
  .partial();

/** What a configuration is made with; what is left out is as usual. */
export const configFields = {
  store_id: StoreId,
  sheet_id: SheetId,
  direction: Direction,
  mappings: Mappings.default([...DEFAULT_MAPPINGS]),
  ...choices,
};

/** What may change of it; what is left out stays. */
export const configChanges = {
  store_id: StoreId.optional(),
  sheet_id: SheetId.optional(),
  direction: Direction.optional(),
  mappings: Mappings.optional(),
  ...choices,
};
