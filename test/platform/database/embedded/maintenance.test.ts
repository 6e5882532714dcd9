import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMaintenance, startMaintenance } from '../../../../src/platform/database/embedded/maintenance.ts';
import { openTestEmbedded, type TestEmbedded } from '../../../support/embedded.ts';

let database: TestEmbedded;
beforeAll(async () => {
  database = await openTestEmbedded();
});
afterAll(() => database.close());

const changed = async () => {
  await database.sql`select pg_stat_force_next_flush()`;
  const [row] = await database.sql<{ dead: boolean; log: boolean }[]>`
    select (select n_dead_tup > 1000 from pg_stat_user_tables where relname = 'notes') as dead,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > 16 * 1024 * 1024 as log
    from pg_control_checkpoint()`;
  return row;
};
const change = async () => {
  await database.sql`
    insert into notes select n, repeat(md5(n::text), 60) from generate_series(1, 6000) n
    on conflict (id) do update set body = excluded.body || 'again'`;
};

test('dead rows are cleared away and the log starts over', async () => {
  await change();
  await change();
  expect(await changed()).toEqual({ dead: true, log: true });
  await runMaintenance(database.sql);
  expect(await changed()).toEqual({ dead: false, log: false });
});

test('it happens automatically, until it is stopped', async () => {
  await change();
  const housekeeping = startMaintenance(database.sql, 10);
  while ((await changed())?.dead) await new Promise(setImmediate);
  housekeeping.stop();
  expect(await changed()).toEqual({ dead: false, log: expect.any(Boolean) });
});
