import { z } from 'zod';

const Rows = z.array(z.object({ id: z.string() }));

/** The column `id` of rows. */
export function idsOf(rows: readonly unknown[]): string[] {
  return Rows.parse(rows).map(({ id }) => id);
}
