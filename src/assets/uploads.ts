import { createHash, hash, randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../errors.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { withTemporaryFile } from '../platform/temporary-file.ts';
import type { Author, NewAssetFile, SavedAsset } from './assets.ts';
import type { UploadRow } from './upload-repo.ts';
import * as uploadRepo from './upload-repo.ts';

type UploadsDeps = {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly save: (author: Author, file: NewAssetFile) => Promise<SavedAsset>;
  readonly now: () => number;
};

export type UploadRequest = {
  readonly path: string;
  /** The most that is taken. */
  readonly bytes: number;
  /** Whether it is the size of the file; otherwise one request has all of it. */
  readonly exact: boolean;
  readonly sha256?: string | undefined;
  readonly alt?: string | undefined;
  readonly tags?: readonly string[] | undefined;
};

export type UploadState = { readonly received: number; readonly bytes: number; readonly expiresAt: Date };

/** What follows from a part: the asset once all is there. */
export type PartTaken = { readonly received: number; readonly asset?: SavedAsset };

const TTL_MS = 60 * 60 * 1000;
const MAX_OPEN = 50;
const MAX_PARTS = 1_000;

/** Links that take one file without a credential, in one piece or in several. The token is only in the link. */
export function createUploads({ sql, blobs, save, now }: UploadsDeps) {
  async function find(token: string): Promise<UploadRow> {
    const row = /^[\w-]{43}$/.test(token)
      ? await uploadRepo.findUpload(sql, hash('sha256', token), new Date(now()))
      : undefined;
    if (!row) throw new Fault('not_found.asset_upload');
    return row;
  }

  async function removeParts({ parts }: UploadRow): Promise<void> {
    for (const key of parts) await blobs.delete(key).catch(() => {});
  }

  /** The link works once: who comes second gets 404. A file that is rejected ends it too. */
  async function finish(row: UploadRow, token: string): Promise<SavedAsset> {
    const upload = await find(token);
    try {
      const asset = await withTemporaryFile(async (file) => {
        const sha256 = await join(upload.parts, file);
        if (upload.sha256 !== null && upload.sha256 !== sha256)
          throw new Fault('validation_failed.asset_sha256', { path: upload.path, sha256 });
        const { path, alt, tags, account_id: accountId, created_by: actor } = upload;
        return save({ accountId, actor }, { path, file, alt: alt ?? undefined, tags: tags ?? undefined });
      });
      if (!(await uploadRepo.deleteUpload(sql, upload))) throw new Fault('not_found.asset_upload');
      await removeParts(upload);
      return asset;
    } catch (error) {
      if (error instanceof Fault && error.status < 500 && (await uploadRepo.deleteUpload(sql, row)))
        await removeParts(upload);
      throw error;
    }
  }

  async function join(parts: readonly string[], file: string): Promise<string> {
    const digest = createHash('sha256');
    for (const key of parts) {
      const opened = await blobs.open(key);
      if (!opened) throw new Fault('not_found.asset_upload');
      opened.stream.on('data', (chunk: Buffer) => digest.update(chunk));
      await pipeline(opened.stream, createWriteStream(file, { flags: 'a', mode: 0o600 }));
    }
    return digest.digest('hex');
  }

  return {
    /** @throws Fault conflict.asset_uploads */
    async create(
      { accountId, actor }: Author,
      { path, bytes, exact, sha256, alt, tags }: UploadRequest,
    ): Promise<{ readonly token: string; readonly expiresAt: Date }> {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(now() + TTL_MS);
      const upload = {
        id: newId('upl'),
        account_id: accountId,
        tokenSha256: hash('sha256', token),
        path,
        alt: alt ?? null,
        tags: tags ? [...tags] : null,
        bytes,
        exact,
        sha256: sha256 ?? null,
        created_by: actor,
        expires_at: expiresAt,
      };
      if (!(await uploadRepo.insertUpload(sql, upload, MAX_OPEN)))
        throw new Fault('conflict.asset_uploads', { limit: MAX_OPEN });
      return { token, expiresAt };
    },

    /** @throws Fault not_found.asset_upload */
    async state(token: string): Promise<UploadState & { readonly accountId: string }> {
      const { account_id: accountId, received, bytes, expires_at: expiresAt } = await find(token);
      return { accountId, received, bytes, expiresAt };
    },

    /** Forgets what was received, for a client that sends all of it again. */
    async restart(token: string): Promise<void> {
      const row = await find(token);
      await uploadRepo.clearParts(sql, row);
      await removeParts(row);
    },

    /**
     * Takes what follows after `offset`: a file on disk. With the last part the asset is made; `isLast` says that it is one,
     * which counts where the size was not announced.
     * @throws Fault conflict.asset_offset when something else was received, not_found.asset_upload, and those of `save`
     */
    async take(token: string, offset: number, file: string, isLast = false): Promise<PartTaken> {
      const row = await find(token);
      const { size } = await stat(file);
      if (row.received !== offset) throw new Fault('conflict.asset_offset', { offset: row.received });
      if (offset + size > row.bytes) throw new Fault('too_large.asset_upload', { bytes: row.bytes });
      if (row.parts.length >= MAX_PARTS) throw new Fault('conflict.asset_parts', { limit: MAX_PARTS });
      if (size > 0) {
        const key = `asset-uploads/${row.account_id}/${row.id}/${randomUUID()}`;
        await blobs.putFile(key, file);
        if (!(await uploadRepo.appendPart(sql, row, { key, offset, bytes: size }))) {
          await blobs.delete(key);
          throw new Fault('conflict.asset_offset', { offset: (await find(token)).received });
        }
      }
      const received = offset + size;
      const isComplete = received === row.bytes || (isLast && !row.exact);
      return !isComplete ? { received } : { received, asset: await finish(row, token) };
    },
  };
}
