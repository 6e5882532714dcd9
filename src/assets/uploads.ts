import { createHash, hash, randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { withTemporaryFile } from '../platform/temporary-file.ts';
import * as assetRepo from './asset-repo.ts';
import type { Author, NewAssetFile, SavedAsset } from './assets.ts';
import type { RequirePublishable } from './published-uses.ts';
import type { StorageQuota } from './storage-quota.ts';
import type { UploadRow } from './upload-repo.ts';
import * as uploadRepo from './upload-repo.ts';

type UploadsDeps = {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly quota: StorageQuota;
  readonly save: (author: Author, file: NewAssetFile) => Promise<SavedAsset>;
  /** An earlier caller with the scopes that are left. @throws Fault when its credential has ended */
  readonly renewCaller: (caller: Caller) => Promise<Caller>;
  readonly requirePublishable: RequirePublishable;
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

/**
 * Links that take one file without a credential, in one piece or in several. The token is only in the link.
 * Invariants: what has arrived counts for the quota; a link works as long as its creator may upload.
 */
export function createUploads({
  sql,
  blobs,
  quota,
  save,
  renewCaller,
  requirePublishable,
  now,
}: UploadsDeps) {
  /** @throws Fault not_found.asset_upload */
  async function find(token: string): Promise<UploadRow> {
    const row = /^[\w-]{43}$/.test(token)
      ? await uploadRepo.findUpload(sql, hash('sha256', token), new Date(now()))
      : undefined;
    if (!row) throw new Fault('not_found.asset_upload');
    const caller = await renewed(row);
    if (caller?.scopes.includes('assets:write')) return { ...row, caller };
    if (await uploadRepo.deleteUpload(sql, row)) await removeParts(row);
    throw new Fault('not_found.asset_upload');
  }

  /** Who made the link, with the rights that are left; undefined once the credential has ended. */
  async function renewed({ account_id: accountId, caller }: UploadRow): Promise<Caller | undefined> {
    return renewCaller({ ...caller, accountId }).catch((error: unknown) => {
      if (!(error instanceof Fault) || error.status >= 500) throw error;
      return undefined;
    });
  }

  /** Stores a part; false when another one is at its offset. @throws Fault plan_limit.assets */
  async function append(row: UploadRow, offset: number, file: string, bytes: number): Promise<boolean> {
    const key = `asset-uploads/${row.account_id}/${row.id}/${randomUUID()}`;
    await blobs.putFile(key, file);
    const added = await sql
      .begin(async (tx) => {
        await assetRepo.lockLibrary(tx, row.account_id);
        await quota.requireSpace(tx, row.account_id, bytes);
        return uploadRepo.appendPart(tx, row, { key, offset, bytes });
      })
      .catch((error: unknown) => error);
    // Of any other error no one knows whether the row names it; the sweep does.
    if (added === false || added instanceof Fault) await blobs.delete(key);
    if (typeof added === 'boolean') return added;
    throw added;
  }

  async function removeParts({ parts }: Pick<UploadRow, 'parts'>): Promise<void> {
    for (const key of parts) await blobs.delete(key).catch(() => {});
  }

  /** The link works once: who comes second gets 404. A file that is rejected ends it too. */
  async function finish(row: UploadRow, token: string): Promise<SavedAsset> {
    const upload = await find(token);
    try {
      await requirePublishable({ ...upload.caller, accountId: upload.account_id }, upload.path);
      const asset = await withTemporaryFile(async (file) => {
        const sha256 = await join(upload.parts, file);
        if (upload.sha256 !== null && upload.sha256 !== sha256)
          throw new Fault('validation_failed.asset_sha256', { path: upload.path, sha256 });
        const { path, alt, tags, account_id: accountId, created_by: actor } = upload;
        return save(
          { accountId, actor },
          { path, file, alt: alt ?? undefined, tags: tags ?? undefined, upload: upload.id },
        );
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
    /** @throws Fault conflict.asset_uploads, plan_limit.assets, insufficient_scope.asset_published */
    async create(
      caller: Caller,
      { path, bytes, exact, sha256, alt, tags }: UploadRequest,
    ): Promise<{ readonly token: string; readonly expiresAt: Date }> {
      await requirePublishable(caller, path);
      if (exact) await quota.requireSpace(sql, caller.accountId, bytes);
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(now() + TTL_MS);
      const upload = {
        id: newId('upl'),
        tokenSha256: hash('sha256', token),
        path,
        alt: alt ?? null,
        tags: tags ? [...tags] : null,
        bytes,
        exact,
        sha256: sha256 ?? null,
        expires_at: expiresAt,
      };
      if (!(await uploadRepo.insertUpload(sql, caller, upload, MAX_OPEN)))
        throw new Fault('conflict.asset_uploads', { limit: MAX_OPEN });
      return { token, expiresAt };
    },

    /** @throws Fault not_found.asset_upload */
    async state(token: string): Promise<UploadState & { readonly accountId: string }> {
      return stateOf(await find(token));
    },

    /**
     * The state for a client that goes on. One that has sent everything sends nothing more, so where the server ended
     * between the last part and the asset, the asset is made now.
     * @throws Fault not_found.asset_upload, and those of `save`
     */
    async resume(token: string): Promise<UploadState> {
      const row = await find(token);
      if (row.received === row.bytes) await finish(row, token);
      return stateOf(row);
    },

    /** Before a part is received. @throws Fault plan_limit.assets when it can't fit */
    requireSpace: (accountId: string, bytes: number): Promise<void> =>
      quota.requireSpace(sql, accountId, bytes),

    /** Forgets what was received, for a client that sends all of it again. */
    async restart(token: string): Promise<void> {
      const row = await find(token);
      // Not those of the row: another part may have arrived since.
      await removeParts({ parts: await uploadRepo.clearParts(sql, row) });
    },

    /**
     * Takes what follows after `offset`: a file on disk. With the last part the asset is made; `isLast` says that it is one,
     * which counts where the size was not announced.
     * @throws Fault conflict.asset_offset when something else was received, not_found.asset_upload, plan_limit.assets, and
     * those of `save`
     */
    async take(token: string, offset: number, file: string, isLast = false): Promise<PartTaken> {
      const row = await find(token);
      const { size } = await stat(file);
      if (row.received !== offset) throw new Fault('conflict.asset_offset', { offset: row.received });
      if (offset + size > row.bytes) throw new Fault('too_large.asset_upload', { bytes: row.bytes });
      if (row.parts.length >= MAX_PARTS) throw new Fault('conflict.asset_parts', { limit: MAX_PARTS });
      if (size > 0 && !(await append(row, offset, file, size)))
        throw new Fault('conflict.asset_offset', { offset: (await find(token)).received });
      const received = offset + size;
      const isComplete = received === row.bytes || (isLast && !row.exact);
      return !isComplete ? { received } : { received, asset: await finish(row, token) };
    },
  };
}

function stateOf({ account_id: accountId, received, bytes, expires_at: expiresAt }: UploadRow) {
  return { accountId, received, bytes, expiresAt };
}
