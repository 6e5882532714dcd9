import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import { UNLIMITED } from '../../plans.ts';
import type { Sql } from '../../platform/database/database.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import type { Generation, GenerationRow, HookRow } from './generation-repo.ts';
import * as generationRepo from './generation-repo.ts';
import type { RecentHooks } from './recent-hooks.ts';

type HistoryDeps = {
  readonly sql: Sql;
  readonly entitlements: Pick<Entitlements, 'of'>;
  readonly recentHooks: Pick<RecentHooks, 'forget'>;
};

/** Selects generations; an absent field selects all. */
export type HistoryFilter = {
  /** Part of the topic; ignores case and accents. */
  readonly q?: string | undefined;
  readonly platform?: string | undefined;
  /** The first and the last day, YYYY-MM-DD in UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
};

export type HistoryPage = Page<Generation> & {
  /** The plan shows only this many of the latest; absent when it shows all. */
  limited_to?: number;
};

export type History = ReturnType<typeof createHistory>;

const EXPORT_PAGE_SIZE = 200;
/** Each has up to 50 hooks. */
const MAX_REMOVED = 100;
const DAY_MS = 86_400_000;

/**
 * The account's generations with their hooks and feedback, the latest first.
 *
 * In: a caller, and filters or a generation. Out: generations, exports and feedback.
 * Invariant: a plan limits what `list` and `get` show, never what is stored: exports and an upgrade include everything.
 */
export function createHistory({ sql, entitlements, recentHooks }: HistoryDeps) {
  async function list(accountId: string, request: HistoryFilter & PageRequest): Promise<HistoryPage> {
    const { before, limit } = byNumber(request);
    const latest = await shownTo(accountId);
    const rows = await generationRepo.listGenerations(sql, accountId, {
      ...search(request),
      before,
      limit: limit + 1,
      latest,
    });
    const hooks = await hooksOf(accountId, rows.slice(0, limit));
    const page = pageOf(
      rows,
      limit,
      ({ seq }) => seq,
      (row) => present(row, hooks.get(row.id)),
    );
    return { ...page, ...(latest !== null && { limited_to: latest }) };
  }

  /** @throws Fault not_found.generation, plan_required.history */
  async function get(accountId: string, id: string): Promise<Generation> {
    const row = await generationRepo.findGeneration(sql, accountId, id);
    if (!row) throw new Fault('not_found.generation', { id });
    const latest = await shownTo(accountId);
    if (latest !== null && !(await generationRepo.isAmongLatest(sql, accountId, row.seq, latest)))
      throw new Fault('plan_required.history', { limit: latest, plan: 'pro' });
    return present(row, (await hooksOf(accountId, [row])).get(id));
  }

  /** Everything the filter selects, whatever the plan shows; holds one page in memory. */
  async function* all(accountId: string, filter: HistoryFilter = {}): AsyncGenerator<Generation> {
    let { before } = byNumber({ limit: EXPORT_PAGE_SIZE });
    for (;;) {
      const rows = await generationRepo.listGenerations(sql, accountId, {
        ...search(filter),
        before,
        limit: EXPORT_PAGE_SIZE,
        latest: null,
      });
      const hooks = await hooksOf(accountId, rows);
      for (const row of rows) yield present(row, hooks.get(row.id));
      before = rows.at(-1)?.seq ?? 0;
      if (rows.length < EXPORT_PAGE_SIZE) return;
    }
  }

  /** Deletes also generations the plan hides. @throws Fault not_found.generation */
  async function remove(accountId: string, id: string): Promise<void> {
    if (!(await generationRepo.deleteGeneration(sql, accountId, id)))
      throw new Fault('not_found.generation', { id });
    recentHooks.forget(accountId);
  }

  /** Of these accounts, those that have generations from before. */
  function accountsWithOld(accountIds: readonly string[], before: Date): Promise<string[]> {
    return generationRepo.accountsWithOld(sql, accountIds, before);
  }

  /** Deletes some of the oldest generations from before, with their hooks; returns how many. */
  async function removeOld(accountId: string, before: Date, limit: number): Promise<number> {
    const removed = await generationRepo.deleteOldGenerations(
      sql,
      accountId,
      before,
      Math.min(limit, MAX_REMOVED),
    );
    if (removed > 0) recentHooks.forget(accountId);
    return removed;
  }

  async function shownTo(accountId: string): Promise<number | null> {
    const { history } = (await entitlements.of(accountId)).hooks;
    return history === UNLIMITED ? null : history;
  }

  async function hooksOf(accountId: string, rows: readonly GenerationRow[]) {
    if (rows.length === 0) return new Map<string, HookRow[]>();
    const hooks = await generationRepo.listHooks(
      sql,
      accountId,
      rows.map(({ id }) => id),
    );
    return Map.groupBy(hooks, ({ generation_id: id }) => id);
  }

  return { list, get, all, delete: remove, accountsWithOld, removeOld };
}

function search({ q = '', platform, since, until }: HistoryFilter) {
  return {
    part: q.trim() || null,
    topic: q.trim() === '' ? null : `%${withoutAccents(q.trim()).replace(/[\\%_]/g, '\\$&')}%`,
    platform: platform ?? null,
    since: since === undefined ? null : startOf(since),
    until: until === undefined ? null : new Date(startOf(until).getTime() + DAY_MS),
  };
}

/** Removes the same marks as the SQL does from topics. */
function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
}

// PostgreSQL has no year 0, and `until` adds a day to the last of 9999.
const [FIRST_DAY, LAST_DAY] = [Date.UTC(1970, 0, 1), Date.UTC(9999, 0, 1)];

function startOf(day: string): Date {
  return new Date(Math.min(Math.max(Date.parse(day), FIRST_DAY), LAST_DAY));
}

function present(
  { seq: _seq, created_at, ...row }: GenerationRow,
  hooks: readonly HookRow[] = [],
): Generation {
  return {
    ...row,
    date: created_at.toISOString(),
    hooks: hooks.map(({ generation_id: _id, ...hook }) => hook),
  };
}
