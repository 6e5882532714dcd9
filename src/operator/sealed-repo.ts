import { z } from 'zod';
import type { Tx } from '../platform/database/database.ts';

const Sealed = z.object({ sealed: z.string() });

/** The newest secret of each kind that is sealed with the server's key: one is enough to know the key. */
export async function newestSealed(tx: Tx): Promise<string[]> {
  const rows = await tx`
    (select credentials as sealed from sync_stores order by seq desc limit 1)
    union all (select credentials from sync_sheets order by seq desc limit 1)
    union all (select sealed_secret from totp_secrets limit 1)`;
  return z
    .array(Sealed)
    .parse(rows)
    .map(({ sealed }) => sealed);
}
