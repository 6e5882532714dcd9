/**
 * How an account presents itself. In: changes of single fields. Out: the brand, and what emails, videos and generated texts
 * take from it.
 * Invariants: a change names the version it is made to, or is made to the latest one; every node forgets what it knew of the
 * brand once it changed.
 */
import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import { readAssetReference } from '../platform/asset-reference.ts';
import { closest } from '../platform/closest.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { createNotifiedCache } from '../platform/notified-cache.ts';
import {
  type Brand,
  type BrandChange,
  type BrandFields,
  DEFAULT_BRAND,
  LIMITS,
  versionTag,
} from './brand.ts';
import * as brandRepo from './brand-repo.ts';
import { changedFields, changeFields } from './change-fields.ts';
import { lowContrasts } from './contrast.ts';

type Author = { readonly accountId: string; readonly actor: string };

type BrandsDeps = {
  readonly sql: Sql;
  readonly planOf: (accountId: string) => Promise<BrandPlan>;
  /** Those of the paths and IDs that the account has an asset for. */
  readonly assetsOf: (
    accountId: string,
    references: readonly string[],
  ) => Promise<{ has(reference: string): boolean }>;
  readonly audit: {
    record(
      tx: Tx,
      accountId: string,
      event: { actor: string; action: string; target: string; from?: string; to?: string },
    ): Promise<void>;
  };
};

/** How many brands the account's plan includes, and whether hooks are written in its voice. */
type BrandPlan = { readonly limit: number; readonly writesHooks: boolean };

/** Version of the brand that the caller read, or its entity tags; one that was never saved has version 0. */
type Precondition = {
  readonly expectedVersion?: number | undefined;
  readonly ifMatch?: readonly string[] | undefined;
};

type Known = { readonly rows: readonly brandRepo.BrandRow[] };

