import { Fault } from '../../errors.ts';
import type { Mapping, SyncSettings } from '../config.ts';

/**
 * Settings that fit together, in the form they are kept: `key_column` only where no mapped field is the key.
 * @throws Fault validation_failed: for a column or a field named twice, a key without a column, weight written in two
 * ways, or nothing to write at all
 */
export function checkSettings(settings: SyncSettings): SyncSettings {
  const { direction, mappings } = settings;
  const { key_column, ...options } = settings.options;
  const isMapped = mappings.some(({ store_field }) => store_field === options.key);
  const checked = isMapped || key_column === undefined ? options : { ...options, key_column };
  if (!isMapped && key_column === undefined)
    throw new Fault('validation_failed.mapping_key', { key: options.key });
  demandOnce(mappings, checked);
  if (direction !== 'store_to_sheet') demandWritable(mappings, options.key);
  return { direction, mappings, options: checked };
}

type Headers = { readonly key_column?: string | undefined; readonly status_column?: string | undefined };

function demandOnce(mappings: readonly Mapping[], { key_column, status_column }: Headers): void {
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

function demandWritable(mappings: readonly Mapping[], key: string): void {
  const fields: readonly string[] = mappings.map(({ store_field }) => store_field);
  if (fields.includes('weight') && fields.includes('grams'))
    throw new Fault('validation_failed.mapping_weight');
  // What rows are found by cannot be what changes in them.
  if (fields.every((field) => field === key)) throw new Fault('validation_failed.mapping_nothing', { key });
}
