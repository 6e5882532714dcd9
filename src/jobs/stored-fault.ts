import { z } from 'zod';
import en from '../../locales/en.json' with { type: 'json' };
import { Fault, type FaultKey } from '../errors.ts';
import { databaseFault } from '../platform/database/database.ts';

/** A fault at rest: not yet in words, since the job may be read in another language than it was asked for. */
export const StoredFault = z.object({
  key: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  // Written by ourselves from a Fault.
  errors: z.custom<Fault['errors']>(Array.isArray),
  data: z.record(z.string(), z.json()),
});
export type StoredFault = z.output<typeof StoredFault>;

/** What ended a run, ready to be stored. What is not the caller's to know becomes `internal.unexpected`. */
export function storeFault(error: unknown): StoredFault {
  const fault = error instanceof Fault ? error : (databaseFault(error) ?? new Fault('internal.unexpected'));
  // Through JSON, since a fault's data may hold anything JSON can be made of.
  return StoredFault.parse(
    JSON.parse(
      JSON.stringify(
        { key: fault.key, params: fault.params, errors: fault.errors, data: fault.data },
        asText,
      ),
    ),
  );
}

/** Strangers have a say in the reasons of faults, and a database keeps neither a NUL nor half a character. */
function asText(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value;
}

/** The fault as it was thrown. One whose sentence a later release no longer has is `internal.unexpected`. */
export function restoreFault({ key, params, errors, data }: StoredFault): Fault {
  return isFaultKey(key) ? new Fault(key, params, { errors, data }) : new Fault('internal.unexpected');
}

function isFaultKey(key: string): key is FaultKey {
  return Object.hasOwn(en.faults, key);
}