export function createBrands({ sql, planOf, assetsOf, audit }: BrandsDeps) {
  const cache = createNotifiedCache<Known>({
    max: 10_000,
    ttlMs: 60_000,
    channels: ['brands'],
    payloadIsKey: true,
  });
  const watchers: ((accountId: string) => void)[] = [];

  async function rowsOf(accountId: string): Promise<readonly brandRepo.BrandRow[]> {
    const load = async (): Promise<Known> => ({ rows: await brandRepo.listBrands(sql, accountId) });
    return (await cache.get(accountId, load)).rows;
  }

  /** The brand; the default one is there before it was saved. @throws Fault not_found.brand */
  async function get(accountId: string, name: string = DEFAULT_BRAND): Promise<Brand> {
    return requireIn(await rowsOf(accountId), name);
  }

  async function write(tx: Tx, { accountId, actor }: Author, former: Brand, change: BrandChange) {
    const { brand: name, version } = former;
    const fields = changeFields(former.fields, change);
    const changed = changedFields(former.fields, fields);
    const created = version === 0;
    if (changed.length === 0 && !created) return { ...former, created };
    const event = { action: created ? 'brand.created' : 'brand.changed', to: changed.join(', ') };
    await audit.record(tx, accountId, { ...event, actor, target: name });
    if (name !== DEFAULT_BRAND && Object.keys(fields).length === 0) {
      await brandRepo.deleteBrand(tx, accountId, name);
      return { ...unsaved(name), created: false };
    }
    return { ...present(await brandRepo.upsertBrand(tx, accountId, { name, fields, actor })), created };
  }

  /** Files of a brand that the account's library does not have: what names them, with the path or ID. */
  async function lackingAssets(accountId: string, fields: BrandFields): Promise<ReadonlyMap<string, string>> {
    const named = assetReferences(fields);
    const found = await assetsOf(accountId, [...named.values()]);
    return new Map([...named].filter(([, reference]) => !found.has(reference)));
  }

  return {
    get,
    lackingAssets,

    /** What is doubtful about a brand: colors that are hard to see, and files that the account does not have. */
    async doubtsAbout(accountId: string, { fields }: Pick<Brand, 'fields'>): Promise<Warning[]> {
      const lacking = await lackingAssets(accountId, fields);
      const { writesHooks } = await planOf(accountId);
      return [
        ...lowContrasts(fields.colors ?? {}).map(({ needed, ...low }): Warning => {
          return { key: 'low_contrast.brand', params: { ...low, needed }, field: 'colors', ...low };
        }),
        ...[...lacking.values()].map((reference): Warning => {
          return { key: 'asset_missing.brand', params: { reference } };
        }),
        ...(fields.voice && !writesHooks ? [{ key: 'brand_voice_plan' } as const] : []),
      ];
    },

    /** Every brand, with the time of its last change. */
    async list(accountId: string) {
      return (await brandRepo.listBrands(sql, accountId)).map(({ updated_at, ...row }) => ({
        ...row,
        updated_at: updated_at.toISOString(),
      }));
    },

    /** Names of the account's brands. */
    async names(accountId: string): Promise<readonly string[]> {
      return (await rowsOf(accountId)).map(({ name }) => name);
    },

    /** As it is stored, whatever this node remembers. @throws Fault not_found.brand */
    async read(accountId: string, name: string = DEFAULT_BRAND): Promise<Brand> {
      return requireIn(await brandRepo.listBrands(sql, accountId), name);
    },

    /**
     * Changes a brand, or creates one. One besides the default that has nothing left is deleted.
     * @throws Fault plan_required.brands, plan_limit.brands, precondition_failed.brand, precondition_failed.etag
     */
    async save(
      { accountId, actor }: Author,
      name: string,
      change: BrandChange,
      precondition: Precondition = {},
    ): Promise<Brand & { readonly created: boolean }> {
      if (name !== DEFAULT_BRAND && (await planOf(accountId)).limit <= 1)
        throw new Fault('plan_required.brands');
      const saved = await sql.begin(async (tx) => {
        await brandRepo.lockBrands(tx, accountId);
        const rows = await brandRepo.listBrands(tx, accountId);
        const former = brandIn(rows, name);
        requireVersion(former ?? unsaved(name), precondition);
        if (!former && name !== DEFAULT_BRAND && rows.length >= LIMITS.brands)
          throw new Fault('plan_limit.brands', { limit: LIMITS.brands });
        return write(tx, { accountId, actor }, former ?? unsaved(name), change);
      });
      // The notification reaches this node too, but only after the response of this call.
      forget(accountId);
      return saved;
    },

    /** Calls back, before the response, for an account whose brand this node changed. Other nodes are notified on `brands`. */
    watch(watcher: (accountId: string) => void): void {
      watchers.push(watcher);
    },

    listeners: cache.listeners,
  };

  function forget(accountId: string): void {
    cache.invalidate(accountId);
    for (const watcher of watchers) watcher(accountId);
  }
}

/** @throws Fault precondition_failed.brand, precondition_failed.etag */
function requireVersion(
  { brand, version }: Brand,
  { expectedVersion: expected, ifMatch }: Precondition,
): void {
  if (expected !== undefined && expected !== version)
    throw new Fault('precondition_failed.brand', { brand, version, expected });
  if (ifMatch && !ifMatch.includes(versionTag({ brand, version })))
    throw new Fault('precondition_failed.etag');
}

function unsaved(name: string): Brand {
  return { brand: name, version: 0, fields: {}, updatedAt: null };
}

/** Files of the account's library that a brand names, with their paths or IDs. */
function assetReferences({ logos = {}, fonts = {} }: BrandFields): ReadonlyMap<string, string> {
  const files = [...Object.values(logos), ...Object.values(fonts)];
  return new Map(
    files.flatMap((file = '') => {
      const reference = readAssetReference(file);
      return reference === undefined ? [] : [[file, reference] as const];
    }),
  );
}

function brandIn(rows: readonly brandRepo.BrandRow[], name: string): Brand | undefined {
  const row = rows.find((one) => one.name === name);
  return row && present(row);
}

/** @throws Fault not_found.brand */
function requireIn(rows: readonly brandRepo.BrandRow[], name: string): Brand {
  const found = brandIn(rows, name);
  if (found) return found;
  if (name === DEFAULT_BRAND) return unsaved(name);
  const names = [DEFAULT_BRAND, ...rows.map((row) => row.name)];
  throw new Fault('not_found.brand', { brand: name, suggestion: closest(name, names) ?? DEFAULT_BRAND });
}

function present({ name, fields, version, updated_at }: brandRepo.BrandRow): Brand {
  return { brand: name, version, fields, updatedAt: updated_at };
}
