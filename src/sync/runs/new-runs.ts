import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { WorkQueue } from '../../platform/work/work-queue.ts';
import type { SyncSettings } from '../config.ts';
import type { Run } from './run.ts';
import type { NewRun, RunCaller } from './runs.ts';
import { createRunStore, type RunOrder } from './store/run-store.ts';

type ConfigSettings = {
  readonly store_id: string;
  readonly sheet_id: string;
  readonly settings: SyncSettings;
};

/**
 * What a run is made by. With a transaction, nobody changes it before that has ended.
 * @throws Fault not_found.sync_config
 */
export type SettingsOf = (accountId: string, configId: string, within?: Tx) => Promise<ConfigSettings>;

type Parts = {
  readonly sql: Sql;
  readonly queue: Pick<WorkQueue<Run>, 'open' | 'add'>;
  readonly settingsOf: SettingsOf;
  readonly now: () => Date;
};

/** What is made of a finished run: with its changes, or none. */
type Following = Pick<RunOrder, 'config_id' | 'store_id' | 'sheet_id' | 'settings' | 'trigger' | 'layout'> & {
  readonly revertsRun: string | null;
};

/** Begins runs: each with its ticket, or not at all. One at a time on a sheet. */
export function createNewRuns({ sql, queue, settingsOf, now }: Parts) {
  return {
    /** @throws Fault sync_running.sheet, unavailable.queue, and those of `settingsOf` */
    async create(caller: RunCaller, order: NewRun, trigger: Run['trigger']): Promise<Run> {
      const pair = await settingsOf(caller.accountId, order.config_id);
      return queued(pair, async (tx) => {
        const run = await orderOf(caller, order, tx);
        return createRunStore(tx).insert({ ...run, trigger, dryRun: false, status: 'queued' });
      });
    },

    /** Of a plan that this process makes at once. */
    async preview(caller: RunCaller, order: NewRun): Promise<Run> {
      const run = { ...(await orderOf(caller, order)), dryRun: true, status: 'planning' } as const;
      return createRunStore(sql).insert(run);
    },

    /** A run that comes with its plan, which `plan` writes. @throws Fault sync_running.sheet, unavailable.queue */
    async follow(
      caller: RunCaller,
      following: Following,
      plan: (tx: Tx, runId: string) => Promise<void>,
    ): Promise<Run> {
      const run = {
        ...identity(caller),
        ...following,
        request: { confirmed: true, given: true },
        dryRun: false,
        status: 'queued',
        // As old as can be: what it is to change is read once more.
        expiresAt: now(),
      } as const;
      return queued(run, async (tx) => {
        const inserted = await createRunStore(tx).insert(run);
        await plan(tx, inserted.id);
        return inserted;
      });
    },

    /** @throws Fault sync_running.sheet, unavailable.queue; undefined when the plan cannot be confirmed. */
    confirm(run: Run): Promise<Run | undefined> {
      return queued(run, (tx) => createRunStore(tx).confirm(run.account_id, run.id, now()));
    },
  };

  async function orderOf(
    caller: RunCaller,
    { config_id, trigger = 'manual', request = {} }: NewRun,
    within?: Tx,
  ) {
    const { store_id, sheet_id, settings } = await settingsOf(caller.accountId, config_id, within);
    const none = { revertsRun: null, layout: null, expiresAt: null };
    return { ...identity(caller), ...none, config_id, store_id, sheet_id, settings, trigger, request };
  }

  async function queued<T extends Run | undefined>(
    { sheet_id }: { sheet_id: string },
    begin: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    await queue.open();
    try {
      const run = await sql.begin(async (tx) => {
        const begun = await begin(tx);
        if (begun) await queue.add(tx, { accountId: begun.account_id, id: begun.id, from: begun.attempt });
        return begun;
      });
      // The driver's type of a transaction's result forgets the parameter.
      return run as T;
    } catch (error) {
      if (!isTaken(error)) throw error;
      const run = await createRunStore(sql).active(sheet_id);
      throw new Fault('sync_running.sheet', { run: run ?? '' }, { retryAfterSeconds: 5 });
    }
  }
}

function identity({ accountId, actor, locale }: RunCaller) {
  return { id: newId('run'), accountId, actor, locale };
}

/** Another run holds the sheet. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint_name' in error && error.constraint_name === 'sync_runs_active';
}
