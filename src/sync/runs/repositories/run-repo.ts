import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import { idsOf } from '../../../platform/database/ids-of.ts';
import type { FencingToken } from '../../../platform/work/attempt.ts';
import type { SyncError } from '../../change.ts';
import type { SyncSettings } from '../../config.ts';
import type { Layout } from '../../plan/layout.ts';
import type { Plan } from '../../plan/plan.ts';
import { Run, type RunCalls, type RunCounts, type RunRequest, type RunStatus } from '../run.ts';

export type RunOrder = {
  readonly id: string;
  readonly accountId: string;
  readonly actor: string;
  readonly config_id: string;
  readonly store_id: string;
  readonly sheet_id: string;
  readonly settings: SyncSettings;
  readonly trigger: Run['trigger'];
  readonly request: RunRequest;
  readonly dryRun: boolean;
  readonly status: 'queued' | 'planning';
  readonly revertsRun: string | null;
  /** Where it is created with its plan. */
  readonly layout: Layout | null;
  readonly expiresAt: Date | null;
};

type Planned = Plan & {
  readonly status: 'awaiting_confirmation' | 'applying';
  /** The location at which its quantities were read and will be set, whatever the store's location is by then. */
  readonly locationId: string;
  readonly calls: RunCalls;
  readonly expiresAt: Date;
};

export type RunEnd = {
  readonly status: Extract<RunStatus, 'succeeded' | 'partial' | 'failed' | 'canceled'>;
  readonly counts: Partial<RunCounts>;
  readonly errors: readonly SyncError[];
  readonly calls: Partial<RunCalls>;
};

const Beat = z.object({ cancel_requested: z.boolean() });
const SidesWriting = z.object({ currency: z.string(), locale: z.string() });
const Id = z.object({ id: z.string() });

/**
 * The SQL of runs. The channel `sync_runs` announces each run that ends, waits for a person, or is canceled; readers
 * poll for progress. `expires_at` is set with the plan and stays: until then the plan may be confirmed, and it tells how
 * old the plan is.
 */
