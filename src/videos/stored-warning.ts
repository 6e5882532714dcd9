import { z } from 'zod';
import type { Warning, WarningKey } from '../language.ts';

/** A warning in the database. It is localized when it is read, in the reader's language. */
const StoredWarning: z.ZodType<Warning> = z.object({
  // Only servers of this product write them; what a newer release wrote, `localizeWarning` tells by its code.
  key: z.custom<WarningKey>((key) => typeof key === 'string'),
  params: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
  field: z.string().exactOptional(),
  line: z.number().exactOptional(),
  col: z.number().exactOptional(),
  characters: z.number().exactOptional(),
  sample: z.string().exactOptional(),
});

export const StoredWarnings = z.array(StoredWarning);

const MAX_WARNINGS = 50;

/** The warnings that are stored: without duplicates, and without characters that a database can't store. */
export function storeWarnings(warnings: readonly Warning[]): Warning[] {
  const distinct = new Map(warnings.map((warning) => [JSON.stringify(warning, asText), warning]));
  return StoredWarnings.parse([...distinct.keys()].slice(0, MAX_WARNINGS).map((text) => JSON.parse(text)));
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
function asText(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value;
}
