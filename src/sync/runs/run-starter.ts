import { Fault } from '../../errors.ts';
import { type Also, type Sql, type Tx, violates } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { WorkQueue } from '../../platform/work/work.ts';
import type { SyncSettings } from '../config.ts';
import { createRunStore, type RunOrder } from './repositories/run-repo.ts';
import type { Run } from './run.ts';
import type { NewRun, RunCaller } from './runs.ts';

type ConfigSettings = {
  readonly store_id: string;
  readonly sheet_id: string;
  readonly settings: SyncSettings;
};

/**
 * What a run syncs. With a transaction, it does not change before that has ended.
 * @throws Fault not_found.sync_config
 */
export type SettingsOf = (accountId: string, configId: string, within?: Tx) => Promise<ConfigSettings>;

type StarterDeps = {
  readonly sql: Sql;
  readonly queue: Pick<WorkQueue<Run>, 'open' | 'add'>;
  readonly settingsOf: SettingsOf;
  readonly now: () => Date;
};

/** What a run takes from the finished run it follows. */
type FollowUp = Pick<RunOrder, 'config_id' | 'store_id' | 'sheet_id' | 'settings' | 'trigger' | 'layout'> & {
  readonly revertsRun: string | null;
};

/** Starts runs: each is stored with its job, or not at all. One at a time on a tab, also if several accounts have connected it. */
export function createRunStarter({ sql, queue, settingsOf, now }: StarterDeps) {
  return {
    /** @throws Fault sync_running, unavailable.queue, and those of `settingsOf` */
    async create(caller: RunCaller, order: NewRun, trigger: Run['trigger'], also?: Also): Promise<Run> {
      const sheetOf = async () => (await settingsOf(caller.accountId, order.config_id)).sheet_id;
      return queued(caller.accountId, sheetOf, async (tx) => {
        const run = await orderOf(caller, order, tx);
        await also?.(tx, run.id);
        return createRunStore(tx).insert({ ...run, trigger, dryRun: false, status: 'queued' });
      });
    },

    /** A run whose plan this process makes immediately. */
    async preview(caller: RunCaller, order: NewRun): Promise<Run> {
      const run = { ...(await orderOf(caller, order)), dryRun: true, status: 'planning' } as const;
      return createRunStore(sql).insert(run);
    },

    /** A run that is created with its plan, which `plan` writes. @throws Fault sync_running, unavailable.queue */
    async follow(
      caller: RunCaller,
      followUp: FollowUp,
      plan: (tx: Tx, runId: string) => Promise<void>,
    ): Promise<Run> {
      const run = {
        ...identity(caller),
        ...followUp,
        request: { confirmed: true, given: true },
        dryRun: false,
        status: 'queued',
        // The plan counts as expired, so that the values it changes are read again.
        expiresAt: now(),
      } as const;
      return queued(
        caller.accountId,
        () => followUp.sheet_id,
        async (tx) => {
          const inserted = await createRunStore(tx).insert(run);
          await plan(tx, inserted.id);
          return inserted;
        },
      );
    },

    /** @throws Fault sync_running, unavailable.queue; undefined when the plan cannot be confirmed. */
    confirm(run: Run): Promise<Run | undefined> {
      const confirmed = (tx: Tx) => createRunStore(tx).confirm(run.account_id, run.id, now());
      return queued(run.account_id, () => run.sheet_id, confirmed);
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
    accountId: string,
    sheetOf: () => string | Promise<string>,
    start: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    await queue.open();
    return started(accountId, sheetOf, start, 'first');
  }

  /** A run of the tab that has just ended is no reason to refuse this one: it is tried once more. */
  async function started<T extends Run | undefined>(
    accountId: string,
    sheetOf: () => string | Promise<string>,
    start: (tx: Tx) => Promise<T>,
    attempt: 'first' | 'last',
  ): Promise<T> {
    try {
      const run = await sql.begin(async (tx) => {
        const inserted = await start(tx);
        if (inserted) await queue.add(tx, [inserted]);
        return inserted;
      });
      // The driver's type of a transaction's result forgets the parameter.
      return run as T;
    } catch (error) {
      if (!violates(error, 'sync_runs_active')) throw error;
      const run = await createRunStore(sql).active(accountId, await sheetOf());
      if (!run && attempt === 'first') return started(accountId, sheetOf, start, 'last');
      const again = { retryAfterSeconds: 5 };
      throw run ? new Fault('sync_running.sheet', { run }, again) : new Fault('sync_running.tab', {}, again);
    }
  }
}

function identity({ accountId, actor }: RunCaller) {
  return { id: newId('run'), accountId, actor };
}