export function createRunStore(sql: Sql | Tx) {
  return {
    /** It writes to the sheet in the language of the spreadsheet, so that no two runs write the same in two languages. */
    async insert(run: RunOrder): Promise<Run> {
      const [row] = await sql`
        insert into sync_runs (id, account_id, config_id, store_id, sheet_id, tab, trigger, direction, dry_run, status,
          settings, request, layout, reverts_run, actor, locale, expires_at)
        values (${run.id}, ${run.accountId}, ${run.config_id}, ${run.store_id}, ${run.sheet_id},
          coalesce((select sync_tab(h) from sync_sheets h where h.id = ${run.sheet_id}), ${run.sheet_id}), ${run.trigger},
          ${run.settings.direction}, ${run.dryRun}, ${run.status}, ${sql.json(run.settings)}, ${sql.json(run.request)},
          ${run.layout ? sql.json(run.layout) : null}, ${run.revertsRun}, ${run.actor},
          coalesce((select 'es' from sync_sheets where id = ${run.sheet_id} and locale like 'es%'), 'en'), ${run.expiresAt})
        returning *`;
      return Run.parse(row);
    },

    async find(accountId: string, id: string): Promise<Run | undefined> {
      const [row] = await sql`select * from sync_runs where account_id = ${accountId} and id = ${id}`;
      return row && Run.parse(row);
    },

    /** The runs that undo a run, newest first. */
    async undosOf(accountId: string, id: string): Promise<string[]> {
      const rows = await sql`
        select id from sync_runs where account_id = ${accountId} and reverts_run = ${id} order by seq desc`;
      return idsOf(rows);
    },

    /** The runs that have not finished. */
    async unfinished(accountId: string): Promise<string[]> {
      const rows = await sql`
        select id from sync_runs where account_id = ${accountId} and finished_at is null order by seq`;
      return idsOf(rows);
    },

    async list(
      accountId: string,
      filter: { configId: string | null; status: RunStatus | null; before: number; limit: number },
    ): Promise<Run[]> {
      const rows = await sql`
        select * from sync_runs
        where account_id = ${accountId} and seq < ${filter.before} and not dry_run
          and (${filter.configId}::text is null or config_id = ${filter.configId}::text)
          and (${filter.status}::text is null or status = ${filter.status}::text)
        order by seq desc limit ${filter.limit}`;
      return z.array(Run).parse(rows);
    },

    /** The run of the account that holds the tab of the sheet; undefined: none, or another account's. */
    async active(accountId: string, sheetId: string): Promise<string | undefined> {
      const [row] = await sql`
        select r.id from sync_runs r join sync_sheets h on r.tab = sync_tab(h)
        where h.account_id = ${accountId} and h.id = ${sheetId} and r.account_id = h.account_id
          and r.status in ('queued', 'planning', 'applying') and not r.dry_run`;
      return row && Id.parse(row).id;
    },

    /** The sheet's locale, and the store's currency. */
    async writing(storeId: string, sheetId: string): Promise<z.output<typeof SidesWriting> | undefined> {
      const [row] = await sql`
        select s.currency, h.locale from sync_stores s cross join sync_sheets h
        where s.id = ${storeId} and h.id = ${sheetId}`;
      return row && SidesWriting.parse(row);
    },

    /** Whether another run of the pair has changed anything since this one read both sides: its plan is outdated. */
    async isOvertaken({ id, account_id, store_id, sheet_id, started_at }: Run): Promise<boolean> {
      const [row] = await sql`
        select id from sync_runs
        where account_id = ${account_id} and store_id = ${store_id} and sheet_id = ${sheet_id} and not dry_run
          and id <> ${id} and finished_at > ${started_at}::timestamptz
          and (counts ? 'sent' or coalesce((counts ->> 'changed')::int, 0) > 0)
        limit 1`;
      return row !== undefined;
    },

    /** Makes the run the attempt's own: undefined when it has ended, or when this or a later attempt has it. */
    async claim({ accountId, id, attempt }: FencingToken): Promise<Run | undefined> {
      const [row] = await sql`
        update sync_runs set attempt = ${attempt}, progress = null, started_at = coalesce(started_at, now()),
          status = case when expires_at is null then 'planning' else 'applying' end
        where account_id = ${accountId} and id = ${id} and attempt < ${attempt}
          and status in ('queued', 'planning', 'applying')
          and (cancel_requested or exists (select from active_accounts a where a.id = account_id))
        returning *`;
      return row && Run.parse(row);
    },

    /** Returns the run if the attempt still owns it, otherwise undefined. */
    async beat({ accountId, id, attempt }: FencingToken): Promise<z.output<typeof Beat> | undefined> {
      const [row] = await sql`
        select cancel_requested from sync_runs
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')`;
      return row && Beat.parse(row);
    },

    /**
     * As `beat`, and until the end of the transaction no other attempt takes the run over, and each statement is planned
     * for its values: a plan for any is made without statistics of tables that were filled just now, and may join row by
     * row.
     */
    async hold({ accountId, id, attempt }: FencingToken): Promise<z.output<typeof Beat> | undefined> {
      const [row] = await sql`
        select cancel_requested, set_config('plan_cache_mode', 'force_custom_plan', true) from sync_runs
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')
        for update`;
      return row && Beat.parse(row);
    },

    /** False when the run is not the attempt's own any more. */
    async advance(
      { accountId, id, attempt }: FencingToken,
      progress: NonNullable<Run['progress']>,
    ): Promise<boolean> {
      const rows = await sql`
        update sync_runs set progress = ${sql.json(progress)}
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')
        returning id`;
      return rows.length === 1;
    },

    /** Undefined when the run is not the attempt's own any more. */
    async planned({ accountId, id, attempt }: FencingToken, plan: Planned): Promise<Run | undefined> {
      const [row] = await sql`
        with changed as (
          update sync_runs set status = ${plan.status}, layout = ${sql.json(plan.layout)},
            settings = jsonb_set(settings, '{options,location_id}', to_jsonb(${plan.locationId}::text)),
            counts = ${sql.json(plan.counts)}, errors = ${sql.json(plan.errors)}, safety_limits_hit = ${sql.json(plan.safetyLimitsHit)},
            request = case when ${plan.readAll}::boolean then request - 'items' else request end,
            calls = ${sql.json(plan.calls)}, expires_at = ${plan.expiresAt}, progress = null
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'planning'
          returning *)
        select changed.*, case when status = 'awaiting_confirmation' then pg_notify('sync_runs', id) end from changed`;
      return row && Run.parse(row);
    },

    /** Cancels the plans of earlier automatic runs of the configuration; returns their ids. Sends no webhooks. */
    async replaceOpenPlans(run: Run): Promise<string[]> {
      const rows = await sql`
        with changed as (
          update sync_runs set status = 'canceled', finished_at = now()
          where account_id = ${run.account_id} and config_id = ${run.config_id} and id <> ${run.id}
            and status = 'awaiting_confirmation' and not dry_run and trigger in ('schedule', 'webhook')
          returning id)
        select id, pg_notify('sync_runs', id) from changed`;
      return idsOf(rows);
    },

    /** Discards the plan, which newer information has made outdated. */
    async unplan({ accountId, id, attempt }: FencingToken): Promise<Run | undefined> {
      const [row] = await sql`
        update sync_runs set status = 'planning', expires_at = null, request = request - 'confirmed'
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'applying'
        returning *`;
      return row && Run.parse(row);
    },

    /** Undefined when the run is not the attempt's own any more. */
    async finish({ accountId, id, attempt }: FencingToken, end: RunEnd): Promise<Run | undefined> {
      const [row] = await sql`
        with changed as (
          update sync_runs set status = ${end.status}, counts = counts || ${sql.json(end.counts)}::jsonb,
            errors = ${sql.json(end.errors)}, calls = ${sql.json(end.calls)}, progress = null, finished_at = now()
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')
          returning sync_runs as run
        ), missed as (
          -- What an automatic run has not done is not named again: the next one reads all.
          update sync_configs c set full_at = null from changed
          where c.id = (run).config_id and (run).trigger in ('schedule', 'webhook') and (
            (run).status in ('failed', 'canceled') or coalesce(((run).counts ->> 'failed')::int, 0) > 0 or (run).counts ? 'sent')
        )
        select (run).*, pg_notify('sync_runs', (run).id), sync_run_finished(run) from changed`;
      return row && Run.parse(row);
    },

    /** Gives the run back, to go on in a later attempt: false when it is not the attempt's own any more. */
    async release({ accountId, id, attempt }: FencingToken): Promise<boolean> {
      const rows = await sql`
        with changed as (
          update sync_runs set status = 'queued', progress = null
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')
          returning id)
        select pg_notify('sync_runs', id) from changed`;
      return rows.length === 1;
    },

    /** Makes the run the attempt's own to give it up, once its workers were lost. */
    async takeLost({ accountId, id, attempt }: FencingToken): Promise<Run | undefined> {
      const [row] = await sql`
        update sync_runs set status = 'applying', attempt = ${attempt + 1}
        where account_id = ${accountId} and id = ${id} and attempt <= ${attempt}
          and status in ('queued', 'planning', 'applying')
        returning *`;
      return row && Run.parse(row);
    },

    /** Undefined when it does not wait for that, or no longer. May break the index of active runs. */
    async confirm(accountId: string, id: string, now: Date): Promise<Run | undefined> {
      const [row] = await sql`
        with changed as (
          update sync_runs set status = 'queued', dry_run = false, request = request || '{"confirmed": true}'
          where account_id = ${accountId} and id = ${id} and status = 'awaiting_confirmation' and expires_at > ${now}
          returning *)
        select changed.*, pg_notify('sync_runs', id) from changed`;
      return row && Run.parse(row);
    },

    /**
     * Cancels a run that has not started. Otherwise asks its worker to cancel it; for a released run, the
     * next worker, because writes may be in doubt. Undefined if the run has finished or its cancellation was
     * already requested.
     */
    async cancel(accountId: string, id: string): Promise<Run | undefined> {
      const [row] = await sql`
        with changed as (
          update sync_runs set cancel_requested = true,
            finished_at = case when status = 'awaiting_confirmation' or status = 'queued' and attempt = 0 then now() end,
            status = case when status = 'awaiting_confirmation' or status = 'queued' and attempt = 0 then 'canceled'
              else status end
          where account_id = ${accountId} and id = ${id} and finished_at is null and not cancel_requested
          returning *, sync_runs as run)
        select changed.*, pg_notify('sync_runs', id || ' cancel'), sync_run_finished(run) from changed`;
      return row && Run.parse(row);
    },
  };
}

