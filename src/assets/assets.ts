/**
 * The account's own pictures, fonts, sounds and clips. In: files of any kind. Out: assets by path and ID, whose content has a
 * public address that never changes.
 * Invariants: a row's blob is stored before the row; a content is stored once for an account; everything that is served was
 * judged by its bytes.
 */
import { writeFile } from 'node:fs/promises';
import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Blobs, ByteRange, OpenBlob } from '../platform/blobs/blobs.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { byName, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import { withTemporaryFile } from '../platform/temporary-file.ts';
import { createAddresses } from './addresses.ts';
import { type Asset, type AssetType, type AssetUse, blobKey, publicPath } from './asset.ts';
import * as assetRepo from './asset-repo.ts';
import { type ExaminedFile, examineFile } from './examine-file.ts';
import { createPictures, type VariantRequest } from './pictures.ts';
import { createRequirePublishable } from './published-uses.ts';
import { findReferences, type ReferencingText, referencesTo } from './references.ts';
import { createMemoryVariants, createShippedFiles, isShipped, type ShippedPicture } from './shipped-files.ts';
import { createStorageQuota } from './storage-quota.ts';
import { sweepBlobs } from './sweep-blobs.ts';
import * as uploadRepo from './upload-repo.ts';
import { createUploads } from './uploads.ts';
import * as variantRepo from './variant-repo.ts';
import { createBlobVariants, createVariants, type Variant, variantKey } from './variants.ts';

export type Author = { readonly accountId: string; readonly actor: string };

export type NewAssetFile = {
  readonly path: string;
  /** A file on disk, which may be changed. */
  readonly file: string;
  /** Unset, what the asset has stays. */
  readonly alt?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Of an asset that a bundle brings, when the account has no such asset yet. */
  readonly id?: string | undefined;
  /** The upload link that received it. */
  readonly upload?: string | undefined;
};

export type SavedAsset = Asset & { readonly created: boolean };

export type AssetQuery = PageRequest & {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly type?: AssetType | undefined;
  readonly folder?: string | undefined;
  readonly unused: boolean;
  readonly deleted: boolean;
};

/** A content at its public address. */
export type PublicContent = {
  readonly accountId: string;
  readonly sha256: string;
  readonly type: AssetType;
  readonly media_type: string;
  readonly bytes: number;
  read(range?: ByteRange): Promise<OpenBlob | undefined>;
};

type AssetsDeps = {
  readonly sql: Sql;
  readonly blobs: Blobs;
  /** Bytes that the account's plan includes. */
  readonly quotaOf: (accountId: string) => Promise<number>;
  /** Texts of the account that may refer to assets. */
  readonly textsOf: (accountId: string) => Promise<readonly ReferencingText[]>;
  /** Those of them that an environment shows. */
  readonly publishedTextsOf: (accountId: string) => Promise<readonly ReferencingText[]>;
  readonly audit: {
    record(
      tx: Tx,
      accountId: string,
      event: { actor: string; action: string; target: string; from?: string; to?: string },
    ): Promise<void>;
  };
  /** An earlier caller with the scopes that are left. @throws Fault when its credential has ended */
  readonly renewCaller: (caller: Caller) => Promise<Caller>;
  /** Downloads a file from a public address. */
  readonly fetchFile: FetchFile;
  /** Where people reach the server, without a slash at the end. */
  readonly origin: string;
  /** Pictures that come with the product. */
  readonly shipped: readonly ShippedPicture[];
  readonly now?: () => number;
};

type FetchFile = (url: string, signal: AbortSignal) => Promise<Uint8Array>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a deleted asset can be restored. */
const RESTORABLE_DAYS = 30;

