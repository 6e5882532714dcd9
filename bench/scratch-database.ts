import { randomBytes } from 'node:crypto';
import postgres from 'postgres';

/** A new database on the server of `url`, dropped at the end. The role of `url` must be allowed to create one. */
export async function createScratchDatabase(url: string) {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`create database ${sql(name)}`;
  const address = new URL(url);
  address.pathname = name;
  return {
    url: address.href,

    async [Symbol.asyncDispose](): Promise<void> {
      await sql`drop database ${sql(name)} with (force)`;
      await sql.end();
    },
  };
}