/** Cancels runs whose plan expired; returns their ids, with those of old previews. */
export async function expirePlans(sql: Sql | Tx, now: Date, limit: number): Promise<string[]> {
  const rows = await sql`
    with old as (
      select id, finished_at is null as is_open from sync_runs
      where (status = 'awaiting_confirmation' and expires_at < ${now})
        or (dry_run and created_at < ${now}::timestamptz - interval '1 hour' and status <> 'awaiting_confirmation')
      order by seq limit ${limit}),
    changed as (
      update sync_runs r set status = case when r.finished_at is null then 'canceled' else r.status end,
        finished_at = coalesce(r.finished_at, now())
      from old where r.id = old.id
      returning r as run, old.is_open)
    select (run).id, case when is_open then sync_run_finished(run) end from changed`;
  return idsOf(rows);
}

/** Deletes at most `limit` changes of a preview, or of a run that was not confirmed; returns how many. */
export async function deleteSomeChanges(sql: Sql | Tx, runId: string, limit: number): Promise<number> {
  const rows = await sql`
    delete from sync_changes where run_id = ${runId} and seq in (
      select seq from sync_changes where run_id = ${runId} order by seq limit ${limit})`;
  return rows.count;
}

/** Deletes ended previews. */
export async function deletePreviews(sql: Sql | Tx, ids: readonly string[]): Promise<void> {
  await sql`
    delete from sync_runs
    where dry_run and id in (select jsonb_array_elements_text(${sql.json([...ids])}))`;
}

