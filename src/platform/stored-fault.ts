import { z } from 'zod';
import en from '../../locales/en.json' with { type: 'json' };
import { Fault, type FaultKey } from '../errors.ts';
import { databaseFault } from './database/database-fault.ts';

/** A fault in the database. It is localized when it is read, in the reader's language. */
export const StoredFault = z.object({
  key: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  // Only `storeFault` writes it.
  errors: z.custom<Fault['errors']>(Array.isArray),
  data: z.record(z.string(), z.json()),
});
export type StoredFault = z.output<typeof StoredFault>;

/** Converts an error for storage. An internal error becomes `internal.unexpected`. */
export function storeFault(error: unknown): StoredFault {
  const fault = error instanceof Fault ? error : (databaseFault(error) ?? new Fault('internal.unexpected'));
  // Through JSON, since a fault's data may hold any value that JSON.stringify accepts.
  return StoredFault.parse(
    JSON.parse(
      JSON.stringify(
        { key: fault.key, params: fault.params, errors: fault.errors, data: fault.data },
        asText,
      ),
    ),
  );
}

/** Reasons of faults may contain input, and PostgreSQL stores neither NUL nor lone surrogates. */
function asText(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value;
}

/** The fault as it was thrown. A key that the locales no longer have becomes `internal.unexpected`. */
export function restoreFault({ key, params, errors, data }: StoredFault): Fault {
  return isFaultKey(key) ? new Fault(key, params, { errors, data }) : new Fault('internal.unexpected');
}

function isFaultKey(key: string): key is FaultKey {
  return Object.hasOwn(en.faults, key);
}
