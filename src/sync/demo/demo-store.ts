import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';

const Row = z.object({ state: z.json() });

export type DemoStore = ReturnType<typeof createDemoStore>;

/** The SQL of demo stores and sheets. */
export function createDemoStore(sql: Sql) {
  return {
    async find(accountId: string, name: string): Promise<unknown> {
      const [row] =
        await sql`select state from sync_demos where account_id = ${accountId} and name = ${name}`;
      return row && Row.parse(row).state;
    },

    /** `state` is JSON. */
    async save(accountId: string, name: string, state: string): Promise<void> {
      await sql`
        insert into sync_demos (account_id, name, state) values (${accountId}, ${name}, ${state}::text::jsonb)
        on conflict (account_id, name) do update set state = excluded.state, updated_at = now()`;
    },
  };
}
