import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';

const AccountRow = z.object({ id: z.string(), name: z.string(), furnished: z.boolean() });
export type AccountRow = z.output<typeof AccountRow>;

/** The SQL of accounts. */
export function createIdentityStore(sql: Sql | Tx) {
  return {
    async findLocal(): Promise<AccountRow | undefined> {
      const [row] = await sql`select id, name, furnished from accounts where is_local`;
      return row && AccountRow.parse(row);
    },

    async insert(row: { id: string; name: string; is_local: boolean }): Promise<boolean> {
      const inserted = await sql`
        insert into accounts (id, name, is_local) values (${row.id}, ${row.name}, ${row.is_local})
        on conflict do nothing returning id`;
      return inserted.length === 1;
    },

    async markSeeded(id: string): Promise<void> {
      await sql`update accounts set furnished = true where id = ${id}`;
    },

    async find(id: string): Promise<AccountRow | undefined> {
      const [row] = await sql`select id, name, furnished from accounts where id = ${id}`;
      return row && AccountRow.parse(row);
    },
  };
}
