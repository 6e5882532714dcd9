import { createHash, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Blobs, type ByteRange, dayOld, type OpenBlob } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { createFileStore, type FileRow } from './store.ts';

export type NewFile = { readonly bytes: Uint8Array; readonly mediaType: string; readonly filename: string };

/** A new file too large for memory; it stays where it is. */
export type FileOnDisk = Omit<NewFile, 'bytes'> & { readonly path: string };

/** A file as callers see it. `path` contains the token, which lets anyone read the file until it expires. */
export type StoredFile = {
  readonly id: string;
  readonly filename: string;
  readonly media_type: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly expires_at: string;
  readonly path: string;
};

/** A file somebody may read; nothing is open yet. `read` answers undefined when its bytes are gone. */
export type OpenedFile = Omit<StoredFile, 'path'> & {
  read(range?: ByteRange): Promise<OpenBlob | undefined>;
};

/** What a reader shows: the token of the link, or the account that a credential speaks for. */
export type FileClaim = { readonly id: string; readonly token?: string; readonly accountId?: string };

export type Files = ReturnType<typeof createFiles>;

// What comes from an address may be no text a database can hold.
const ID = /^file_\w{1,40}$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const SWEPT_AT_ONCE = 500;
const BLOB_KEY = /^(acc_\w+)\/[0-9a-f]{64}$/;

/** Files handed out by link for some days. The bytes are blobs, one for each content of an account. */
export function createFiles({ sql, blobs, now = Date.now }: { sql: Sql; blobs: Blobs; now?: () => number }) {
  const store = createFileStore(sql);

  /** Removes the expired files of a blob, and the blob with the last of its files. */
  async function sweepBlob(accountId: string, key: string, until: Date): Promise<number> {
    return sql.begin(async (tx) => {
      const within = createFileStore(tx);
      await within.lockBlob(key);
      const removed = await within.deleteExpired(accountId, key, until);
      // If this fails the rows stay with it, and the next sweep tries again.
      if (!(await within.isUsed(accountId, key))) await blobs.delete(key);
      return removed;
    });
  }

  async function sweepExpired(until: Date): Promise<number> {
    let removed = 0;
    for (;;) {
      const expired = await store.expiredBlobs(until, SWEPT_AT_ONCE);
      for (const { account_id, blob_key } of expired) {
        removed += await sweepBlob(account_id, blob_key, until);
      }
      if (expired.length < SWEPT_AT_ONCE) return removed;
    }
  }

  return {
    /** Keeps a file for `days` days. */
    async save(
      accountId: string,
      file: NewFile | FileOnDisk,
      { days = 1 }: { days?: number } = {},
    ): Promise<StoredFile> {
      const token = randomBytes(32).toString('base64url');
      const { sha256, bytes } = await measure(file);
      const row: FileRow = {
        id: newId('file'),
        account_id: accountId,
        token_sha256: hash('sha256', token),
        blob_key: `${accountId}/${sha256}`,
        filename: file.filename,
        media_type: file.mediaType,
        bytes,
        sha256,
        expires_at: new Date(now() + days * DAY_MS),
      };
      // The row comes first: a sweep that sees it leaves the blob, and one that did not has removed it by then.
      await sql.begin(async (tx) => {
        const within = createFileStore(tx);
        await within.lockBlob(row.blob_key);
        await within.insert(row);
      });
      try {
        if ('path' in file) await blobs.putFile(row.blob_key, file.path);
        else await blobs.put(row.blob_key, file.bytes);
      } catch (error) {
        await store.delete(accountId, row.id);
        throw error;
      }
      return { ...present(row), path: `/v1/files/${row.id}?token=${token}` };
    },

    /** The file, when it is there and the reader may have it. */
    async open({ id, token, accountId }: FileClaim): Promise<OpenedFile | undefined> {
      const row = ID.test(id) ? await store.find(id, new Date(now())) : undefined;
      if (!row) return undefined;
      if (row.account_id !== accountId && !isToken(token, row.token_sha256)) return undefined;
      return { ...present(row), read: (range) => blobs.open(row.blob_key, range) };
    },

    /** Where the bytes of an account's files are; to be read before the account is deleted, and removed after. */
    blobsOf: (accountId: string): Promise<readonly string[]> => store.blobsOf(accountId),

    /** Removes blobs that no file uses. Ignores failures: the sweep removes the remaining ones. */
    async removeBlobs(keys: readonly string[]): Promise<void> {
      for (const key of keys) await blobs.delete(key).catch(() => {});
    },

    /** Removes expired files and the blobs that no file has any more; answers how many files. */
    async sweep(): Promise<number> {
      const until = new Date(now());
      const removed = await sweepExpired(until);
      // Left by accounts and rows that are gone. Younger ones are most likely in use.
      for await (const key of blobs.keys(dayOld(now))) {
        const accountId = BLOB_KEY.exec(key)?.[1];
        if (accountId !== undefined) await sweepBlob(accountId, key, until);
      }
      return removed;
    },
  };
}

async function measure(file: NewFile | FileOnDisk): Promise<{ sha256: string; bytes: number }> {
  if ('bytes' in file) return { sha256: hash('sha256', file.bytes), bytes: file.bytes.length };
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file.path)) {
    digest.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: digest.digest('hex'), bytes };
}

function isToken(token: string | undefined, expected: string): boolean {
  return (
    token !== undefined && timingSafeEqual(hash('sha256', token, 'buffer'), Buffer.from(expected, 'hex'))
  );
}

function present({ id, filename, media_type, bytes, sha256, expires_at }: FileRow): Omit<StoredFile, 'path'> {
  return { id, filename, media_type, bytes, sha256, expires_at: expires_at.toISOString() };
}
