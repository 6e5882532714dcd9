import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import { AssetType, type Content, LIMITS } from './asset.ts';

const count = z.coerce.number();
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().transform((value) => value ?? undefined);

const ContentRow = z.object({
  account_id: z.string(),
  sha256: z.string(),
  type: AssetType,
  media_type: z.string(),
  bytes: count,
  width: optional(z.number()),
  height: optional(z.number()),
  duration: optional(z.number()),
});
export type ContentRow = z.output<typeof ContentRow>;

const AssetRow = ContentRow.extend({
  id: z.string(),
  path: z.string(),
  alt: z.string(),
  tags: z.array(z.string()),
  created_by: z.string(),
  created_at: z.date(),
  updated_at: z.date(),
  deleted_at: optional(z.date()),
});
export type AssetRow = z.output<typeof AssetRow>;

const rowsOf = (rows: readonly unknown[]): AssetRow[] => rows.map((row) => AssetRow.parse(row));

/** Holds the content of an account until the transaction ends: no blob of it is removed before. */
export async function lockContent(tx: Tx, accountId: string, sha256: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`asset ${accountId} ${sha256}`}, 0))`;
}

/** One at a time in an account changes what it stores, so that the quota holds. */
export async function lockLibrary(tx: Tx, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`assets ${accountId}`}, 0))`;
}

/** Bytes that count for the quota: of contents, and of what upload links have received, without that of one of them. */
export async function usedBytes(sql: Sql | Tx, accountId: string, withoutUpload = ''): Promise<number> {
  const [row] = await sql`
    select ((select coalesce(sum(greatest(bytes, ${LIMITS.leastBytes})), 0)
        from asset_contents where account_id = ${accountId})
      + (select coalesce(sum(greatest(received, cardinality(parts) * ${LIMITS.leastBytes})), 0)
        from asset_uploads where account_id = ${accountId} and id <> ${withoutUpload}))::bigint as bytes`;
  return z.object({ bytes: count }).parse(row).bytes;
}

export async function hasContent(sql: Sql | Tx, accountId: string, sha256: string): Promise<boolean> {
  const rows = await sql`
    select 1 from asset_contents where account_id = ${accountId} and sha256 = ${sha256}`;
  return rows.length > 0;
}

export async function insertContent(tx: Tx, accountId: string, content: Content): Promise<void> {
  const { sha256, type, mediaType, bytes, width = null, height = null, duration = null } = content;
  await tx`
    insert into asset_contents (account_id, sha256, type, media_type, bytes, width, height, duration)
    values (${accountId}, ${sha256}, ${type}, ${mediaType}, ${bytes}, ${width}, ${height}, ${duration})
    on conflict do nothing`;
}

export type NewAsset = {
  readonly id: string;
  readonly path: string;
  readonly sha256: string;
  readonly alt: string;
  readonly tags: readonly string[];
  readonly actor: string;
};

export async function insertAsset(tx: Tx, accountId: string, asset: NewAsset): Promise<void> {
  const { id, path, sha256, alt, tags, actor } = asset;
  await tx`
    insert into assets (id, account_id, path, sha256, alt, tags, created_by)
    values (${id}, ${accountId}, ${path}, ${sha256}, ${alt}, ${[...tags]}, ${actor})`;
  await announce(tx, accountId);
}

/** Records that the asset has had the content. */
export async function insertState(tx: Tx, accountId: string, id: string, sha256: string): Promise<void> {
  await tx`
    insert into asset_states (account_id, asset_id, sha256) values (${accountId}, ${id}, ${sha256})
    on conflict do nothing`;
}

export type AssetChange = {
  readonly path: string;
  readonly sha256: string;
  readonly alt: string;
  readonly tags: readonly string[];
  readonly deletedAt: Date | null;
};

export async function updateAsset(tx: Tx, accountId: string, id: string, change: AssetChange): Promise<void> {
  const { path, sha256, alt, tags, deletedAt } = change;
  await tx`
    update assets set path = ${path}, sha256 = ${sha256}, alt = ${alt}, tags = ${[...tags]},
      deleted_at = ${deletedAt}, updated_at = now()
    where account_id = ${accountId} and id = ${id}`;
  await announce(tx, accountId);
}

/** Every node forgets the addresses of the account's assets. */
async function announce(tx: Tx, accountId: string): Promise<void> {
  await tx`select pg_notify('assets', ${accountId})`;
}

