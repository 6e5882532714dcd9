import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { newestSealed } from '../../src/operator/sealed-repo.ts';
import { settleRestored } from '../../src/operator/settle-restored.ts';
import { answerCopy } from '../../src/platform/backup/embedded-copy.ts';
import type { Kept } from '../../src/platform/backup/kept.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import { saveBackup } from '../../src/platform/backup/save-backup.ts';
import { createFolderBlobs } from '../../src/platform/blobs/folder-blobs.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/log.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import { writeLine } from '../../src/platform/shared-folder/lines.ts';
import { offerFolder } from '../../src/platform/shared-folder/offer-folder.ts';
import { copyEmbedded, createEmpty, openTestDatabase, testServer } from './database.ts';

export const NOW = new Date('2026-11-23T10:00:00Z');
export const KEY = `${Buffer.alloc(32, 7).toString('base64')}\n`;
export const PICTURE = Buffer.from('the bytes of a picture');
export const VIDEO = Buffer.alloc(3_000_000, 9);
const STOCK = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
  { sheet_column: 'Berlin', store_field: 'inventory_quantity:2' },
];
export const STRANGE = 'a "quote", a \\ and a \t tab,\nñ 漢字 👩‍🍳 \u2028 {x,NULL}';
const log = createLog('silent');

type Engine = Database['engine'];
export const ENGINES: Engine[] = testServer ? ['embedded', 'postgres'] : ['embedded'];

const keptOf = (dataDir: string, databaseUrl?: string): Kept => ({
  databaseUrl,
  dataDir,
  blobs: createFolderBlobs(join(dataDir, 'files')),
  encryptionKey: undefined,
});
export const save = (kept: Kept, file: string, withKey = true) =>
  saveBackup(kept, file, { withKey, now: NOW, sealed: newestSealed });
export const restore = (kept: Kept, file: string, more: { readonly migrations?: string } = {}) =>
  restoreBackup(kept, file, { log, settle: settleRestored, ...more });

type SourceOptions = {
  /** A folder with the migrations of an older release. */
  readonly migrations?: string;
  /** What has sealed the credentials of its store. Default: the key in its file. */
  readonly key?: Buffer;
};

export type BackupPlaces = Awaited<ReturnType<typeof openBackupPlaces>>;

/** Servers to save and places to restore to; `close` removes them. */
export async function openBackupPlaces() {
  const home = await mkdtemp(join(tmpdir(), 'stallhand-backup-'));
  const closing: (() => Promise<void>)[] = [];
  return {
    openSource,
    newPlace,
    newFolder: () => mkdtemp(join(home, 'folder-')),
    async close(): Promise<void> {
      for (const close of closing) await close();
      await rm(home, { recursive: true });
    },
  };

  /** A server with data, that runs. */
  async function openSource(engine: Engine, options: SourceOptions = {}): Promise<Kept> {
    const kept = await (engine === 'embedded' ? openFolder(options) : openOnServer(options));
    await writeFile(`${kept.dataDir}.key`, KEY);
    await kept.blobs.put('assets/acc_1/picture', PICTURE);
    await kept.blobs.put('videos/vid_1.mp4', VIDEO);
    await kept.blobs.put('store-mark', Buffer.from('files_1'));
    await writeFile(join(kept.dataDir, 'files', 'ab~~draft'), 'what a killed process left');
    return kept;
  }

  async function openFolder({ migrations, key }: SourceOptions): Promise<Kept> {
    const { dataDir, drop } = await copyEmbedded(migrations);
    const database = await openDatabase({ url: undefined, dataDir });
    const offer = await offerFolder({
      ...{ dataDir, log },
      receive: async (socket) => writeLine(socket, await answerCopy(database, dataDir)),
    });
    closing.push(offer.close, database.close, drop, () => rm(`${dataDir}.key`));
    await fill(database, key);
    return keptOf(dataDir);
  }

  async function openOnServer({ migrations, key }: SourceOptions): Promise<Kept> {
    const database = await openTestDatabase(migrations === undefined ? {} : { migrations });
    closing.push(database.close);
    await fill(database, key);
    const dataDir = join(await mkdtemp(join(home, 'source-')), 'data');
    await mkdir(dataDir);
    return keptOf(dataDir, database.url);
  }

  /** An empty place. */
  async function newPlace(engine: Engine = 'embedded'): Promise<Kept> {
    const dataDir = join(await mkdtemp(join(home, 'place-')), 'data');
    if (engine === 'embedded') return keptOf(dataDir);
    const { url, drop } = await createEmpty(testServer ?? '');
    closing.push(drop);
    return keptOf(dataDir, url);
  }
}

