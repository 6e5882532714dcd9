import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';

const Counts = z.object({ stores: z.number(), sheets: z.number() });

/** The SQL of what an account has connected. */
export function createUsageStore(sql: Sql) {
  return {
    async count(accountId: string): Promise<z.output<typeof Counts>> {
      const [row] = await sql`
        select (select count(*)::integer from sync_stores where account_id = ${accountId}) as stores,
          (select count(*)::integer from sync_sheets where account_id = ${accountId}) as sheets`;
      return Counts.parse(row);
    },
  };
}