export function createAssets({
  sql,
  blobs,
  quotaOf,
  textsOf,
  publishedTextsOf,
  audit,
  fetchFile,
  renewCaller,
  origin,
  shipped,
  now = Date.now,
}: AssetsDeps) {
  const pictures = createPictures();
  const variants = createVariants({ store: createBlobVariants({ sql, blobs }), pictures });
  const shippedVariants = createVariants({ store: createMemoryVariants(), pictures });
  const shippedFiles = createShippedFiles(shipped);
  const quota = createStorageQuota({ sql, quotaOf });

  /** Judges the file and stores it at its path. A file already at the path is replaced; its address continues to work. */
  async function save(author: Author, file: NewAssetFile): Promise<SavedAsset> {
    const { accountId } = author;
    const examined = await examineFile(pictures, file.file, file.path, { accountId });
    await requireSpace(sql, accountId, examined, file.upload);
    for (;;) {
      await storeBlob(accountId, examined);
      const saved = await sql.begin(async (tx) => {
        await assetRepo.lockLibrary(tx, accountId);
        await assetRepo.lockContent(tx, accountId, examined.sha256);
        // A sweep may have removed a blob that no row named yet; from here on it can't.
        if (!(await hasBlob(accountId, examined.sha256))) return undefined;
        await requireSpace(tx, accountId, examined, file.upload);
        await assetRepo.insertContent(tx, accountId, examined);
        return writeAsset(tx, author, file, examined);
      });
      if (saved) {
        addresses.forget(accountId);
        return saved;
      }
    }
  }

  async function storeBlob(accountId: string, examined: ExaminedFile): Promise<void> {
    const key = blobKey(accountId, examined.sha256);
    if (
      (await assetRepo.hasContent(sql, accountId, examined.sha256)) &&
      (await hasBlob(accountId, examined.sha256))
    )
      return;
    if ('content' in examined) await blobs.put(key, examined.content);
    else await blobs.putFile(key, examined.file);
  }

  async function hasBlob(accountId: string, sha256: string): Promise<boolean> {
    const opened = await blobs.open(blobKey(accountId, sha256));
    opened?.stream.destroy();
    return opened !== undefined;
  }

  async function writeAsset(
    tx: Tx,
    { accountId, actor }: Author,
    { path, alt, tags, id }: NewAssetFile,
    { sha256 }: ExaminedFile,
  ): Promise<SavedAsset> {
    const former = await assetRepo.findAsset(tx, accountId, path);
    const given = id !== undefined && !(await assetRepo.findAsset(tx, accountId, id)) ? id : undefined;
    const key = former?.id ?? given ?? newId('ast');
    if (former) {
      const change = { path, sha256, alt: alt ?? former.alt, tags: tags ?? former.tags, deletedAt: null };
      await assetRepo.updateAsset(tx, accountId, key, change);
    } else {
      const added = { id: key, path, sha256, alt: alt ?? '', tags: tags ?? [], actor };
      await assetRepo.insertAsset(tx, accountId, added);
    }
    await assetRepo.insertState(tx, accountId, key, sha256);
    if (former?.sha256 !== sha256) {
      const action = former ? 'asset.replaced' : 'asset.created';
      const from = former && { from: former.sha256 };
      await audit.record(tx, accountId, { actor, action, target: path, ...from, to: sha256 });
    }
    return { ...present(await require(tx, accountId, key)), created: former === undefined };
  }

  /** @throws Fault plan_limit.assets */
  async function requireSpace(
    on: Sql | Tx,
    accountId: string,
    { sha256, bytes }: ExaminedFile,
    upload: string | undefined,
  ): Promise<void> {
    if (await assetRepo.hasContent(on, accountId, sha256)) return;
    await quota.requireSpace(on, accountId, bytes, upload);
  }

  /** @throws Fault not_found.asset */
  async function require(on: Sql | Tx, accountId: string, idOrPath: string) {
    const found = await assetRepo.findAsset(on, accountId, idOrPath);
    if (!found) throw new Fault('not_found.asset', { asset: idOrPath });
    return found;
  }

  async function usesOf(accountId: string, assets: readonly Asset[]): Promise<(Asset & Uses)[]> {
    if (assets.length === 0) return [];
    const texts = await textsOf(accountId);
    return Promise.all(
      assets.map(async (asset) => {
        const states = await assetRepo.statesOf(sql, accountId, asset.id);
        return { ...asset, used_by: referencesTo(texts, [asset.id, asset.path, ...states]) };
      }),
    );
  }

  /** `save` for bytes in memory. */
  function saveBytes(
    author: Author,
    bytes: Uint8Array,
    file: Omit<NewAssetFile, 'file'>,
  ): Promise<SavedAsset> {
    return withTemporaryFile(async (path) => {
      await writeFile(path, bytes, { mode: 0o600 });
      return save(author, { ...file, file: path });
    });
  }

  /** What references, IDs or paths, stand for; those that name nothing are left out. */
  async function resolve(
    accountId: string,
    references: readonly string[],
  ): Promise<ReadonlyMap<string, Asset>> {
    if (references.length === 0) return new Map();
    const rows = await assetRepo.findReferenced(sql, accountId, references);
    const byEither = rows.flatMap((row) => [
      [row.id, present(row)] as const,
      [row.path, present(row)] as const,
    ]);
    return new Map(byEither);
  }

  const addresses = createAddresses({ resolve, origin });
  const requirePublishable = createRequirePublishable({ sql, publishedTextsOf });
  const uploads = createUploads({ sql, blobs, quota, save, requirePublishable, renewCaller, now });

  return {
    save,
    uploads,
    requirePublishable,

    saveBytes,

    /** `save` for the file at a public address. @throws Fault validation_failed.asset_url */
    async saveFrom(
      author: Author,
      url: string,
      file: Omit<NewAssetFile, 'file'>,
      signal: AbortSignal,
    ): Promise<SavedAsset> {
      return saveBytes(author, await fetchFile(url, signal), file);
    },

    /** @throws Fault not_found.asset */
    async get(accountId: string, idOrPath: string): Promise<Asset & Uses> {
      const asset = present(await require(sql, accountId, idOrPath));
      const [found] = await usesOf(accountId, [asset]);
      return found ?? { ...asset, used_by: [] };
    },

    /** With `unused`, those that no template, sample data or video template refers to. */
    async list(accountId: string, { unused, ...query }: AssetQuery): Promise<Page<Asset & Uses>> {
      const notIn = unused ? findReferences(await textsOf(accountId)) : [];
      const page = byName(query);
      const rows = await assetRepo.listAssets(sql, accountId, { ...query, notIn }, page);
      const found = pageOf(rows, page.limit, ({ path, id }) => `${path} ${id}`, present);
      return { ...found, items: await usesOf(accountId, found.items) };
    },

    /** Moves, describes or restores an asset. @throws Fault not_found.asset, name_taken.asset */
    async update(
      { accountId, actor }: Author,
      idOrPath: string,
      change: Partial<Pick<assetRepo.AssetChange, 'path' | 'alt' | 'tags'>> & { readonly deleted?: false },
    ): Promise<Asset & Uses> {
      const row = await sql.begin(async (tx) => {
        await assetRepo.lockLibrary(tx, accountId);
        const former = await require(tx, accountId, idOrPath);
        const deletedAt = change.deleted === false ? null : (former.deleted_at ?? null);
        const next = {
          sha256: former.sha256,
          alt: former.alt,
          tags: former.tags,
          path: former.path,
          ...change,
        };
        const other = await assetRepo.findAsset(tx, accountId, next.path);
        if (deletedAt === null && other && other.id !== former.id)
          throw new Fault('name_taken.asset', { path: next.path });
        await assetRepo.updateAsset(tx, accountId, former.id, { ...next, deletedAt });
        const event = { actor, action: 'asset.updated', target: former.path, to: next.path };
        await audit.record(tx, accountId, event);
        return require(tx, accountId, former.id);
      });
      addresses.forget(accountId);
      const [found] = await usesOf(accountId, [present(row)]);
      return found ?? { ...present(row), used_by: [] };
    },

    /** Its address stops working. It can be restored for 30 days. @throws Fault not_found.asset, conflict.asset_used */
    async delete({ accountId, actor }: Author, idOrPath: string, force: boolean): Promise<void> {
      const asset = await require(sql, accountId, idOrPath);
      if (asset.deleted_at) throw new Fault('not_found.asset', { asset: idOrPath });
      const [{ used_by: users } = { used_by: [] }] = await usesOf(accountId, [present(asset)]);
      if (users.length > 0 && !force) {
        const named = users.map(({ name }) => name).slice(0, 10);
        throw new Fault(
          'conflict.asset_used',
          { path: asset.path, users: named.join(', ') },
          { data: { used_by: users } },
        );
      }
      await sql.begin(async (tx) => {
        await assetRepo.lockLibrary(tx, accountId);
        const { path, sha256, alt, tags } = await require(tx, accountId, asset.id);
        const deletedAt = new Date(now());
        await assetRepo.updateAsset(tx, accountId, asset.id, { path, sha256, alt, tags, deletedAt });
        await audit.record(tx, accountId, { actor, action: 'asset.deleted', target: path });
      });
      addresses.forget(accountId);
    },

    resolve,
    addressesOf: addresses.of,
    listeners: addresses.listeners,

    usage: quota.usage,

    paths: (accountId: string): Promise<string[]> => assetRepo.allPaths(sql, accountId),

    /** The bytes of an asset of the account. */
    read: (accountId: string, sha256: string): Promise<OpenBlob | undefined> =>
      blobs.open(blobKey(accountId, sha256)),

    /** A content by its public address; undefined where no account shows it, and it does not come with the product. */
    async findPublic(sha256: string): Promise<PublicContent | undefined> {
      const ours = await shippedFiles.find(sha256);
      if (ours) return ours;
      const row = /^[0-9a-f]{64}$/.test(sha256) ? await assetRepo.findPublic(sql, sha256) : undefined;
      if (!row) return undefined;
      const { account_id: accountId, type, media_type, bytes } = row;
      const read = (range?: ByteRange) => blobs.open(blobKey(accountId, sha256), range);
      return { accountId, sha256, type, media_type, bytes, read };
    },

    /** One of our public addresses where a caller reaches it; any other address as it is. */
    addressAt: (url: string, baseUrl: string) =>
      url.startsWith(`${origin}/a/`) ? `${baseUrl}${url.slice(origin.length)}` : url,

    /** Another size or format of a picture. @throws Fault validation_failed.asset_variant, unavailable.pictures_full */
    variant(content: PublicContent, asked: VariantRequest, whenNew: () => Promise<void>): Promise<Variant> {
      return (isShipped(content) ? shippedVariants : variants).find(content, asked, whenNew);
    },

    /** Keys of the blobs of an account. */
    async blobsOf(accountId: string): Promise<string[]> {
      const contents = await assetRepo.contentsOf(sql, accountId);
      return [
        ...contents.map((sha256) => blobKey(accountId, sha256)),
        ...(await variantRepo.variantsOf(sql, accountId)).map((one) => variantKey(accountId, one)),
        ...(await uploadRepo.partsOf(sql, accountId)),
      ];
    },

    async removeBlobs(keys: readonly string[]): Promise<void> {
      for (const key of keys) await blobs.delete(key).catch(() => {});
    },

    /** Removes what was deleted 30 days ago, links that expired, and blobs without a row. */
    async sweep(): Promise<void> {
      await assetRepo.purgeAssets(sql, new Date(now() - RESTORABLE_DAYS * DAY_MS));
      for (const key of await uploadRepo.deleteExpired(sql, new Date(now()))) await blobs.delete(key);
      await sweepBlobs({ sql, blobs, now });
    },
  };
}

type Uses = { readonly used_by: readonly AssetUse[] };

function present(row: assetRepo.AssetRow): Asset {
  const { id, path, type, media_type, bytes, width, height, duration, sha256, alt, tags, created_by } = row;
  return {
    ...{ id, path, type, media_type, bytes, sha256, alt, tags, created_by },
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(duration !== undefined && { duration }),
    public_path: publicPath(sha256, path),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...(row.deleted_at && { deleted_at: row.deleted_at.toISOString() }),
  };
}