async function fill(database: Database, key: Buffer = Buffer.from(KEY, 'base64')): Promise<void> {
  const { sql } = database;
  await sql`insert into accounts (id, name, created_at) values
    ('acc_1', ${STRANGE}, '2026-01-02 03:04:05.678901+05:30'), ('acc_2', '', 'infinity')`;
  await sql`insert into audit_events (id, account_id, actor, action, target, detail)
    select 'evt_' || n, 'acc_1', 'user', 'made', repeat('é', 500), jsonb_build_object('n', n / 3.0, 'text', ${STRANGE}::text)
    from generate_series(1, 900) n`;
  // The number of a row that is gone is never given again.
  await sql`insert into audit_events (id, account_id, actor, action, target, detail) values ('gone', 'acc_1', '', '', '', '{}')`;
  await sql`delete from audit_events where id = 'gone'`;
  const box = createSecretBox({ key: async () => key });
  const credentials = await box.seal('{}', { table: 'sync_stores', row: 'sto_1', column: 'credentials' });
  await sql`
    insert into sync_stores (id, account_id, domain, credentials, token_hint, name, currency, location_id)
    values ('sto_1', 'acc_1', 'bakery.myshopify.com', ${credentials}, '', 'Bakery', 'EUR', '1')`;
  await sql`
    insert into sync_sheets (id, account_id, spreadsheet_id, name, sheet_name, credentials, token_hint)
    values ('she_1', 'acc_1', 'sheet', 'Stock', 'Sheet1', '', '')`;
  await sql`
    insert into sync_configs (id, account_id, store_id, sheet_id, direction, mappings, options, realtime, next_at)
    values ('cfg_1', 'acc_1', 'sto_1', 'she_1', 'two_way', ${sql.json(STOCK)}, '{}', true, '2026-11-23')`;
  await sql`
    insert into sync_base (config_id, key, variant_id, product_id, item_id, vals)
    values ('cfg_1', 'A', '1', '1', '1', array['A', '10', '7'])`;
  const queue = createQueue({ database, log });
  await queue.open('jobs');
  const job = (id: string) => ({ accountId: 'acc_1', id, priorAttempts: 1 });
  await sql.begin((tx) => queue.add(tx, 'jobs', [job('job_1')]));
  await sql.begin((tx) => queue.add(tx, 'jobs', [job('job_2')], { ahead: true }));
  await sql.begin((tx) => queue.add(tx, 'jobs', [job('job_3')]));
  await sql.begin((tx) => queue.add(tx, 'jobs', [job('day')], { onceInSeconds: 86_400 }));
  await sql.unsafe(`update pgboss.job set state = 'completed' where data->>'id' = 'job_1'`);
  await sql.unsafe(`update pgboss.job set state = 'active', retry_count = 1 where data->>'id' = 'job_3'`);
  await queue.close();
}

export async function withDatabase<T>(
  { databaseUrl, dataDir }: Kept,
  work: (database: Database) => Promise<T>,
) {
  const database = await openDatabase({ url: databaseUrl, dataDir });
  return work(database).finally(database.close);
}

export const contents = (kept: Kept) =>
  withDatabase(kept, async ({ sql }) => {
    const accounts =
      await sql`select id, name, extract(epoch from created_at)::text as at from accounts where id in ('acc_1', 'acc_2') order by id`;
    const [events] = await sql`
      select count(*)::int as rows, max(seq) as last, sum(length(target))::int as size, min(detail->>'text') as text
      from audit_events where action = 'made'`;
    const jobs = await sql.unsafe(
      `select data->>'id' as id, priority, data->>'priorAttempts' as attempts, state from pgboss.job order by 1`,
    );
    return { accounts: [...accounts], events, jobs: [...jobs] };
  });

export const blobOf = async ({ blobs }: Pick<Kept, 'blobs'>, key: string) => {
  const opened = await blobs.open(key);
  return opened && (await buffer(opened.stream));
};

export const leftIn = async ({ dataDir }: Kept) =>
  (await readdir(dataDir)).filter((name) => !/\.lock\.\d+$/.test(name)).sort();