/** Deletes at most `limit` changes of runs that ended before; returns how many. */
export async function deleteOldChanges(sql: Sql | Tx, before: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from sync_changes c using (
      select o.run_id, o.seq from sync_runs r join sync_changes o on o.run_id = r.id
      where r.finished_at < ${before} limit ${limit}) old
    where c.run_id = old.run_id and c.seq = old.seq`;
  return rows.count;
}

/** Ended or deleted runs whose reads are still there. */
export async function listWithLeftReads(sql: Sql | Tx): Promise<string[]> {
  const rows = await sql`
    select distinct d.run_id as id from (
      select run_id from sync_read_store union select run_id from sync_read_sheet) d
    left join sync_runs r on r.id = d.run_id
    where r.id is null or r.finished_at < now() - interval '1 hour'`;
  return idsOf(rows);
}

/** Of these accounts, those whose oldest run is from before. */
export async function accountsWithOld(
  sql: Sql | Tx,
  accountIds: readonly string[],
  before: Date,
): Promise<string[]> {
  const rows = await sql`
    select a.id from unnest(${[...accountIds]}::text[]) a (id)
    where (select created_at from sync_runs where account_id = a.id order by seq limit 1) < ${before}`;
  return idsOf(rows);
}

/**
 * Deletes at most `limit` changes of the account's oldest runs that ended before, or if they have none any more, these
 * runs; returns how many. The newest run of a configuration stays, and one whose effect is in doubt.
 */
export async function deleteOldRuns(
  sql: Sql | Tx,
  accountId: string,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await sql`
    with oldest as (
      select id, config_id, seq, finished_at, counts from sync_runs
      where account_id = ${accountId} order by seq limit ${limit}),
    ended as (
      select id from oldest where finished_at < ${before} and not counts ? 'sent' and exists (
        select from sync_runs newer
        where newer.config_id = oldest.config_id and newer.seq > oldest.seq and not newer.dry_run)),
    changes as (
      delete from sync_changes where (run_id, seq) in (
        select c.run_id, c.seq from ended join sync_changes c on c.run_id = ended.id limit ${limit})
      returning run_id),
    runs as (
      delete from sync_runs where id in (select id from ended)
        and not exists (select from sync_changes c where c.run_id in (select id from ended))
      returning id)
    select run_id from changes union all select id from runs`;
  return rows.length;
}