/** An asset by its ID, deleted or not, or by the path of one that is not. */
export async function findAsset(
  sql: Sql | Tx,
  accountId: string,
  idOrPath: string,
): Promise<AssetRow | undefined> {
  const [row] = await sql`
    select a.*, c.type, c.media_type, c.bytes, c.width, c.height, c.duration
    from assets a join asset_contents c on c.account_id = a.account_id and c.sha256 = a.sha256
    where a.account_id = ${accountId}
      and (a.id = ${idOrPath} or (a.path = ${idOrPath} and a.deleted_at is null))`;
  return row && AssetRow.parse(row);
}

/** Those of the references, IDs or paths, that name an asset which is not deleted. */
export async function findReferenced(
  sql: Sql,
  accountId: string,
  references: readonly string[],
): Promise<AssetRow[]> {
  const rows = await sql`
    select a.*, c.type, c.media_type, c.bytes, c.width, c.height, c.duration
    from assets a join asset_contents c on c.account_id = a.account_id and c.sha256 = a.sha256
    where a.account_id = ${accountId} and a.deleted_at is null
      and (a.id = any (${[...references]}) or a.path = any (${[...references]}))`;
  return rowsOf(rows);
}

export async function allPaths(sql: Sql, accountId: string): Promise<string[]> {
  const rows = await sql`
    select path from assets where account_id = ${accountId} and deleted_at is null order by path`;
  return rows.map((row) => z.object({ path: z.string() }).parse(row).path);
}

export type AssetFilter = {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly type?: AssetType | undefined;
  readonly folder?: string | undefined;
  /** Instead of the others, those that were deleted. */
  readonly deleted: boolean;
  /** Only those that none of these IDs, paths and contents is of. */
  readonly notIn?: readonly string[] | undefined;
};

/** By path, with one row more than `limit` where there are more. */
export async function listAssets(
  sql: Sql,
  accountId: string,
  { deleted, notIn = [], ...filter }: AssetFilter,
  { after, limit }: { after: string; limit: number },
): Promise<AssetRow[]> {
  const { q = null, tag = null, type = null, folder = null } = filter;
  const rows = await sql`
    select a.*, c.type, c.media_type, c.bytes, c.width, c.height, c.duration
    from assets a join asset_contents c on c.account_id = a.account_id and c.sha256 = a.sha256
    where a.account_id = ${accountId} and (a.deleted_at is not null) = ${deleted}
      and (a.path collate "C", a.id) > (split_part(${after}, ' ', 1) collate "C", split_part(${after}, ' ', 2))
      and (${q}::text is null or position(lower(${q}) in lower(a.path || ' ' || a.alt)) > 0)
      and (${tag}::text is null or ${tag} = any (a.tags))
      and (${type}::text is null or c.type = ${type})
      and (${folder}::text is null or starts_with(a.path, ${folder} || '/'))
      and not a.id = any (${[...notIn]}) and not a.path = any (${[...notIn]})
      and not exists (select from asset_states s where s.account_id = a.account_id and s.asset_id = a.id
        and s.sha256 = any (${[...notIn]}))
    order by a.path collate "C", a.id limit ${limit + 1}`;
  return rowsOf(rows);
}

/** Every content the asset has had. */
export async function statesOf(sql: Sql | Tx, accountId: string, id: string): Promise<string[]> {
  const rows = await sql`
    select sha256 from asset_states where account_id = ${accountId} and asset_id = ${id}`;
  return rows.map((row) => z.object({ sha256: z.string() }).parse(row).sha256);
}

/** A content that some account shows at its public address, of all accounts: the address is the same for all. */
export async function findPublic(sql: Sql, sha256: string): Promise<ContentRow | undefined> {
  const [row] = await sql`
    select c.* from asset_contents c
    join asset_states s on s.account_id = c.account_id and s.sha256 = c.sha256
    join assets a on a.account_id = s.account_id and a.id = s.asset_id and a.deleted_at is null
    join accounts o on o.id = c.account_id and o.deleted_at is null
    where c.sha256 = ${sha256} order by c.created_at limit 1`;
  return row && ContentRow.parse(row);
}

/** Permanently deletes the assets deleted before the time, and what no asset has any more. Their blobs are swept later. */
export async function purgeAssets(sql: Sql, before: Date): Promise<number> {
  const gone = await sql`delete from assets where deleted_at < ${before} returning id`;
  await sql`
    delete from asset_contents c where not exists (
      select from asset_states s where s.account_id = c.account_id and s.sha256 = c.sha256)
      and c.created_at < ${before}`;
  return gone.length;
}

export async function contentsOf(sql: Sql, accountId: string): Promise<string[]> {
  const rows = await sql`select sha256 from asset_contents where account_id = ${accountId}`;
  return rows.map((row) => z.object({ sha256: z.string() }).parse(row).sha256);
}
