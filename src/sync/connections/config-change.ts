import type { Direction, Mapping } from '../config.ts';
import { SyncOptions } from '../config.ts';
import type { ConfigRow } from './config-store.ts';

export type ConfigRequest = {
  readonly store_id: string;
  readonly sheet_id: string;
  readonly direction: Direction;
  readonly mappings: readonly Mapping[];
  /** What is left out, or null, is as usual. */
  readonly options?: OptionsChange;
  readonly schedule?: { readonly every_minutes: number } | null | undefined;
  readonly realtime?: boolean | undefined;
  /** True unless said. */
  readonly enabled?: boolean | undefined;
};

/** What changes; what is left out stays, an option that is null goes. */
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

/** A request as its row keeps it. */
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

/** Whether the change touches when the configuration runs by itself. */
export function touchesPace({ schedule, realtime, enabled }: ConfigChange): boolean {
  return schedule !== undefined || realtime !== undefined || enabled !== undefined;
}

/** Whether it asks for runs by itself; one that is turned off, or left alone, asks for nothing. */
export function asksForPace({ schedule, realtime, enabled }: ConfigChange): boolean {
  return Boolean(schedule) || realtime === true || enabled === true;
}

function changedOptions(before: SyncOptions, { safety_limits, ...change }: OptionsChange): SyncOptions {
  const all = {
    ...before,
    ...given(change),
    safety_limits: { ...before.safety_limits, ...given(safety_limits ?? {}) },
  };
  // Null, too, means what is usual.
  return SyncOptions.parse(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)));
}

type Given<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** Without the fields that are there in name only. */
function given<Fields extends object>(fields: Fields): Partial<Given<Fields>> {
  // Object.fromEntries forgets the names.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Given<Fields>
  >;
}
