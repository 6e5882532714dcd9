import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../../src/config.ts';
import { newestSealed } from '../../src/operator/sealed-repo.ts';
import { type Settled, settleRestored } from '../../src/operator/settle-restored.ts';
import type { Kept } from '../../src/platform/backup/kept.ts';
import { restoreBackup, verifyBackup } from '../../src/platform/backup/restore-backup.ts';
import { saveBackup } from '../../src/platform/backup/save-backup.ts';
import { blobsPlace, openBlobs } from '../../src/platform/blobs/open-blobs.ts';
import { createLog } from '../../src/platform/log.ts';
import { explain, UsageError } from './command.ts';
import type { Outcome } from './road/command-ask.ts';
import { requireOwnData } from './road/require-own-data.ts';

const USAGE = `Saves everything the server keeps to one file while it runs, checks such a file, or restores it, from and to PostgreSQL
and the embedded database alike. The environment says which server: DATABASE_URL, DATA_DIR, BLOBS_DIR or S3_BUCKET.
The file holds the database, the assets, videos and other files, and the key in DATA_DIR.key that opens the credentials
of connected stores and sheets. Keep it as safe as a password, or leave the key out with --without-key.
ENCRYPTION_KEY is never in the file: keep it apart.
restore needs an empty database: a DATA_DIR without one, or a new database in DATABASE_URL. It pauses automatic syncs. Never
run the restored server beside the one that was saved.

  CALL save FILE.tar.gz [--without-key]
  CALL verify FILE.tar.gz
  CALL restore FILE.tar.gz`;

const REPORT_MS = 2_000;
/** Paused syncs that are named. */
const MOST_NAMED = 20;

const ENGINES = { embedded: 'the embedded database', postgres: 'PostgreSQL' };

/** Saves, verifies or restores a backup. `call`: how the command is called, for its help. */
export async function runBackup(words: readonly string[], call: string): Promise<Outcome> {
  const usage = USAGE.replaceAll('CALL', call);
  if (words.includes('--help') || words.includes('-h')) return { done: true, said: usage };
  endBySignal();
  try {
    return { done: true, said: await backup(words) };
  } catch (error) {
    return { done: false, said: explain(error, usage) };
  }
}

/** As a shell says that a process ended by a signal. What was half done is removed. */
function endBySignal(): void {
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const)
    process.once(signal, () => process.exit(128 + number));
}

async function backup(words: readonly string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { 'without-key': { type: 'boolean', default: false } },
  });
  const [verb, file, ...rest] = positionals;
  if (!file || rest.length > 0) throw new UsageError('Choose save, verify or restore, and one file.');
  if (verb === 'verify') return `${file} is complete: ${describe(await verifyBackup(file, report()))}.`;
  const config = readConfig();
  const { databaseUrl, dataDir, encryptionKey } = config;
  await requireOwnData(dataDir);
  const kept: Kept = { databaseUrl, dataDir, encryptionKey, blobs: openBlobs(config) };
  switch (verb) {
    case 'save': {
      const options = { withKey: !values['without-key'], now: new Date(), progress: report() };
      const saved = await saveBackup(kept, file, { ...options, sealed: newestSealed });
      return `Saved ${placeOf(config)} to ${file}: ${describe(saved)}.${adviseOnKey(saved)}`;
    }
    case 'restore': {
      const log = createLog(config.logLevel);
      const { manifest, settled } = await restoreBackup(kept, file, {
        ...{ log, settle: settleRestored },
        progress: report(),
      });
      const done = `Restored ${placeOf(config)} from ${file}: ${describe(manifest)}.${adviseOnKey(manifest)}`;
      return [done, ...adviseOnRestored(settled)].join('\n\n');
    }
    default:
      throw new UsageError(`Unknown command '${verb}'. Valid commands: save, verify, restore.`);
  }
}

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
  if (key.kept === 'elsewhere')
    return ' Warning: credentials are encrypted with a key that the save did not have, so it is not in the backup. Keep that key of the server apart (ENCRYPTION_KEY, or DATA_DIR.key), set it where you restore, and give the save the same settings as the server.';
  if (key.kept === 'left out')
    return ' The key is not in the backup: copy DATA_DIR.key beside the DATA_DIR where you restore.';
  return '';
}

/** What the operator must know before the restored server starts. */
function adviseOnRestored({ paused, canceled, access }: Settled): string[] {
  const named = paused
    .slice(0, MOST_NAMED)
    .map(({ id, account_id, store, sheet }) => `  ${id}  ${account_id}  ${store} and ${sheet}`);
  const more = paused.length > MOST_NAMED ? [`  and ${paused.length - MOST_NAMED} more`] : [];
  const syncs = [
    `Automatic syncs are paused: ${paused.length}. Stores and sheets have changed since the backup, so check a preview of each one, then resume it with: stallhand admin syncs resume ID`,
    ...named,
    ...more,
  ].join('\n');
  const quantities =
    'Syncs no longer know the quantities on which store and sheet agreed. Equal quantities stay as they are; for the others, the first run asks which side to keep.';
  const runs = `Sync runs that had not ended are canceled: ${canceled}.`;
  const letIn = `These work again: ${access.keys} API keys, ${access.sessions} sessions and ${access.apps} connected apps, including those revoked since the backup. Revoke those again: stallhand admin keys list, keys revoke KEY, users sign-out EMAIL.`;
  return [
    ...(paused.length > 0 ? [syncs] : []),
    [quantities, ...(canceled > 0 ? [runs] : [])].join(' '),
    letIn,
    'If the original server still runs, do not start this copy: it would work on the same stores and sheets, send the same webhooks and renew the same credentials. To test a restore, use a machine that cannot reach them.',
  ];
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
