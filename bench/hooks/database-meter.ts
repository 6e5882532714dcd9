import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { z } from 'zod';
import { processesOf } from './processor.ts';

const Count = z.object({ committed: z.coerce.number() });

/** Backends report what they committed once a second, with their next statement. */
const REPORT_MS = 1_200;

export type DatabaseMeter = ReturnType<typeof createDatabaseMeter>;

/** What a PostgreSQL database on this machine does. */
export function createDatabaseMeter(url: string) {
  const name = basename(new URL(url).pathname);
  const address = new URL(url);
  address.pathname = 'postgres';
  const sql = postgres(address.href, { max: 1, onnotice: () => {} });
  return {
    /** The processes that serve its connections now. */
    backends: () => processesOf('postgres: ', ` ${name} `),

    /** Transactions committed: as many as statements, where each is its own. */
    async committed(): Promise<number> {
      await sleep(REPORT_MS);
      const [row] = await sql`select xact_commit as committed from pg_stat_database where datname = ${name}`;
      return Count.parse(row).committed;
    },
    [Symbol.asyncDispose]: () => sql.end(),
  };
}
