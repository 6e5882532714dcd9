import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import { purgeUses } from '../configs/cleanup.ts';
import { isWithinQuota, type PlanQuota, planQuota, quotaExceeded, requireQuota } from './plan-quota.ts';

export type ConnectionStatus = 'connected' | 'reconnect_required' | 'disconnected';

/** What the rows of stores and sheets have in common. */
type ConnectionRow = {
  readonly seq: number;
  readonly id: string;
  readonly account_id: string;
  /** Encrypted. */
  readonly credentials: string;
  /** What a person has granted; null for pasted credentials. */
  readonly grant_id: string | null;
  /** Which of the account's connections it is, in the order they were connected, from 1. */
  readonly place: number;
};

/** The SQL of one kind of connection. `New` is what a row is inserted from, `Identity` what no two of an account share. */
type ConnectionRepository<Row, New, Identity> = {
  find(sql: Sql | Tx, accountId: string, id: string): Promise<Row | undefined>;
  list(sql: Sql | Tx, accountId: string, page: { before: number; limit: number }): Promise<Row[]>;
  lock(sql: Sql | Tx, accountId: string): Promise<void>;
  countWithSame(sql: Sql | Tx, identity: Identity): Promise<{ used: number; same: string | null }>;
  insert(sql: Sql | Tx, row: New, limit: number): Promise<Row | undefined>;
  requireReconnect(sql: Sql | Tx, accountId: string, id: string, credentials: string): Promise<void>;
  setStatus(
    sql: Sql | Tx,
    accountId: string,
    id: string,
    status: ConnectionStatus,
    asOf: Date | null,
  ): Promise<void>;
  remove(sql: Sql | Tx, accountId: string, id: string): Promise<boolean>;
};

type ConnectionKind<Row, New, Identity, Shown> = {
  readonly quota: PlanQuota['kind'];
  readonly notFound: 'not_found.store' | 'not_found.sheet';
  readonly repository: ConnectionRepository<Row, New, Identity>;
  /** What the account sees of a row: no secrets. */
  readonly present: (row: Row, isPaused: boolean) => Shown;
  /** Called when a connection no longer uses a grant. */
  readonly releaseGrant: (accountId: string, grantId: string) => Promise<void>;
  /** Thrown where another connection of the account has the same identity. */
  readonly duplicate: (id: string, identity: Identity) => Fault;
};

export type ConnectionDeps = {
  readonly sql: Sql;
  readonly entitlements: Pick<Entitlements, 'of'>;
};

/**
 * What connected stores and sheets have in common: they count toward the plan, are paused beyond it, keep their
 * status, and are deleted with the configurations that use them. Every statement carries the account id.
 * In: the SQL and the presentation of one kind. Out: what both kinds can do. Invariant: credentials are stored
 * encrypted and never returned.
 */
export function createConnections<
  Row extends ConnectionRow,
  New extends Identity,
  Identity extends object,
  Shown,
>(
  {
    quota: quotaKind,
    notFound,
    repository,
    present,
    releaseGrant,
    duplicate,
  }: ConnectionKind<Row, New, Identity, Shown>,
  { sql, entitlements }: ConnectionDeps,
) {
  return {
    quotaOf,
    find,
    requireNew: (identity: Identity, quota: PlanQuota) => requireNew(sql, identity, quota),
    show,

    /** Of a connection that the plan covers. @throws Fault not_found, plan_limit for one that is paused */
    async findActive(accountId: string, id: string): Promise<Row> {
      const row = await find(accountId, id);
      const quota = await quotaOf(accountId);
      if (!isWithinQuota(quota, row.place)) throw quotaExceeded(quota, row.place);
      return row;
    },

    /** Saves a verified connection. @throws Fault conflict, plan_limit where others were connected at the same time */
    async add(accountId: string, row: New, quota: PlanQuota): Promise<Shown> {
      const { inserted } = await sql.begin(async (tx) => {
        await repository.lock(tx, accountId);
        await requireNew(tx, row, quota);
        return { inserted: await repository.insert(tx, row, quota.limit) };
      });
      if (!inserted) throw quotaExceeded(quota, quota.limit);
      return shownWithin(inserted, quota);
    },

    /** Newest first. */
    async list(accountId: string, request: PageRequest): Promise<Page<Shown>> {
      const { before, limit } = byNumber(request);
      const quota = await quotaOf(accountId);
      const found = await repository.list(sql, accountId, { before, limit: limit + 1 });
      return pageOf(
        found,
        limit,
        ({ seq }) => seq,
        (row) => shownWithin(row, quota),
      );
    },

    /** @throws Fault not_found */
    async get(accountId: string, id: string): Promise<Shown> {
      return show(await find(accountId, id));
    },

    /** The other side rejects the credentials: automatic runs stop until others are sent. Not if verified after `asOf`. */
    markReconnect: (accountId: string, id: string, asOf: Date | null = null) =>
      repository.setStatus(sql, accountId, id, 'reconnect_required', asOf),

    /** Rethrows an error, and marks the connection if the error means that the saved credentials were rejected. */
    async rejected({ account_id, id, credentials }: Row, error: unknown): Promise<never> {
      const isRejected =
        error instanceof Fault &&
        /^(?:store_unauthorized|sheet_unauthorized|sheet_forbidden)$/.test(error.code);
      if (isRejected) await repository.requireReconnect(sql, account_id, id, credentials);
      throw error;
    },

    /**
     * Disconnects; `cascade` also deletes the configurations that use the connection, and their run history.
     * @throws Fault not_found, conflict.sync_in_use, sync_running.sheet
     */
    async delete(accountId: string, id: string, options: { cascade: boolean }): Promise<void> {
      const { grant_id: grantId } = await find(accountId, id);
      await purgeUses(sql, accountId, id, options);
      await repository.remove(sql, accountId, id);
      if (grantId !== null) await releaseGrant(accountId, grantId);
    },
  };

  async function quotaOf(accountId: string): Promise<PlanQuota> {
    return planQuota(quotaKind, (await entitlements.of(accountId)).sync);
  }

  async function find(accountId: string, id: string): Promise<Row> {
    const row = await repository.find(sql, accountId, id);
    if (!row) throw new Fault(notFound, { id });
    return row;
  }

  async function requireNew(tx: Sql | Tx, identity: Identity, quota: PlanQuota): Promise<void> {
    const { used, same } = await repository.countWithSame(tx, identity);
    if (same !== null) throw duplicate(same, identity);
    requireQuota(quota, used);
  }

  async function show(row: Row): Promise<Shown> {
    return shownWithin(row, await quotaOf(row.account_id));
  }

  function shownWithin(row: Row, quota: PlanQuota): Shown {
    return present(row, !isWithinQuota(quota, row.place));
  }
}
