import { z } from 'zod';
import type { Locale } from '../../../language.ts';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import type { Fence } from '../../../platform/work/attempt.ts';
import type { SyncError } from '../../change.ts';
import type { SyncSettings } from '../../config.ts';
import type { Layout } from '../../plan/layout.ts';
import type { Plan } from '../../plan/planner.ts';
import { Run, type RunCalls, type RunCounts, type RunRequest, type RunStatus } from '../run.ts';

export type RunOrder = {
  readonly id: string;
  readonly accountId: string;
  readonly actor: string;
  readonly locale: Locale;
  readonly config_id: string;
  readonly store_id: string;
  readonly sheet_id: string;
  readonly settings: SyncSettings;
  readonly trigger: Run['trigger'];
  readonly request: RunRequest;
  readonly dryRun: boolean;
  readonly status: 'queued' | 'planning';
  readonly revertsRun: string | null;
  /** Where it comes with its plan. */
  readonly layout: Layout | null;
  readonly expiresAt: Date | null;
};

type Planned = Plan & {
  readonly status: 'awaiting_confirmation' | 'applying';
  /** Where its quantities were read, and are to be set, whatever place the store counts at by then. */
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

const Waiting = z.object({ account_id: z.string(), id: z.string(), attempt: z.number() });
const Beat = z.object({ cancel_requested: z.boolean() });
const SidesWriting = z.object({ currency: z.string(), locale: z.string() });
const Id = z.object({ id: z.string() });

/**
 * The SQL of runs. What a reader can see of a change is announced on the channel `sync_runs`. `expires_at` is set when a
 * run has its plan, and stays: until then the plan may be confirmed, and by it one knows how old the plan is.
 */
export function createRunStore(sql: Sql | Tx) {
  return {
    async insert(run: RunOrder): Promise<Run> {
      const [row] = await sql`
        insert into sync_runs (id, account_id, config_id, store_id, sheet_id, trigger, direction, dry_run, status,
          settings, request, layout, reverts_run, actor, locale, expires_at)
        values (${run.id}, ${run.accountId}, ${run.config_id}, ${run.store_id}, ${run.sheet_id}, ${run.trigger},
          ${run.settings.direction}, ${run.dryRun}, ${run.status}, ${sql.json(run.settings)}, ${sql.json(run.request)},
          ${run.layout ? sql.json(run.layout) : null}, ${run.revertsRun}, ${run.actor}, ${run.locale}, ${run.expiresAt})
        returning *`;
      return Run.parse(row);
    },

    async find(accountId: string, id: string): Promise<Run | undefined> {
      const [row] = await sql`select * from sync_runs where account_id = ${accountId} and id = ${id}`;
      return row && Run.parse(row);
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

    /** The run that holds the sheet. */
    async active(sheetId: string): Promise<string | undefined> {
      const [row] = await sql`
        select id from sync_runs
        where sheet_id = ${sheetId} and status in ('queued', 'planning', 'applying') and not dry_run`;
      return row && Id.parse(row).id;
    },

    /** How the sheet's people write, and the store's currency. */
    async writing(storeId: string, sheetId: string): Promise<z.output<typeof SidesWriting> | undefined> {
      const [row] = await sql`
        select s.currency, h.locale from sync_stores s cross join sync_sheets h
        where s.id = ${storeId} and h.id = ${sheetId}`;
      return row && SidesWriting.parse(row);
    },

    /** Whether another run of the pair has changed anything since this one read both sides: its plan is of before. */
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
    async claim({ accountId, id, attempt }: Fence): Promise<Run | undefined> {
      const [row] = await sql`
        with changed as (
          update sync_runs set attempt = ${attempt}, progress = null, started_at = coalesce(started_at, now()),
            status = case when expires_at is null then 'planning' else 'applying' end
          where account_id = ${accountId} and id = ${id} and attempt < ${attempt}
            and status in ('queued', 'planning', 'applying')
          returning *)
        select changed.*, pg_notify('sync_runs', id) from changed`;
      return row && Run.parse(row);
    },

    /** Says whether the attempt still owns the run: undefined when it does not. */
    async beat({ accountId, id, attempt }: Fence): Promise<z.output<typeof Beat> | undefined> {
      const [row] = await sql`
        select cancel_requested from sync_runs
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')`;
      return row && Beat.parse(row);
    },

    /** As `beat`, and until the end of the transaction no other attempt takes the run over. */
    async hold({ accountId, id, attempt }: Fence): Promise<z.output<typeof Beat> | undefined> {
      const [row] = await sql`
        select cancel_requested from sync_runs
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')
        for update`;
      return row && Beat.parse(row);
    },

    /** False when the run is not the attempt's own any more. */
    async advance(
      { accountId, id, attempt }: Fence,
      progress: NonNullable<Run['progress']>,
    ): Promise<boolean> {
      const rows = await sql`
        with changed as (
          update sync_runs set progress = ${sql.json(progress)}
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')
          returning id)
        select pg_notify('sync_runs', id) from changed`;
      return rows.length === 1;
    },

    /** Undefined when the run is not the attempt's own any more. */
    async planned({ accountId, id, attempt }: Fence, plan: Planned): Promise<Run | undefined> {
      const [row] = await sql`
        with changed as (
          update sync_runs set status = ${plan.status}, layout = ${sql.json(plan.layout)},
            settings = jsonb_set(settings, '{options,location_id}', to_jsonb(${plan.locationId}::text)),
            counts = ${sql.json(plan.counts)}, errors = ${sql.json(plan.errors)}, brakes = ${sql.json(plan.brakes)},
            calls = ${sql.json(plan.calls)}, expires_at = ${plan.expiresAt}, progress = null
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'planning'
          returning *)
        select changed.*, pg_notify('sync_runs', id) from changed`;
      return row && Run.parse(row);
    },

    /** Forgets that there was a plan, which what has come to light since has made old. */
    async unplan({ accountId, id, attempt }: Fence): Promise<Run | undefined> {
      const [row] = await sql`
        update sync_runs set status = 'planning', expires_at = null, request = request - 'confirmed'
        where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status = 'applying'
        returning *`;
      return row && Run.parse(row);
    },

    /** False when the run is not the attempt's own any more. */
    async finish({ accountId, id, attempt }: Fence, end: RunEnd): Promise<boolean> {
      const rows = await sql`
        with changed as (
          update sync_runs set status = ${end.status}, counts = counts || ${sql.json(end.counts)}::jsonb,
            errors = ${sql.json(end.errors)}, calls = ${sql.json(end.calls)}, progress = null, finished_at = now()
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')
          returning id)
        select pg_notify('sync_runs', id) from changed`;
      return rows.length === 1;
    },

    /** Gives the run back, to go on in a later attempt: false when it is not the attempt's own any more. */
    async release({ accountId, id, attempt }: Fence): Promise<boolean> {
      const rows = await sql`
        with changed as (
          update sync_runs set status = 'queued', progress = null
          where account_id = ${accountId} and id = ${id} and attempt = ${attempt} and status in ('planning', 'applying')
          returning id)
        select pg_notify('sync_runs', id) from changed`;
      return rows.length === 1;
    },

    /** Makes the run the attempt's own to give it up, once its workers were lost. */
    async takeLost({ accountId, id, attempt }: Fence): Promise<Run | undefined> {
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
     * Ends what nobody has begun and asks the worker of what runs; also the next one of what was given back, since it may
     * have sent what it does not know to have arrived. Undefined when there was nothing to ask any more.
     */
    async cancel(accountId: string, id: string): Promise<Run | undefined> {
      const [row] = await sql`
        with changed as (
          update sync_runs set cancel_requested = true,
            finished_at = case when status = 'awaiting_confirmation' or status = 'queued' and attempt = 0 then now() end,
            status = case when status = 'awaiting_confirmation' or status = 'queued' and attempt = 0 then 'canceled'
              else status end
          where account_id = ${accountId} and id = ${id} and finished_at is null and not cancel_requested
          returning *)
        select changed.*, pg_notify('sync_runs', id || ' cancel') from changed`;
      return row && Run.parse(row);
    },

    /** Runs of all accounts that should have a ticket, oldest first. */
    async waiting(limit: number): Promise<z.output<typeof Waiting>[]> {
      const rows = await sql`
        select account_id, id, attempt from sync_runs
        where status in ('queued', 'planning', 'applying') and not dry_run and created_at < now() - interval '1 minute'
        order by seq limit ${limit}`;
      return z.array(Waiting).parse(rows);
    },
  };
}
