import { pino } from 'pino';
import type { Database } from '../../../src/platform/database/database.ts';
import { createQueue } from '../../../src/platform/queue/queue.ts';
import type { SyncSettings } from '../../../src/sync/config.ts';
import { createPlanner, type Sides } from '../../../src/sync/plan/plan.ts';
import type { Run } from '../../../src/sync/runs/run.ts';
import { createRuns } from '../../../src/sync/runs/runs.ts';

export const caller = { accountId: 'acc_worlds', actor: 'test' } as const;

/** What the engine is told of a configuration. */
export type Pair = { readonly settings: SyncSettings; readonly sides: () => Promise<Sides> };

export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** The engine as one process has it, over pairs that join and leave. */
export async function openEngine({ sql, engine }: Pick<Database, 'sql' | 'engine'>, now: () => Date) {
  const pairs = new Map<string, Pair>();
  const pairOf = (id: string): Pair => {
    const pair = pairs.get(id);
    if (!pair) throw new Error(`no pair ${id}`);
    return pair;
  };
  const log = pino({ level: 'silent' });
  const queue = createQueue({ database: { sql, engine }, log });
  const runs = createRuns({
    sql,
    queue,
    planner: createPlanner({ sql }),
    openSides: ({ config_id }) => pairOf(config_id).sides(),
    connectionFailed: async () => {},
    settingsOf: async (_account, id) => ({
      store_id: `sto_${id}`,
      sheet_id: `she_${id}`,
      settings: pairOf(id).settings,
    }),
    log,
    now,
  });
  await sql`insert into accounts (id, name) values (${caller.accountId}, 'Worlds')`;
  const listener = await sql.listen('sync_runs', runs.onNotify, runs.onReconnect);
  await runs.start();

  return {
    sql,
    runs,

    async join(id: string, pair: Pair): Promise<void> {
      pairs.set(id, pair);
      const { accountId } = caller;
      await sql`
        insert into sync_stores (id, account_id, domain, credentials, token_hint, name, currency)
        values (${`sto_${id}`}, ${accountId}, ${`${id}.myshopify.com`}, '', '', 'Shop', 'EUR')`;
      await sql`
        insert into sync_sheets (id, account_id, spreadsheet_id, name, sheet_name, credentials, token_hint)
        values (${`she_${id}`}, ${accountId}, ${id}, 'Book', 'Sheet1', '', '')`;
      await sql`
        insert into sync_configs (id, account_id, store_id, sheet_id, direction, mappings, options)
        values (${id}, ${accountId}, ${`sto_${id}`}, ${`she_${id}`}, ${pair.settings.direction},
          ${sql.json(pair.settings.mappings)}, ${sql.json(pair.settings.options)})`;
    },

    /** Forgets all about it, so that the next trial finds an empty database. */
    async leave(id: string): Promise<void> {
      pairs.delete(id);
      await sql`delete from sync_changes where run_id in (select id from sync_runs where config_id = ${id})`;
      await sql`delete from sync_configs where id = ${id}`;
      await sql`delete from sync_stores where id = ${`sto_${id}`}`;
      await sql`delete from sync_sheets where id = ${`she_${id}`}`;
    },

    /** A run to its end. */
    async run(id: string): Promise<Run> {
      return this.ended(await runs.create(caller, { config_id: id, trigger: 'schedule' }));
    },
    ended: ({ id }: Run): Promise<Run> =>
      runs.wait(caller.accountId, id, AbortSignal.timeout(60_000), 60_000),

    async close(): Promise<void> {
      await runs.close();
      await queue.close();
      await listener.unlisten();
    },
  };
}
