import type { Entitlements } from '../billing/entitlements.ts';
import { Fault } from '../errors.ts';
import { UNLIMITED } from '../plans.ts';
import type { Sql } from '../platform/database/database.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import type { Generation, HistoryFilter } from './generation.ts';
import { createHistoryStore, type GenerationRow, type HookRow } from './history-store.ts';
import type { Memory } from './memory.ts';

type Parts = {
  readonly sql: Sql;
  readonly entitlements: Pick<Entitlements, 'of'>;
  readonly memory: Pick<Memory, 'forget'>;
};

export type HistoryPage = Page<Generation> & {
  /** The plan shows these many of the latest; absent when it shows all. */
  limited_to?: number;
};

export type History = ReturnType<typeof createHistory>;

const PAGE = 200;
const DAY_MS = 86_400_000;

/** What an account has had generated, the latest first. A plan may show the latest only; what it hides is kept. */
export function createHistory({ sql, entitlements, memory }: Parts) {
  const store = createHistoryStore(sql);

  async function list(accountId: string, request: HistoryFilter & PageRequest): Promise<HistoryPage> {
    const { before, limit } = byNumber(request);
    const latest = await shownTo(accountId);
    const rows = await store.page(accountId, { ...search(request), before, limit: limit + 1, latest });
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
    const row = await store.find(accountId, id);
    if (!row) throw new Fault('not_found.generation', { id });
    const latest = await shownTo(accountId);
    if (latest !== null && !(await store.isAmongLatest(accountId, row.seq, latest)))
      throw new Fault('plan_required.history', { limit: latest, plan: 'pro' });
    return present(row, (await hooksOf(accountId, [row])).get(id));
  }

  /** All that the filter lets through whatever the plan shows, a page in memory at a time. */
  async function* all(accountId: string, filter: HistoryFilter = {}): AsyncGenerator<Generation> {
    let { before } = byNumber({ limit: PAGE });
    for (;;) {
      const rows = await store.page(accountId, { ...search(filter), before, limit: PAGE, latest: null });
      const hooks = await hooksOf(accountId, rows);
      for (const row of rows) yield present(row, hooks.get(row.id));
      before = rows.at(-1)?.seq ?? 0;
      if (rows.length < PAGE) return;
    }
  }

  /** Also what the plan does not show. @throws Fault not_found.generation */
  async function remove(accountId: string, id: string): Promise<void> {
    if (!(await store.delete(accountId, id))) throw new Fault('not_found.generation', { id });
    memory.forget(accountId);
  }

  async function shownTo(accountId: string): Promise<number | null> {
    const { history } = (await entitlements.of(accountId)).hooks;
    return history === UNLIMITED ? null : history;
  }

  async function hooksOf(accountId: string, rows: readonly GenerationRow[]) {
    if (rows.length === 0) return new Map<string, HookRow[]>();
    const hooks = await store.hooksOf(
      accountId,
      rows.map(({ id }) => id),
    );
    return Map.groupBy(hooks, ({ generation_id: id }) => id);
  }

  return { list, get, all, delete: remove };
}

function search({ q = '', platform, since, until }: HistoryFilter) {
  return {
    topic: q.trim() === '' ? null : `%${withoutAccents(q.trim()).replace(/[\\%_]/g, '\\$&')}%`,
    platform: platform ?? null,
    since: since === undefined ? null : startOf(since),
    until: until === undefined ? null : new Date(startOf(until).getTime() + DAY_MS),
  };
}

/** As the store takes them from topics. */
function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
}

// Databases know no year 0, and a day more than the last of 9999 would be none.
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
