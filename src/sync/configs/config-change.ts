import { isDeepStrictEqual } from 'node:util';
import { Fault } from '../../errors.ts';
import { type Direction, type Mapping, SyncOptions, type SyncSettings } from '../config.ts';
import type { ConfigRow } from './config-repo.ts';

/**
 * Whether a change makes the baseline of a configuration useless: other cells, another key, another location, or a
 * change between one way and two ways.
 */
export function invalidatesBaseline(before: ConfigRow, after: ConfigRow): boolean {
  const isTwoWay = (row: ConfigRow) => row.direction === 'two_way';
  return isTwoWay(before) !== isTwoWay(after) || !isDeepStrictEqual(subject(before), subject(after));
}

function subject({ store_id, sheet_id, mappings, options }: ConfigRow) {
  const { key, key_column, location_id } = options;
  return { store_id, sheet_id, mappings, key, key_column, location_id };
}

/**
 * Checks that settings fit together, and normalizes them: `key_column` stays only where no mapped field is the key.
 * @throws Fault validation_failed: for a column or a field mapped twice, a key without a column, weight mapped in two
 * units, or nothing to write
 */
export function checkSettings(settings: SyncSettings): SyncSettings {
  const { direction, mappings } = settings;
  const { key_column, ...options } = settings.options;
  const isMapped = mappings.some(({ store_field }) => store_field === options.key);
  const checked = isMapped || key_column === undefined ? options : { ...options, key_column };
  if (!isMapped && key_column === undefined)
    throw new Fault('validation_failed.mapping_key', { key: options.key });
  requireUnique(mappings, checked);
  if (direction !== 'store_to_sheet') requireWritable(mappings, options.key);
  return { direction, mappings, options: checked };
}

type Headers = { readonly key_column?: string | undefined; readonly status_column?: string | undefined };

function requireUnique(mappings: readonly Mapping[], { key_column, status_column }: Headers): void {
  const headers = [...mappings.map(({ sheet_column }) => sheet_column), key_column, status_column];
  const column = firstTwice(headers.filter((header) => header !== undefined));
  if (column !== undefined) throw new Fault('validation_failed.mapping_columns', { column });
  const field = firstTwice(mappings.map(({ store_field }) => store_field));
  if (field !== undefined) throw new Fault('validation_failed.mapping_fields', { field });
}

/** Headers are found in the sheet whatever their case. */
function firstTwice(names: readonly string[]): string | undefined {
  const folded = names.map((name) => name.toLowerCase());
  return names.find((_name, index) => folded.indexOf(folded[index] ?? '') < index);
}

function requireWritable(mappings: readonly Mapping[], key: string): void {
  const fields: readonly string[] = mappings.map(({ store_field }) => store_field);
  if (fields.includes('weight') && fields.includes('grams'))
    throw new Fault('validation_failed.mapping_weight');
  if (fields.includes('weight_unit') && fields.includes('grams'))
    throw new Fault('validation_failed.mapping_weight_unit');
  // The key finds a row, so it cannot be what changes in it.
  if (fields.every((field) => field === key)) throw new Fault('validation_failed.mapping_nothing', { key });
}

export type ConfigRequest = {
  readonly store_id: string;
  readonly sheet_id: string;
  readonly direction: Direction;
  readonly mappings: readonly Mapping[];
  /** The default where omitted or null. */
  readonly options?: OptionsChange;
  readonly schedule?: { readonly every_minutes: number } | null | undefined;
  readonly realtime?: boolean | undefined;
  /** True by default. */
  readonly enabled?: boolean | undefined;
};

/** Omitted fields stay as they are; an option that is null is restored to its default. */
export type ConfigChange = {
  readonly [Name in Exclude<keyof ConfigRequest, 'options'>]?: ConfigRequest[Name] | undefined;
} & { readonly options?: OptionsChange };

type OptionsChange = {
  readonly [Name in Exclude<keyof SyncOptions, 'safety_limits'>]?: SyncOptions[Name] | null | undefined;
} & {
  readonly safety_limits?:
    | { readonly [Name in keyof SyncOptions['safety_limits']]?: number | undefined }
    | undefined;
};

type Columns = Pick<
  ConfigRow,
  'store_id' | 'sheet_id' | 'direction' | 'mappings' | 'options' | 'every_minutes' | 'realtime' | 'enabled'
>;

/** The columns of a new configuration. */
export function columnsOf({
  store_id,
  sheet_id,
  direction,
  mappings,
  options = {},
  schedule,
  realtime = false,
  enabled = true,
}: ConfigRequest): Columns {
  return {
    ...{ store_id, sheet_id, direction, mappings: [...mappings], realtime, enabled },
    options: changedOptions(SyncOptions.parse({}), options),
    every_minutes: schedule?.every_minutes ?? null,
  };
}

/** The configuration as it is after a change. */
export function changedConfig(row: ConfigRow, { options = {}, schedule, mappings, ...change }: ConfigChange) {
  return {
    ...row,
    ...given(change),
    ...(mappings && { mappings: [...mappings] }),
    ...(schedule !== undefined && { every_minutes: schedule?.every_minutes ?? null }),
    options: changedOptions(row.options, options),
  };
}

/** Whether the change affects when the configuration runs automatically. */
export function affectsSchedule({ schedule, realtime, enabled }: ConfigChange): boolean {
  return schedule !== undefined || realtime !== undefined || enabled !== undefined;
}

/** Whether the change requests automatic runs. */
export function requestsSchedule({ schedule, realtime, enabled }: ConfigChange): boolean {
  return Boolean(schedule) || realtime === true || enabled === true;
}

function changedOptions(before: SyncOptions, { safety_limits, ...change }: OptionsChange): SyncOptions {
  const all = {
    ...before,
    ...given(change),
    safety_limits: { ...before.safety_limits, ...given(safety_limits ?? {}) },
  };
  // Null restores the default.
  return SyncOptions.parse(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)));
}

type Given<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** Without the fields that are undefined. */
function given<Fields extends object>(fields: Fields): Partial<Given<Fields>> {
  // Object.fromEntries forgets the names.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Given<Fields>
  >;
}
