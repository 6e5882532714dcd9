import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../../src/config.ts';
import type { Kept } from '../../src/platform/backup/kept.ts';
import { restoreBackup, verifyBackup } from '../../src/platform/backup/restore-backup.ts';
import { saveBackup } from '../../src/platform/backup/save-backup.ts';
import { blobsPlace, openBlobs } from '../../src/platform/blobs/open-blobs.ts';
import { createLog } from '../../src/platform/log.ts';
import { command, UsageError } from './command.ts';

const USAGE = `Saves everything the server keeps to one file while it runs, checks such a file, or restores it, from and to PostgreSQL
and the embedded database alike. The environment says which server: DATABASE_URL, DATA_DIR, BLOBS_DIR or S3_BUCKET.
The file holds the database, the assets, videos and other files, and the key in DATA_DIR.key that opens the credentials
of connected stores and sheets. Keep it as safe as a password, or leave the key out with --without-key.
ENCRYPTION_KEY is never in the file: keep it apart.
restore needs an empty database: a DATA_DIR without one, or a new database in DATABASE_URL.

  npm run backup -- save FILE.tar.gz [--without-key]
  npm run backup -- verify FILE.tar.gz
  npm run backup -- restore FILE.tar.gz`;

const REPORT_MS = 2_000;

const ENGINES = { embedded: 'the embedded database', postgres: 'PostgreSQL' };

await command(USAGE, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'without-key': { type: 'boolean', default: false } },
  });
  const [verb, file, ...rest] = positionals;
  if (!file || rest.length > 0) throw new UsageError('Choose save, verify or restore, and one file.');
  if (verb === 'verify') return `${file} is whole: ${describe(await verifyBackup(file, report()))}.`;
  const config = readConfig();
  const { databaseUrl, dataDir, encryptionKey } = config;
  const kept: Kept = { databaseUrl, dataDir, encryptionKey, blobs: openBlobs(config) };
  switch (verb) {
    case 'save': {
      const options = { withKey: !values['without-key'], now: new Date(), progress: report() };
      const saved = await saveBackup(kept, file, options);
      return `Saved ${placeOf(config)} to ${file}: ${describe(saved)}.${adviseOnKey(saved)}`;
    }
    case 'restore': {
      const log = createLog(config.logLevel);
      const restored = await restoreBackup(kept, file, { log, progress: report() });
      return `Restored ${placeOf(config)} from ${file}: ${describe(restored)}.${adviseOnKey(restored)}`;
    }
    default:
      throw new UsageError(`Unknown command '${verb}'. Valid commands: save, verify, restore.`);
  }
});

type Saved = Awaited<ReturnType<typeof verifyBackup>>;

function describe({ created_at, engine, tables, files, key }: Saved): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const stored = files.filter(({ path }) => path.startsWith('files/')).length;
  const withKey = key.kept === 'here' ? 'with the key' : 'without a key';
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${rows} rows and ${stored} files, ${withKey}, ${size}, saved from ${ENGINES[engine]} at ${created_at}`;
}

function placeOf(config: Config): string {
  const database =
    config.databaseUrl === undefined ? `the embedded database in ${config.dataDir}` : 'PostgreSQL';
  return `${database} and the files in ${blobsPlace(config)}`;
}

function adviseOnKey({ key }: Saved): string {
  if (key.kept === 'setting')
    return ' Credentials are encrypted with ENCRYPTION_KEY: keep it apart, and set it where you restore.';
  if (key.kept === 'left out')
    return ' The key is not in the backup: copy DATA_DIR.key beside the DATA_DIR where you restore.';
  return '';
}

/** Says every two seconds how far it is. */
function report(): (doing: string, count: number) => void {
  let last = performance.now();
  return (doing, count) => {
    if (performance.now() < last + REPORT_MS) return;
    last = performance.now();
    process.stderr.write(`${count} ${doing}\n`);
  };
}
