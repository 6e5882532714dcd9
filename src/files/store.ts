import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';

const FileRow = z.object({
  id: z.string(),
  account_id: z.string(),
  token_sha256: z.string(),
  blob_key: z.string(),
  filename: z.string(),
  media_type: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  expires_at: z.date(),
});
export type FileRow = z.output<typeof FileRow>;

const BlobRow = z.object({ account_id: z.string(), blob_key: z.string() });

/** The SQL of files. Inside a transaction give it `tx`. */
export function createFileStore(sql: Sql | Tx) {
  return {
    /** Holds the blob until the transaction ends: between looking for its files and removing it, no file is added. */
    async lockBlob(key: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
    },

    async insert(row: FileRow): Promise<void> {
      await sql`
        insert into files
          (id, account_id, token_sha256, blob_key, filename, media_type, bytes, sha256, expires_at)
        values (${row.id}, ${row.account_id}, ${row.token_sha256}, ${row.blob_key}, ${row.filename},
          ${row.media_type}, ${row.bytes}, ${row.sha256}, ${row.expires_at})`;
    },

    async delete(accountId: string, id: string): Promise<void> {
      await sql`delete from files where account_id = ${accountId} and id = ${id}`;
    },

    /** A file of any account: who may read it is judged from the row, by its token or its account. */
    async find(id: string, now: Date): Promise<FileRow | undefined> {
      const [row] = await sql`
        select id, account_id, token_sha256, blob_key, filename, media_type, bytes, sha256, expires_at
        from files where id = ${id} and expires_at > ${now}
          and exists (select from accounts a where a.id = account_id and a.deleted_at is null)`;
      return row && FileRow.parse(row);
    },

    /** Blobs of which at least one file has expired, of all accounts. */
    async expiredBlobs(now: Date, limit: number): Promise<z.output<typeof BlobRow>[]> {
      const rows = await sql`
        select distinct account_id, blob_key from files where expires_at <= ${now}
        order by account_id, blob_key limit ${limit}`;
      return rows.map((row) => BlobRow.parse(row));
    },

    async blobsOf(accountId: string): Promise<string[]> {
      const rows = await sql`select distinct blob_key from files where account_id = ${accountId}`;
      return z
        .array(BlobRow.pick({ blob_key: true }))
        .parse(rows)
        .map(({ blob_key }) => blob_key);
    },

    async deleteExpired(accountId: string, blobKey: string, now: Date): Promise<number> {
      const deleted = await sql`
        delete from files
        where account_id = ${accountId} and blob_key = ${blobKey} and expires_at <= ${now} returning id`;
      return deleted.length;
    },

    async isUsed(accountId: string, blobKey: string): Promise<boolean> {
      const rows = await sql`
        select id from files where account_id = ${accountId} and blob_key = ${blobKey} limit 1`;
      return rows.length > 0;
    },
  };
}
